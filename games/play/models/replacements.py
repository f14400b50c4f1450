"""Seats that passed on while their game was played."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.work.models import BelongsToGame


class Replacement(BelongsToGame):
    """A seat that passed on: from ``was`` to ``became``, None for a computer, from ``turn`` on.

    The one who had it gave orders up to the turn before, unless they had given some for ``turn`` already.
    ``bank``, ``excused`` and ``clean_turns`` are what the player had left. They get these back with any seat
    of the game.
    """

    class Reason(models.TextChoices):
        """Why a seat passed on."""

        MISSED = "missed", _("Missed too many turns")
        VOTED = "voted", _("Replaced by a vote of the players")
        STAFF = "staff", _("Replaced by staff")
        DELETED = "deleted", _("The account was deleted")
        RESIGNED = "resigned", _("Resigned")
        LEFT = "left", _("Left the game")
        TAKEN_OVER = "taken over", _("Took the seat over")
        CAME_BACK = "came back", _("Came back to their own seat")

    known_by = "seat__game_id"

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="replacements")
    turn = models.PositiveIntegerField(_("number of the turn"))
    was = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    became = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason)
    at = models.DateTimeField()
    bank = models.DurationField(null=True)
    excused = models.PositiveSmallIntegerField(null=True)
    clean_turns = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="replacement_of_one_by_another",
                condition=~models.Q(was=models.F("became"))
                & (models.Q(was__isnull=False) | models.Q(became__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} on seat {self.seat_id} in turn {self.turn}"
