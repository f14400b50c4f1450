"""The reliability of players: how often they submitted orders on time. Sitters, and replaced players."""

from collections.abc import Iterable
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import has_format
from games.work.models import BelongsToGame

WINDOW: Final = 100
"""The number of most recent turns that count for a player's reliability.

If a player has played fewer turns, the missing ones count as turns with orders on time.
"""

IN_TIME_MARK: Final = "1"
MISSED_MARK: Final = "0"

MAX_WEIGHT: Final = WINDOW * (WINDOW + 1) // 2
"""The sum of the weights of all turns that count for a player's reliability.

The last turn has the weight 100, the one before 99, and so on.
"""


def add_turn(history: str, *, in_time: bool) -> str:
    """Return a player's history with one more digit, cut to the last `WINDOW` turns.

    The digit is 1 for a turn with orders on time, or 0 for a missed turn.

    >>> add_turn("10", in_time=True)
    '101'
    """
    return (history + (IN_TIME_MARK if in_time else MISSED_MARK))[-WINDOW:]


def reliability_percent(history: str) -> int:
    """Return the weighted share of turns with orders on time in a player's history, in percent, rounded down.

    >>> [reliability_percent(history) for history in ("", "1110", "0111", "00000", "0" * WINDOW)]
    [100, 98, 98, 90, 0]
    """
    weights = range(WINDOW, 0, -1)
    lost = sum(
        weight for weight, mark in zip(weights, reversed(history), strict=False) if mark == MISSED_MARK
    )
    return (MAX_WEIGHT - lost) * 100 // MAX_WEIGHT


class Reliability(models.Model):
    """A person's statistics of turns in which other people waited for their orders.

    ``turns`` is the number of all such turns, and ``missed`` the number of turns that the person missed.
    ``recent`` is the history of the last turns, with a digit for each turn (`add_turn`). All figures can be
    calculated again from the records of turns. A person who has played no such turn has no row.
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
    """Return people's reliability in percent, by their IDs. Guests are left out."""
    kept = {user.pk: getattr(user, "reliability", None) for user in people if not user.is_guest}
    return {key: reliability_percent(found.recent if found else "") for key, found in kept.items()}


class Sitting(models.Model):
    """An agreement that a ``sitter`` may submit orders for another player, the ``owner`` of the seats.

    It lasts from the start of the day ``first`` to the end of the day ``last`` in the owner's time zone at
    the time of the request: from ``begins_at`` to ``ends_at``. It needs the sitter's consent
    (``accepted_at``). Since ``ended_at``, it has no effect. `games.play.viewers` has the
    rights of sitters.
    """

    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="sitters")
    sitter = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="sittings")
    first = models.DateField()
    last = models.DateField()
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    asked_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["first", "pk"]
        indexes = [models.Index(fields=["ends_at"], name="sittings_open", condition=Q(ended_at=None))]
        constraints = [
            models.CheckConstraint(name="sitting_of_two_people", condition=~Q(owner=F("sitter"))),
            models.CheckConstraint(
                name="sitting_ends_after_its_start",
                condition=Q(last__gte=F("first"), ends_at__gt=F("begins_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitter_id} for {self.owner_id} from {self.first} to {self.last}"


class SitterTurn(models.Model):
    """A turn of a game with a sitter's orders. ``orders`` is the last orders/1 document.

    ``chips`` has the kinds of its chips by register, because the hand is deleted when the turn is resolved.
    """

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="turns")
    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="+")
    turn = models.PositiveIntegerField()
    orders = models.JSONField()
    chips = ArrayField(models.CharField(max_length=1, blank=True), default=list)
    ordered_at = models.DateTimeField()

    class Meta:
        ordering = ["-ordered_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "game", "turn"], name="sitter_turn_once"),
            models.CheckConstraint(
                name="sitter_turn_has_its_format", condition=has_format("orders", "orders/1")
            ),
        ]

    def __str__(self) -> str:
        return f"turn {self.turn} of {self.game_id} by sitting {self.sitting_id}"


class Replacement(BelongsToGame):
    """A change of a seat's player, from the user ``was`` to the user ``became``. None stands for a computer.

    The new player plays from ``turn`` on. If the old player had already submitted orders for ``turn``, these
    are still played. ``bank`` is the time in the old player's time bank, ``excused`` the number of turns that
    they could still miss, and ``clean_turns`` the number of their latest turns in a row with orders on time
    that counted towards earning back a missed turn. ``missed_in_row`` and ``short_clock`` are their record
    for the shorter clock. The old player gets these values back on returning to any seat of the game.
    """

    class Reason(models.TextChoices):
        MISSED = "missed", _("Missed too many turns")
        VOTED = "voted", _("Replaced by vote")
        STAFF = "staff", _("Replaced by staff")
        DELETED = "deleted", _("Account deleted")
        RESIGNED = "resigned", _("Resigned")
        LEFT = "left", _("Left the game")
        TAKEN_OVER = "taken over", _("Took over the seat")
        CAME_BACK = "came back", _("Came back to the seat")

    known_by = "seat__game_id"

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="replacements")
    turn = models.PositiveIntegerField(_("turn number"))
    was = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    became = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason)
    at = models.DateTimeField()
    bank = models.DurationField(null=True)
    excused = models.PositiveSmallIntegerField(null=True)
    clean_turns = models.PositiveSmallIntegerField(null=True)
    missed_in_row = models.PositiveSmallIntegerField(null=True)
    short_clock = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="replacement_of_one_by_another",
                condition=~Q(was=F("became")) & (Q(was__isnull=False) | Q(became__isnull=False)),
            )
        ]

    def __str__(self) -> str:
        return f"{self.reason} on seat {self.seat_id} in turn {self.turn}"
