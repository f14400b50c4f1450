"""The tables of votes among the players of a game."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.work.models import BelongsToGame


class Vote(models.Model):
    """A vote of the players of a running game. `MAJORITIES` has the rules for each kind of vote.

    ``seat`` is the seat of the player to replace or of the proposed winner, in votes about a player. ``days``
    is the length of a pause. While the vote is open, its voters depend on the state of the game. ``voters``,
    ``ayes`` and ``noes`` are set when the vote closes.
    """

    class Kind(models.TextChoices):
        EJECT = "eject", _("Replace a player")
        PAUSE = "pause", _("Pause the game")
        RESUME = "resume", _("End the pause")
        CALL_OFF = "call-off", _("Cancel the game")
        CONCEDE = "concede", _("Concede the game")

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        PASSED = "passed", _("Passed")
        REFUSED = "refused", _("Refused")
        VOID = "void", _("No result")

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="votes")
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, null=True, related_name="+")
    days = models.PositiveSmallIntegerField(null=True)
    asked_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    turn = models.PositiveIntegerField(_("turn number"))
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    voters = models.PositiveSmallIntegerField(null=True)
    ayes = models.PositiveSmallIntegerField(null=True)
    noes = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["closes_at"], name="votes_due", condition=Q(status="open"))]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "kind"], name="vote_open_one_of_a_kind", condition=Q(status="open")
            ),
            models.CheckConstraint(
                name="vote_counted_when_closed",
                condition=Q(status="open", closed_at=None, voters=None, ayes=None, noes=None)
                | ~Q(status="open")
                & Q(closed_at__isnull=False, voters__isnull=False, ayes__isnull=False, noes__isnull=False),
            ),
            models.CheckConstraint(
                name="vote_about_what_it_asks",
                condition=Q(kind__in=["eject", "concede"], seat__isnull=False, days=None)
                | Q(kind="pause", seat=None, days__isnull=False)
                | Q(kind__in=["resume", "call-off"], seat=None, days=None),
            ),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk} of game {self.game_id}: {self.kind}"


class Ballot(BelongsToGame):
    """A player's ballot in a vote. The player may change it until the vote closes."""

    known_by = "vote__game_id"

    vote = models.ForeignKey(Vote, on_delete=models.CASCADE, related_name="ballots")
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    yes = models.BooleanField()
    cast_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["vote", "user"], name="ballot_one_each")]

    def __str__(self) -> str:
        return f"{'yes' if self.yes else 'no'} of {self.user_id} to vote {self.vote_id}"
