"""How reliable players are, kept as it is counted turn by turn."""

from django.db import models
from django.db.models import F, Q

from games.reliability.figures import WINDOW, figure


class Reliability(models.Model):
    """Of a person's turns that others waited for: how many there were, how many were missed, and the last.

    ``recent`` has a mark for each of the last (`figures`). All of it follows from the programs,
    and can be made from them again. Someone without a row has not played such a turn.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="reliability")
    turns = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    recent = models.CharField(max_length=WINDOW, blank=True)

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.CheckConstraint(name="reliability_missed_of_all", condition=Q(missed__lte=F("turns"))),
        ]

    def __str__(self) -> str:
        return f"{self.percent} % of {self.user_id}"

    @property
    def percent(self) -> int:
        return figure(self.recent)
