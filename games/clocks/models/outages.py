"""When the service was away, and the sign that it is there."""

from django.db import models
from django.db.models import F, Q


class Outage(models.Model):
    """A time in which no worker swept: no turn was played, and clocks that ran then get the time back.

    ``settled_at`` is since when all of them have.
    """

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-began_at"]
        indexes = [
            models.Index(fields=["ended_at"], name="outages_by_end"),
        ]
        constraints = [
            models.CheckConstraint(name="outage_lasts", condition=Q(ended_at__gt=F("began_at"))),
        ]

    def __str__(self) -> str:
        return f"outage from {self.began_at.isoformat()} to {self.ended_at.isoformat()}"


class Heartbeat(models.Model):
    """When a worker last swept: the sign that turns get resolved at all. There is one row."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="heartbeat_alone", condition=Q(pk=1))]

    def __str__(self) -> str:
        return self.at.isoformat()


class Boot(models.Model):
    """A start of a machine on which a worker swept, as the machine's clock had it at the last sweep.

    Its number is the kernel's. ``uptime`` is how long before that sweep the machine started.
    """

    id = models.UUIDField(primary_key=True)
    booted_at = models.DateTimeField()
    uptime = models.DurationField()

    def __str__(self) -> str:
        return f"{self.id} at {self.booted_at.isoformat()}"
