"""What staff did about games."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_REASON = 300


class Intervention(models.Model):
    """Something that staff did about a game, and why: kept for good, and told to all who see the game.

    ``turn`` is the number of the turn under way then, None in a lobby. ``hours`` says by how much deadlines
    were put off, ``seat`` whose player was replaced. ``by`` is for staff to see.
    """

    class Action(models.TextChoices):
        """What was done."""

        RESOLVE = "resolve", _("Had a turn tried again")
        EXTEND = "extend", _("Put deadlines off")
        REPLACE = "replace", _("Replaced a player")
        CANCEL = "cancel", _("Cancelled the game")

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="interventions")
    by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    action = models.CharField(max_length=10, choices=Action)
    reason = models.CharField(max_length=LONGEST_REASON)
    turn = models.PositiveIntegerField(_("number of the turn"), null=True)
    hours = models.PositiveSmallIntegerField(null=True)
    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(name="intervention_has_its_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="intervention_tells_what_was_done",
                condition=Q(action="extend", hours__isnull=False, seat=None)
                | Q(action="replace", hours=None, seat__isnull=False)
                | Q(action__in=["resolve", "cancel"], hours=None, seat=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} of {self.game_id}"
