"""The table of this room."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Ticket(models.Model):
    """Someone who waits for a game, and what it is to be like (`games.matching.wishes`).

    Empty is any ruleset, pace or size. ``spread`` is how far others' ratings may be from theirs, None for the
    usual window alone, ``least_reliability`` how reliable others have to be, in percent. After
    ``computers_after`` hours they take computers, None for never.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="ticket")
    ruleset = models.CharField(max_length=40, blank=True)
    pace = models.CharField(max_length=10, blank=True)
    size = models.CharField(max_length=10, blank=True)
    least = models.PositiveSmallIntegerField(_("players, at least"), default=2)
    most = models.PositiveSmallIntegerField(_("players, at most"), default=8)
    spread = models.PositiveSmallIntegerField(null=True)
    least_reliability = models.PositiveSmallIntegerField(
        _("reliability of the others, at least"), default=0, db_default=0
    )
    computers_after = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="ticket_for_some_players", condition=Q(least__gte=2, most__gte=F("least"))
            ),
            models.CheckConstraint(
                name="ticket_reliability_in_percent", condition=Q(least_reliability__lte=100)
            ),
        ]

    def __str__(self) -> str:
        return f"ticket of {self.user_id}"
