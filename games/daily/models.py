"""The tables of the daily run: the days, and the players' results."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.errors import has_format

DAILY_FORMAT: Final = "daily/1"


class DailyRun(models.Model):
    """The daily run of one date. A row never changes, so a new release changes no known day."""

    date = models.DateField(primary_key=True)
    document = models.JSONField(help_text=_("Board, robots, hands, task and proof, as a daily/1 document."))

    class Meta:
        ordering = ["-date"]
        constraints = [
            models.CheckConstraint(
                name="daily_run_has_its_format", condition=has_format("document", DAILY_FORMAT)
            )
        ]

    def __str__(self) -> str:
        return f"daily run of {self.date:%Y-%m-%d}"


class DailyResult(models.Model):
    """A player's tries at one daily run.

    ``programs`` are the programs of the current try: a list of chips for each turn so far. ``first_programs``
    and ``first_score`` are of the first finished try, which counts if it was finished on its day
    (``counts``). A score is None if the try failed. ``tries`` is the number of finished tries.
    """

    run = models.ForeignKey(DailyRun, on_delete=models.CASCADE, related_name="results")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    began_at = models.DateTimeField()
    programs = models.JSONField(default=list)
    tries = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField(null=True)
    first_programs = models.JSONField(null=True)
    first_score = models.SmallIntegerField(null=True)
    best_programs = models.JSONField(null=True)
    best_score = models.SmallIntegerField(null=True)
    counts = models.BooleanField(default=False)

    class Meta:
        ordering = ["-run_id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "user"], name="daily_result_once"),
            models.CheckConstraint(
                name="daily_result_first_when_tried",
                condition=Q(tries=0, first_at=None, counts=False) | Q(tries__gt=0, first_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["run", "first_score"], name="daily_table", condition=Q(counts=True)),
            models.Index(fields=["user", "-run"], name="daily_streak", condition=Q(counts=True)),
        ]

    def __str__(self) -> str:
        return f"result {self.pk} of {self.run_id}"
