"""What staff should know without looking for it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Alarm(models.Model):
    """Something that does not go on, and that staff should look at: open until it does, kept after that.

    It is about one of three things, with one alarm for each. A ``turn`` was not played in time, though
    it could be, since ``due_at``. A ``job`` of the sweeper failed as a whole (``row`` is 0). Or one ``row``
    of a job was set aside, so that it holds up no other: ``kind`` is its model. ``game`` is the game that
    the turn or the row belongs to, if any. ``error`` says why, ``attempts`` how often it was tried, and the
    job tries the row again at ``retry_at``. A closed alarm opens again when the same thing fails again.
    """

    known_by = "turn__game_id"

    turn = models.OneToOneField("Turn", on_delete=models.CASCADE, null=True, related_name="alarm")
    job = models.CharField(_("job of the sweeper"), max_length=30, blank=True, default="", db_default="")
    kind = models.CharField(max_length=30, blank=True, default="", db_default="")
    row = models.PositiveBigIntegerField(default=0, db_default=0)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="+")
    error = models.TextField(blank=True, default="", db_default="")
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    due_at = models.DateTimeField()
    raised_at = models.DateTimeField()
    retry_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-raised_at", "-pk"]
        indexes = [
            models.Index(fields=["raised_at"], name="alarms_open", condition=Q(closed_at=None)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["job", "row"], name="alarm_once_a_row", condition=~Q(job="")),
            models.CheckConstraint(
                name="alarm_of_a_turn_or_a_job",
                condition=Q(turn__isnull=False, job="") | Q(turn=None) & ~Q(job=""),
            ),
        ]

    def __str__(self) -> str:
        return gettext("alarm {number}").format(number=self.pk)


def failing_jobs() -> list[str]:
    """Return the names of the sweeper's jobs that failed as a whole when they last ran."""
    failing = Alarm.objects.filter(closed_at=None, row=0).exclude(job="")
    return list(failing.order_by("job").values_list("job", flat=True))
