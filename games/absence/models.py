"""Players' shares of turns submitted in time, counted turn by turn."""

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import F, Q

from accounts.models import User

WINDOW: Final = 100
"""The last turns to count. A new player starts with all of them in time."""

IN_TIME: Final = "1"
MISSED: Final = "0"

WHOLE: Final = WINDOW * (WINDOW + 1) // 2
"""The weight of all turns: 100 for the last, 99 for the one before, and so on."""


def with_turn(history: str, *, in_time: bool) -> str:
    """Return a history with one more turn, cut to the last turns.

    >>> with_turn("10", in_time=True)
    '101'
    """
    return (history + (IN_TIME if in_time else MISSED))[-WINDOW:]


def figure(history: str) -> int:
    """Return the weighted share of turns in time, in percent, rounded down.

    >>> figure(""), figure("1110"), figure("0111"), figure("00000"), figure("0" * WINDOW)
    (100, 98, 98, 90, 0)
    """
    weights = range(WINDOW, 0, -1)
    lost = sum(weight for weight, mark in zip(weights, reversed(history), strict=False) if mark == MISSED)
    return (WHOLE - lost) * 100 // WHOLE


class Reliability(models.Model):
    """A person's figures for turns that others waited for: all, missed and recent.

    ``recent`` has a mark for each of the last turns (`figure`). Programs are enough to calculate all of it
    again. A person without a row has not played such a turn.
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
        return figure(self.recent)


def percents_of(people: Iterable[User]) -> dict[int, int]:
    """Return people's shares in percent, by their keys. Guests have none."""
    kept = {user.pk: getattr(user, "reliability", None) for user in people if not user.is_guest}
    return {key: figure(found.recent if found else "") for key, found in kept.items()}
