"""Read outages, quiet hours, and how much vacation people have."""

from datetime import date, datetime, time, timedelta
from typing import Final

from django.db.models import Model, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import zone_of
from games.clocks.clock import ALWAYS, DAY, Bank, Calendar, Pace, PerTurn, Span
from games.clocks.models import Heartbeat, Outage, Rest, Vacation, VacationDay

OUTAGE: Final = "outage"
"""The reason for which clocks stand still while the service is away."""

AWAY_AFTER: Final = timedelta(minutes=5)
"""How long no worker may sweep before the service counts as away; it does so every minute at least."""


def since_when(*, period: timedelta, now: datetime) -> datetime:
    """Return the instant after which the service was there for a period until now.

    What is older may be deleted: people had that much time to come back.
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
    """Return when the service was away after an instant, up to now if it still is."""
    outages = Outage.objects.filter(ended_at__gt=since).order_by("began_at")
    spans = [Span(outage.began_at, outage.ended_at) for outage in outages]
    last = Heartbeat.objects.filter(at__lt=now - AWAY_AFTER).values_list("at", flat=True).first()
    return spans if last is None else [*spans, Span(last, now)]


def rest_of(*, user: User) -> Rest:
    """Return a person's days off and quiet hours, none without a choice."""
    rest: Rest | None = getattr(user, "rest", None)
    return rest or Rest(user=user)


def calendar_of(*, user: User | None) -> Calendar:
    """Return what stops the clocks of a person each week and each night; nothing stops a computer's."""
    rest: Rest | None = getattr(user, "rest", None)
    if user is None or rest is None:
        return ALWAYS
    night = (rest.night_from, rest.night_until) if rest.night_from and rest.night_until else None
    if not (rest.days_off or night):
        return ALWAYS
    return Calendar(zone=zone_of(user.time_zone), days_off=frozenset(rest.days_off), night=night)


VACATION: Final = "vacation"
"""The reason for which the clocks of a person stand still who is on vacation."""

DAYS_A_YEAR: Final = 28
"""Days of vacation that everybody has in a calendar year."""

BY_ITSELF: Final = 3
"""Days in any seven that are taken without having been planned: no one waits for long for who has gone."""

SOON: Final = timedelta(days=14)
"""How long before a vacation all who play with its person get to see it."""

SHORTEST: Final = 24
"""Hours of the shortest turn, or of the smallest bank, for which there is vacation."""


def lets_vacation(pace: Pace) -> bool:
    """Return whether players of a game of that pace may go on vacation.

    >>> lets_vacation(PerTurn(24)), lets_vacation(PerTurn(12)), lets_vacation(Bank(72, 12))
    (True, False, True)
    """
    return isinstance(pace, PerTurn | Bank) and pace.hours >= SHORTEST


def announced(today: date, soon: date) -> dict[str, Subquery]:
    """Return annotations of seats: from when to when their person is, or will be ``soon``, on vacation."""
    planned = Vacation.objects.filter(user=OuterRef("user"), last__gte=today, first__lte=soon)
    return {
        "away_from": Subquery(planned.order_by("first").values("first")[:1]),
        "away_until": Subquery(planned.order_by("first").values("last")[:1]),
    }


def foreseeable() -> tuple[date, date]:
    """Return what day it is, and the last one on which a vacation begins that is `announced`."""
    now = timezone.now()
    return timezone.localdate(now), timezone.localdate(now + SOON)


def vacation_of(seat: Model) -> tuple[date, date] | None:
    """Return from when to when the person of a seat that was `announced` is on vacation, if that is soon."""
    first, last = getattr(seat, "away_from", None), getattr(seat, "away_until", None)
    return None if first is None or last is None else (first, last)


def span_of(day: VacationDay) -> Span:
    """Return from when to when a day of vacation stops its person's clocks."""
    return Span(day.began_at, day.began_at + DAY)


def on_vacation() -> Q:
    """Return the condition that a hand is waited for whose player has taken vacation since it was dealt."""
    return Q(deadline__isnull=False, calendar__stops__contains=[{"reason": VACATION}])


def today_of(*, user: User, now: datetime) -> date:
    """Return what day it is where someone lives."""
    return now.astimezone(zone_of(user.time_zone)).date()


def vacation_under_way(*, user: User, now: datetime) -> bool:
    """Return whether a day of vacation that a person has spent is under way, by their own calendar.

    It lasts until their midnight after its 24 hours. A vacation that is only planned does not count.
    """
    midnight = datetime.combine(today_of(user=user, now=now), time(), zone_of(user.time_zone))
    spent = VacationDay.objects.filter(user=user, began_at__gt=midnight - DAY, began_at__lte=now)
    return spent.exists()


def days_left(*, user: User, now: datetime) -> int:
    """Return how many days of vacation someone has left in the year that it is where they live."""
    zone = zone_of(user.time_zone)
    year = now.astimezone(zone).year
    begin, end = datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)
    spent = VacationDay.objects.filter(user=user, began_at__gte=begin, began_at__lt=end).count()
    return max(0, DAYS_A_YEAR - spent)


def days_taken_lately(*, user: User, now: datetime) -> int:
    """Return how many days without a plan someone has taken within the last seven."""
    lately = VacationDay.objects.filter(user=user, planned=False, began_at__gt=now - timedelta(days=7))
    return lately.count()


def planned_on(*, user: User, now: datetime) -> bool:
    """Return whether someone has planned to be on vacation on the day that it is where they live."""
    day = today_of(user=user, now=now)
    return Vacation.objects.filter(user=user, first__lte=day, last__gte=day).exists()


def vacations_of(*, user: User, now: datetime) -> QuerySet[Vacation]:
    """Return the vacations that someone has planned and that are not over."""
    return Vacation.objects.filter(user=user, last__gte=today_of(user=user, now=now))
