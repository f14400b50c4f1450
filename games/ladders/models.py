"""The tables of this room."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.ladders.climbing import REST_AGAIN
from games.play.models import Game


class Ladder(models.Model):
    """The ladder of a ruleset. To change places, a worker holds its row."""

    ruleset = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.ruleset


class Rung(models.Model):
    """A player's place on a ladder, from 1.

    Up to ``protected_until`` they are not challenged. ``absent_at`` is when they were last absent from a game
    of the ladder. A player who rests since ``resting_since`` takes no part, and keeps the place for a while.
    ``back_at`` is when they last came back from a rest.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="rungs")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="rungs")
    place = models.PositiveIntegerField()
    joined_at = models.DateTimeField()
    active_at = models.DateTimeField(help_text=_("When they last played on it, joined or came back."))
    protected_until = models.DateTimeField(null=True)
    absent_at = models.DateTimeField(null=True)
    resting_since = models.DateTimeField(null=True)
    back_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["ladder", "place"]
        indexes = [
            models.Index(fields=["active_at"], name="rungs_idle", condition=Q(resting_since=None)),
            models.Index(
                fields=["resting_since"], name="rungs_resting", condition=Q(resting_since__isnull=False)
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "ladder"], name="rung_once"),
            models.UniqueConstraint(
                fields=["ladder", "place"], name="rung_in_its_place", deferrable=models.Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.user_id} on {self.ladder_id}"

    @property
    def may_rest_from(self) -> datetime | None:
        """When its player may rest again after the last rest; None before the first."""
        return self.back_at and self.back_at + REST_AGAIN


class LadderGame(models.Model):
    """A challenge, with its game: it is played at once, and settled when the game is over."""

    class Outcome(models.TextChoices):
        """What came of it."""

        CLIMBED = "climbed", _("The challenger took the place")
        DEFENDED = "defended", _("The place was defended")
        VOID = "void", _("No place changed hands")

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="ladder_game")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ladder_games")
    challenger = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="challenges")
    challenged = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["ladder", "-made_at"], name="ladder_games_newest")]
        constraints = [
            models.UniqueConstraint(
                fields=["challenger", "ladder"], name="one_challenge_out", condition=Q(settled_at=None)
            ),
            models.UniqueConstraint(
                fields=["challenged", "ladder"], name="one_challenge_in", condition=Q(settled_at=None)
            ),
            models.CheckConstraint(name="challenge_of_another", condition=~Q(challenger=F("challenged"))),
            models.CheckConstraint(
                name="challenge_settled_with_an_outcome",
                condition=Q(settled_at=None, outcome="") | (Q(settled_at__isnull=False) & ~Q(outcome="")),
            ),
        ]

    def __str__(self) -> str:
        return f"challenge of {self.challenged_id} by {self.challenger_id}"
