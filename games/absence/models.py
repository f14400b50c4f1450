"""Players' shares of turns submitted in time, counted turn by turn."""

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import F, Q

from accounts.models import User

WINDOW: Final = 100
"""The last turns to count. A new player starts with all of them in time."""

IN_TIME_MARK: Final = "1"
MISSED_MARK: Final = "0"

MAX_WEIGHT: Final = WINDOW * (WINDOW + 1) // 2
"""The weight of all turns: 100 for the last, 99 for the one before, and so on."""


def add_turn(history: str, *, in_time: bool) -> str:
    """Return a history with one more turn, cut to the last turns.

    >>> add_turn("10", in_time=True)
    '101'
    """
    return (history + (IN_TIME_MARK if in_time else MISSED_MARK))[-WINDOW:]


def reliability_percent(history: str) -> int:
    """Return the weighted share of turns in time, in percent, rounded down.

    >>> [reliability_percent(history) for history in ("", "1110", "0111", "00000", "0" * WINDOW)]
    [100, 98, 98, 90, 0]
    """
    weights = range(WINDOW, 0, -1)
    lost = sum(
        weight for weight, mark in zip(weights, reversed(history), strict=False) if mark == MISSED_MARK
    )
    return (MAX_WEIGHT - lost) * 100 // MAX_WEIGHT


class Reliability(models.Model):
    """A person's figures for turns that others waited for: all, missed and recent.

    ``recent`` has a mark for each of the last turns (`reliability_percent`). Programs are enough to
    calculate all of it again. A person without a row has not played such a turn.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="reliability")
    turns = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    recent = models.CharField(max_length=WINDOW, blank=True)

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.CheckConstraint(name="reliability_missed_of_all", condition=Q(missed__lte=F("turns")))
        ]

    def __str__(self) -> str:
        return f"{self.percent} % of {self.user_id}"

    @property
    def percent(self) -> int:
        return reliability_percent(self.recent)


def percents_of(people: Iterable[User]) -> dict[int, int]:
    """Return people's shares in percent, by their keys. Guests have none."""
    kept = {user.pk: getattr(user, "reliability", None) for user in people if not user.is_guest}
    return {key: reliability_percent(found.recent if found else "") for key, found in kept.items()}
