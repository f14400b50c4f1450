"""Starships in a bay of their builder, for anyone to try."""

from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.shipyard.models import MOST_PLAYERS, StarshipDraft

IDLE_AFTER: Final = timedelta(days=90)
"""How long a prototype keeps its bay while people do not play on it together."""

WARNING: Final = timedelta(days=14)
"""How long before it leaves its bay its builder is warned."""


class Prototype(models.Model):
    """What a starship is, and was, as a prototype of its owner: a version is a revision of the starship.

    It was drawn as ``draft``, whose version ``draft_version`` was published last, for ``players`` by
    ``ruleset``. ``licence`` is the one that its builder agreed to. ``used_at`` says when it was last
    published or played on by people together, as far as was looked, and ``warned_at`` since when its builder
    knows that it is to leave its bay. ``taken_from`` is the status in which staff took it down, empty for one
    that they did not.
    """

    class Status(models.TextChoices):
        """How far it has come."""

        TESTING = "testing", _("Being tested")
        READY = "ready", _("With the design committee")
        LAUNCHED = "launched", _("In the fleet")
        CLOSED = "closed", _("Closed")
        IDLE = "idle", _("Left its bay")
        TAKEN_DOWN = "taken-down", _("Taken down")

    IN_BAY: Final = (Status.TESTING, Status.READY)

    starship = models.OneToOneField("Starship", on_delete=models.CASCADE, related_name="prototype")
    draft = models.ForeignKey(StarshipDraft, on_delete=models.SET_NULL, null=True, related_name="prototypes")
    draft_version = models.PositiveIntegerField()
    ruleset = models.CharField(max_length=40)
    players = models.PositiveSmallIntegerField()
    licence = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status, default=Status.TESTING)
    taken_from = models.CharField(max_length=10, choices=Status, blank=True, default="", db_default="")
    published_at = models.DateTimeField()
    used_at = models.DateTimeField()
    warned_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-published_at", "-pk"]
        indexes = [
            models.Index(
                fields=["used_at"], name="prototypes_in_bays", condition=Q(status__in=["testing", "ready"])
            )
        ]
        constraints = [
            models.CheckConstraint(name="prototype_counted_from_1", condition=Q(draft_version__gte=1)),
            models.CheckConstraint(
                name="prototype_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(
                name="prototype_in_its_bay_or_ended",
                condition=Q(status__in=["testing", "ready"], ended_at=None)
                | Q(status__in=["launched", "closed", "idle", "taken-down"], ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="prototype_taken_down_from_a_status",
                condition=Q(status="taken-down") & ~Q(taken_from__in=["", "taken-down"])
                | ~Q(status="taken-down") & Q(taken_from=""),
            ),
        ]

    def __str__(self) -> str:
        return f"prototype of starship {self.starship_id}"

    @property
    def is_in_bay(self) -> bool:
        """Whether people may try it."""
        return self.status in self.IN_BAY

    @property
    def leaves_at(self) -> datetime | None:
        """When it leaves its bay unless people play on it; None for one whose builder was not warned.

        While the design committee decides about a prototype, it stays.
        """
        if self.status != self.Status.TESTING or self.warned_at is None:
            return None
        return self.warned_at + WARNING
