"""The table of past backups and restore drills."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

MAX_FILE_NAME: Final = 200


class BackupRun(models.Model):
    """A backup or a restore drill that has ended, well or badly.

    A run that was killed has no row, so judge a site by the age of its last good run. ``file`` is the name of
    the backup without its directory, and ``size`` is its size in bytes. ``copied`` says whether the file is
    also stored off site. ``report`` says what was done and checked, and ``error`` what went wrong.
    """

    class Kind(models.TextChoices):
        BACKUP = "backup", _("backup")
        DRILL = "drill", _("restore drill")

    kind = models.CharField(max_length=10, choices=Kind)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    ok = models.BooleanField()
    file = models.CharField(max_length=MAX_FILE_NAME, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    copied = models.BooleanField(default=False)
    report = models.TextField(blank=True)
    error = models.TextField(blank=True)

    class Meta:
        verbose_name = _("backup or drill")
        verbose_name_plural = _("backups and drills")
        ordering = ["-ended_at", "-pk"]
        indexes = [models.Index(fields=["kind", "ended_at"], name="backup_runs_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.started_at:%Y-%m-%d %H:%M}"
