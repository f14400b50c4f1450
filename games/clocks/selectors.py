"""Selectors of outages, and of people's quiet hours, days off and vacation."""

from datetime import date, datetime, time, timedelta
from typing import Final

from django.db.models import Model, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import zone_of
from games.clocks.clock import ALWAYS, DAY, Bank, Calendar, Pace, PerTurn, Span
from games.clocks.models import Heartbeat, Maintenance, Outage, Rest, Vacation, VacationDay

OUTAGE_REASON: Final = "outage"
"""The stored reason for a clock's pause during an outage."""

OUTAGE_AFTER: Final = timedelta(minutes=5)
"""The time without a sweep after which the service counts as down. Sweeps run at least every minute."""


def since_when(*, period: timedelta, now: datetime) -> datetime:
    """Return the instant one ``period`` before ``now``, not counting time in outages.

    Data from before this instant may be deleted, because people have had the whole period to come back.
    """
    at, left = now, period
    for outage in Outage.objects.filter(began_at__lt=now).order_by("-ended_at").iterator():
        end = min(outage.ended_at, at)
        if at - end >= left:
            break
        left -= at - end
        at = min(outage.began_at, at)
    return at - left


def outages_since(*, since: datetime, now: datetime) -> list[Span]:
    """Return the outages that ended after ``since``, and current outages.

    Maintenance counts as an outage from its start to ``now``.
    """
    outages = Outage.objects.filter(ended_at__gt=since).order_by("began_at")
    spans = [Span(outage.began_at, outage.ended_at) for outage in outages]
    unrecorded = Maintenance.objects.filter(recorded_at=None, until__gt=since, began_at__lt=now)
    spans += [Span(each.began_at, min(each.until, now)) for each in unrecorded.order_by("began_at")]
    last = Heartbeat.objects.filter(at__lt=now - OUTAGE_AFTER).values_list("at", flat=True).first()
    return spans if last is None else [*spans, Span(last, now)]


def rest_of(*, user: User) -> Rest:
    """Return a person's days off and quiet hours. If they have set none, return a new, unsaved row."""
    rest: Rest | None = getattr(user, "rest", None)
    return rest or Rest(user=user)


def calendar_of(*, user: User | None) -> Calendar:
    """Return the days off and quiet hours of a person's clocks. A computer (None) has none."""
    rest: Rest | None = getattr(user, "rest", None)
    if user is None or rest is None:
        return ALWAYS
    night = (rest.night_from, rest.night_until) if rest.night_from and rest.night_until else None
    if not (rest.days_off or night):
        return ALWAYS
    return Calendar(zone=zone_of(user.time_zone), days_off=frozenset(rest.days_off), night=night)


VACATION_REASON: Final = "vacation"
"""The stored reason for a clock's pause during a vacation day."""

DAYS_A_YEAR: Final = 28
"""The number of vacation days that each person has in a calendar year."""

UNPLANNED_DAYS_PER_WEEK: Final = 3
"""The maximum number of unplanned vacation days in any 7 days.

Games must not wait long for players who have stopped playing.
"""

ANNOUNCED_BEFORE: Final = timedelta(days=14)
"""How long before a planned vacation the person's games begin to show it."""

MIN_HOURS_FOR_VACATION: Final = 24
"""The minimum number of hours for a turn, or for a time bank, in games that allow vacation."""


def allows_vacation(pace: Pace) -> bool:
    """Return whether games with this pace allow vacation.

    >>> allows_vacation(PerTurn(24)), allows_vacation(PerTurn(12)), allows_vacation(Bank(72, 12))
    (True, False, True)
    """
    return isinstance(pace, PerTurn | Bank) and pace.hours >= MIN_HOURS_FOR_VACATION


def vacation_annotations(today: date, soon: date) -> dict[str, Subquery]:
    """Return query annotations for seats: the first and last day of the player's next planned vacation.

    Only vacations that end on ``today`` or later, and begin on ``soon`` or earlier, are included.
    """
    planned = Vacation.objects.filter(user=OuterRef("user"), last__gte=today, first__lte=soon)
    return {
        "away_from": Subquery(planned.order_by("first").values("first")[:1]),
        "away_until": Subquery(planned.order_by("first").values("last")[:1]),
    }


def announcement_dates() -> tuple[date, date]:
    """Return the arguments for `vacation_annotations`: today, and the day `ANNOUNCED_BEFORE` from today.

    Games show only vacations that begin on or before the second of these days.
    """
    now = timezone.now()
    return timezone.localdate(now), timezone.localdate(now + ANNOUNCED_BEFORE)


def vacation_of(seat: Model) -> tuple[date, date] | None:
    """Return the first and last day of a player's next vacation, or None if there is none.

    The seat must have the annotations of `vacation_annotations`.
    """
    first, last = getattr(seat, "away_from", None), getattr(seat, "away_until", None)
    return None if first is None or last is None else (first, last)


def span_of(day: VacationDay) -> Span:
    """Return the 24 hours during which a vacation day stops clocks."""
    return Span(day.began_at, day.began_at + DAY)


def on_vacation() -> Q:
    """Return the query condition for hands whose clocks have been stopped by a vacation day."""
    return Q(deadline__isnull=False, calendar__stops__contains=[{"reason": VACATION_REASON}])


def today_of(*, user: User, now: datetime) -> date:
    """Return today's date in a person's time zone."""
    return now.astimezone(zone_of(user.time_zone)).date()


def vacation_under_way(*, user: User, now: datetime) -> bool:
    """Return whether a person has spent a vacation day that is not over yet.

    The day ends at the first midnight, in the person's time zone, after its 24 hours. A planned vacation
    counts only once a day of it has been spent.
    """
    midnight = datetime.combine(today_of(user=user, now=now), time(), zone_of(user.time_zone))
    spent = VacationDay.objects.filter(user=user, began_at__gt=midnight - DAY, began_at__lte=now)
    return spent.exists()


def days_left(*, user: User, now: datetime) -> int:
    """Return how many vacation days a person has left in this calendar year, in their time zone."""
    zone = zone_of(user.time_zone)
    year = now.astimezone(zone).year
    begin, end = datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)
    spent = VacationDay.objects.filter(user=user, began_at__gte=begin, began_at__lt=end).count()
    return max(0, DAYS_A_YEAR - spent)


def days_taken_lately(*, user: User, now: datetime) -> int:
    """Return how many unplanned vacation days a person has spent in the last 7 days."""
    lately = VacationDay.objects.filter(user=user, planned=False, began_at__gt=now - timedelta(days=7))
    return lately.count()


def planned_on(*, user: User, now: datetime) -> bool:
    """Return whether a person has planned a vacation that includes today, in their time zone."""
    day = today_of(user=user, now=now)
    return Vacation.objects.filter(user=user, first__lte=day, last__gte=day).exists()


def vacations_of(*, user: User, now: datetime) -> QuerySet[Vacation]:
    """Return a query for a person's planned vacations that are not over."""
    return Vacation.objects.filter(user=user, last__gte=today_of(user=user, now=now))
