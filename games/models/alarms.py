"""What staff should know without looking for it."""

from django.db import models
from django.db.models import Q


class Alarm(models.Model):
    """A turn that was not played in time, though it could have been: open until it is, and kept after that.

    There is one for each turn. ``due_at`` is since when the turn could be played. One that is closed is
    opened anew where its turn is late once more.
    """

    turn = models.OneToOneField("Turn", on_delete=models.CASCADE, related_name="alarm")
    due_at = models.DateTimeField()
    raised_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-raised_at", "-pk"]
        indexes = [
            models.Index(fields=["raised_at"], name="alarms_open", condition=Q(closed_at=None)),
        ]

    def __str__(self) -> str:
        return f"alarm {self.pk}"
