"""The tables of this room."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class Season(models.Model):
    """A season of a ruleset: a quarter of a year, from ``starts_at`` to ``ends_at``."""

    class Status(models.TextChoices):
        """How far it has come."""

        OPEN = "open", _("Open to join")
        RUNNING = "running", _("Being played")
        FINISHED = "finished", _("Over")

    ruleset = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    players = models.PositiveIntegerField(default=0, db_default=0, help_text=_("How many have joined it."))

    class Meta:
        ordering = ["-starts_at", "ruleset"]
        indexes = [
            models.Index(fields=["starts_at"], name="seasons_going_on", condition=~Q(status="finished"))
        ]
        constraints = [models.UniqueConstraint(fields=["ruleset", "starts_at"], name="season_once")]

    def __str__(self) -> str:
        return f"{self.ruleset} from {self.starts_at:%Y-%m}"

    def get_absolute_url(self) -> str:
        """Return the path of its page."""
        return reverse("seasons:season", args=[self.pk])


class SeasonEntry(models.Model):
    """A player wants to play a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="season_entries")
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["season", "joined_at", "pk"]
        indexes = [models.Index(fields=["season", "-joined_at", "-id"], name="season_entries_latest")]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="season_entry_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in season {self.season_id}"


class Division(models.Model):
    """A division of a season, played as a league; the first is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField()
    tournament = models.OneToOneField("Tournament", on_delete=models.PROTECT, related_name="division")

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="division_once")]

    def __str__(self) -> str:
        return f"division {self.number} of season {self.season_id}"
