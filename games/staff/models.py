"""Models of staff actions on games, backups and restore drills, incidents, and errors in the code."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MAX_FILE_NAME: Final = 200
MAX_REASON_LENGTH: Final = 300


class BackupRun(models.Model):
    """A backup or a restore drill that has ended, well or badly.

    A run that was killed has no row, so judge a site by the age of its last good run. ``file`` is the name of
    the backup without its directory, and ``size`` is its size in bytes. ``copied`` says whether the file is
    also stored off site. ``report`` lists the steps and checks, and ``error`` has the reason for a failure.
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


class Incident(models.Model):
    """A trouble of the site, from its beginning to its end, with the messages to the operator.

    ``key`` names the part that fails, such as ``redis`` or ``alarm:17``. ``advice`` is the next step, and
    ``path`` is a page with more. ``sent_at`` is the time of the last message about it, and ``messages`` is
    their number. ``gone_at`` is the time since which it is no longer seen. After a while without it, it ends.
    """

    key = models.CharField(max_length=60)
    subject = models.CharField(max_length=200)
    detail = models.TextField(blank=True)
    advice = models.TextField(blank=True)
    path = models.CharField(max_length=200, blank=True)
    opened_at = models.DateTimeField(_("since"))
    gone_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(_("last message"), null=True)
    messages = models.PositiveIntegerField(_("messages sent"), default=0)
    ended_at = models.DateTimeField(_("until"), null=True)

    class Meta:
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        ordering = ["-opened_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="incident_open_once", condition=Q(ended_at=None))
        ]

    def __str__(self) -> str:
        return self.subject


class Watcher(models.Model):
    """The process that watches the site: one row, held by one process until its lease ends.

    ``looked_at`` is the time when a process last looked at the site.
    """

    holder = models.UUIDField()
    lease_until = models.DateTimeField()
    looked_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="watcher_alone", condition=Q(pk=1))]

    def __str__(self) -> str:
        return f"watcher, looked at {self.looked_at.isoformat()}"


class ErrorGroup(models.Model):
    """The errors of one type at one place of the code.

    ``place`` is the innermost function of this site in the traceback. ``count``, ``first_at`` and ``last_at``
    are of all these errors, the rest is of the latest one. ``origin`` is its view or task, and ``request`` is
    the ID of its request in the log.
    """

    fingerprint = models.CharField(max_length=64, unique=True)
    kind = models.CharField(_("error"), max_length=200)
    place = models.CharField(_("place"), max_length=200)
    message = models.CharField(_("message"), max_length=500, blank=True)
    traceback = models.TextField(_("traceback"), blank=True)
    origin = models.CharField(_("view or task"), max_length=100, blank=True)
    request = models.CharField(max_length=64, blank=True)
    release = models.CharField(_("release"), max_length=200, blank=True)
    count = models.PositiveBigIntegerField(_("count"))
    first_at = models.DateTimeField(_("first"))
    last_at = models.DateTimeField(_("last"))

    class Meta:
        verbose_name = _("error")
        verbose_name_plural = _("errors")
        ordering = ["-last_at", "-pk"]
        indexes = [models.Index(fields=["last_at"], name="errors_by_time")]

    def __str__(self) -> str:
        return f"{self.kind} in {self.place}"


class Intervention(models.Model):
    """A staff action on a game. All viewers of the game see it and its reason.

    It is never deleted. ``turn`` is the turn under way at the time, or None before the start. ``hours`` is
    the number of hours added to deadlines. ``seat`` is the seat of a replaced player. Only staff see ``by``,
    the person who acted.
    """

    class Action(models.TextChoices):
        RESOLVE = "resolve", _("Ran a turn again")
        EXTEND = "extend", _("Extended deadlines")
        REPLACE = "replace", _("Replaced a player")
        CANCEL = "cancel", _("Cancelled the game")

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="interventions")
    by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    action = models.CharField(max_length=10, choices=Action)
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    turn = models.PositiveIntegerField(_("turn number"), null=True)
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
