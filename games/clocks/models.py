"""Models of time: outages, maintenance, and people's days off, quiet hours and vacations."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.clocks.clock import MAX_DAYS_OFF


class Outage(models.Model):
    """A time when the sweeper (periodic work) did not run, so that no turn was played.

    The length of the outage is added to all running clocks. ``settled_at`` is the time when this was done
    for all of them, or None before that.
    """

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-began_at"]
        indexes = [models.Index(fields=["ended_at"], name="outages_by_end")]
        constraints = [models.CheckConstraint(name="outage_lasts", condition=Q(ended_at__gt=F("began_at")))]

    def __str__(self) -> str:
        return f"outage from {self.began_at.isoformat()} to {self.ended_at.isoformat()}"


class Maintenance(models.Model):
    """A time for work on the site, from ``began_at`` until just before ``until``.

    Players see a page with its end, and all clocks stop. Afterwards, the sweeper records the time as an
    `Outage` at ``recorded_at``.
    """

    began_at = models.DateTimeField(unique=True)
    until = models.DateTimeField()
    recorded_at = models.DateTimeField(_("clocks extended at"), null=True, editable=False)

    class Meta:
        verbose_name = verbose_name_plural = _("maintenance")
        ordering = ["-began_at"]
        indexes = [models.Index(fields=["until"], name="maintenance_by_end")]
        constraints = [models.CheckConstraint(name="maintenance_lasts", condition=Q(until__gt=F("began_at")))]

    def __str__(self) -> str:
        return f"maintenance from {self.began_at.isoformat()} to {self.until.isoformat()}"


class Heartbeat(models.Model):
    """The time when the sweeper (periodic work) last ran.

    A recent time shows that workers are alive. The table has one row.
    """

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="heartbeat_alone", condition=Q(pk=1))]

    def __str__(self) -> str:
        return self.at.isoformat()


class Boot(models.Model):
    """A start of a machine that runs a worker.

    Its ID comes from the kernel. ``booted_at`` is the time of the start, according to the machine's clock
    at its last sweep. ``uptime`` is the time from the start to that sweep.
    """

    id = models.UUIDField(primary_key=True)
    booted_at = models.DateTimeField()
    uptime = models.DurationField()

    def __str__(self) -> str:
        return f"{self.id} at {self.booted_at.isoformat()}"


WEEKDAYS = tuple(range(7))


class Rest(models.Model):
    """A person's weekly days off and quiet hours, in their time zone.

    A person without a row has no days off or quiet hours. Each hand stores the days off and quiet hours
    that applied when it was dealt (`Hand.calendar`).
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="rest")
    days_off = ArrayField(
        models.PositiveSmallIntegerField(),
        size=MAX_DAYS_OFF,
        default=list,
        blank=True,
        help_text=_("Days of the week, from 0 for Monday to 6."),
    )
    night_from = models.TimeField(null=True, blank=True)
    night_until = models.TimeField(null=True, blank=True)
    takes_vacation = models.BooleanField(
        default=False, db_default=False, help_text=_("Takes unplanned days of vacation.")
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rest_on_days_of_the_week",
                condition=Q(days_off__contained_by=list(WEEKDAYS), days_off__len__lte=MAX_DAYS_OFF),
            ),
            models.CheckConstraint(
                name="rest_of_a_night_that_begins_and_ends",
                condition=Q(night_from=None, night_until=None)
                | Q(night_from__isnull=False, night_until__isnull=False) & ~Q(night_from=F("night_until")),
            ),
        ]

    def __str__(self) -> str:
        return f"rest of {self.user_id}"


class Vacation(models.Model):
    """A person's planned vacation, from ``first`` to ``last`` inclusive, in their time zone.

    It does not itself stop clocks. When the person would miss a deadline during the vacation, a `VacationDay`
    stops their clock.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="vacations")
    first = models.DateField()
    last = models.DateField()
    planned_at = models.DateTimeField()

    class Meta:
        ordering = ["first", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "first"], name="vacation_begins_once"),
            models.CheckConstraint(name="vacation_lasts", condition=Q(last__gte=F("first"))),
        ]

    def __str__(self) -> str:
        return f"vacation of {self.user_id} from {self.first} to {self.last}"


class VacationDay(models.Model):
    """24 hours during which a person's clocks are stopped, from the moment when their time ran out.

    It counts towards the person's vacation days of the year. If ``planned``, the day was part of a planned
    `Vacation`. Otherwise it was spent automatically.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="vacation_days")
    began_at = models.DateTimeField()
    planned = models.BooleanField()

    class Meta:
        ordering = ["began_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["user", "began_at"], name="vacation_day_spent_once")]

    def __str__(self) -> str:
        return f"day of vacation of {self.user_id} at {self.began_at.isoformat()}"
