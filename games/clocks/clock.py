"""Arithmetic of clocks: when a clock with pauses runs out, and how much of its time is used.

The functions use no database, and get the present time as ``now``. All arguments are aware datetimes, and all
results are in UTC. A clock runs in real time, so a night when summer time begins is an hour shorter, and no
player loses that hour. If several reasons stop a clock at the same time, that time counts once. A pause never
gives back time that was already used.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

UTC_ZONE: Final = ZoneInfo("UTC")
MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
NO_TIME: Final = timedelta(0)

MAX_TIME_AHEAD: Final = timedelta(days=3650)
"""The maximum time from now to a deadline. No pace, pause or calendar can lead to a later one."""

MAX_TURN_HOURS: Final = 14 * 24
"""The maximum number of hours for a turn, for a time bank, and for its increment: 14 days."""

MAX_LIVE_MINUTES: Final = 59
"""The maximum number of minutes for a turn of a live game. Longer paces are given in hours."""

MIN_DAILY_HOURS: Final = 24
"""The minimum number of hours for a turn that ends at a fixed time of day."""

MAX_DAYS_OFF: Final = 3
"""The maximum number of days off in a week. With 3, the other days always include two in a row."""

MAX_NIGHT: Final = 12 * HOUR
"""The maximum length of quiet hours."""

OVERNIGHT: Final = 18 * HOUR
"""The length of a pause that separates quiet hours, which are shorter, from days off, which are longer.

It lies between `MAX_NIGHT` and one day, and leaves room for a change to or from summer time.
"""


@dataclass(frozen=True, slots=True)
class Daily:
    """A time of day in a time zone, to the minute."""

    at: time
    zone: ZoneInfo


@dataclass(frozen=True, slots=True)
class PerTurn:
    """A pace that gives a number of hours for each turn.

    With ``daily``, turns end at a fixed time of day (`deadline`).
    """

    hours: int
    daily: Daily | None = None


@dataclass(frozen=True, slots=True)
class Live:
    """A pace that gives minutes for each turn.

    Days off and quiet hours do not stop the clocks of live games.
    """

    minutes: int


@dataclass(frozen=True, slots=True)
class Bank:
    """A pace with a time bank of ``hours`` for each player. Each turn adds ``increment`` hours to the bank.

    The bank never holds more than ``hours``.
    """

    hours: int
    increment: int


Pace = PerTurn | Live | Bank | None
"""The pace of a game: how much time players have for each turn. None means that there is no time limit."""


class Span(NamedTuple):
    """A period of time from ``start`` until just before ``end``."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Calendar:
    """The times when a player's clock is stopped.

    ``days_off`` are days of the week, from 0 for Monday. Each is from midnight to midnight in ``zone``.
    ``night`` is the start and end of quiet hours in ``zone``. ``pauses`` are single periods: vacation days,
    pauses of the game, and outages. Raises ValueError for too many days off or too long a night.
    """

    zone: tzinfo = UTC_ZONE
    days_off: frozenset[int] = frozenset()
    night: tuple[time, time] | None = None
    pauses: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if not self.days_off <= set(range(7)) or len(self.days_off) > MAX_DAYS_OFF:
            raise ValueError(_("You can have up to {number} days off a week.").format(number=MAX_DAYS_OFF))
        if self.night and not NO_TIME < length_of_night(*self.night) <= MAX_NIGHT:
            raise ValueError(_("Quiet hours can last up to {number} hours.").format(number=MAX_NIGHT // HOUR))

    def paused(self, *pauses: Span) -> "Calendar":
        """Return a copy of the calendar with these single pauses added."""
        return replace(self, pauses=(*self.pauses, *pauses))


ALWAYS: Final = Calendar()
"""The calendar of a clock without pauses."""


class Stop(NamedTuple):
    """A single pause of a clock. ``before`` is the deadline that the clock would have without the pause."""

    pause: Span
    reason: str
    before: datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """A player's clock for a turn: its start, its deadline ``until``, and its pauses.

    The ``calendar`` stops the clock at the same times each week. ``stops`` are single pauses, first added
    first. If pauses overlap, the time counts once.
    """

    start: datetime
    until: datetime
    calendar: Calendar = ALWAYS
    stops: tuple[Stop, ...] = ()

    @property
    def whole(self) -> Calendar:
        """The calendar of the clock, with its single pauses added."""
        return self.calendar.paused(*(stop.pause for stop in self.stops))

    def stopped(self, pause: Span, reason: str) -> "Clock":
        """Return the clock with one more pause.

        If the clock already has a pause with this reason and start, the new pause replaces it, and may be
        longer or shorter. The clock then runs as if the new length had been known from the start.
        """
        known = [stop.reason == reason and stop.pause.start == pause.start for stop in self.stops]
        if True not in known:
            return self._with_pause(pause, reason)
        place = known.index(True)
        clock = replace(self, until=self.stops[place].before, stops=self.stops[:place])
        clock = clock._with_pause(pause, reason)
        for stop in self.stops[place + 1 :]:
            clock = clock._with_pause(stop.pause, stop.reason)
        return clock

    def extended(self, more: timedelta) -> "Clock":
        """Return the clock with a later deadline. The extra time remains even if pauses change later."""
        stops = tuple(stop._replace(before=stop.before + more) for stop in self.stops)
        return replace(self, until=self.until + more, stops=stops)

    def _with_pause(self, pause: Span, reason: str) -> "Clock":
        if pause.end <= max(pause.start, self.start):
            return self
        until = delayed_deadline(self.start, self.until, calendar=self.whole, pause=pause)
        return replace(self, until=until, stops=(*self.stops, Stop(pause, reason, self.until)))


def length_of_night(start: time, end: time) -> timedelta:
    """Return the time from one time of day to the other, ignoring changes to and from summer time."""
    day = date(2000, 1, 1)
    passed = datetime.combine(day, end, UTC) - datetime.combine(day, start, UTC)
    return passed if passed >= NO_TIME else passed + DAY


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return periods of time in order, without empty ones. Merge periods that touch or overlap."""
    found: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def stops(calendar: Calendar, start: datetime, end: datetime) -> list[Span]:
    """Return the pauses that a player's calendar has between two instants, in order and without overlaps."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    clipped = (Span(max(a, start), min(b, end)) for a, b in _spans(calendar, start, end))
    return merged(clipped)


def used(calendar: Calendar, start: datetime, now: datetime) -> timedelta:
    """Return how long a player's clock has run from ``start`` to ``now``, or zero if ``now`` is earlier."""
    start, now = start.astimezone(UTC), now.astimezone(UTC)
    still = sum((span.end - span.start for span in stops(calendar, start, now)), NO_TIME)
    return max(now - start - still, NO_TIME)


def left(calendar: Calendar, start: datetime, amount: timedelta, now: datetime) -> timedelta:
    """Return how much of an ``amount`` of time is left at ``now``, on a clock that started at ``start``."""
    return max(amount - used(calendar, start, now), NO_TIME)


def runs_out(calendar: Calendar, start: datetime, amount: timedelta) -> datetime:
    """Return the first instant at which a clock has run for an ``amount`` of time since ``start``."""
    at, remaining = start.astimezone(UTC), max(amount, NO_TIME)
    while remaining:
        stretch = min(remaining, DAY)
        stop = next(iter(stops(calendar, at, at + stretch)), None)
        if stop is not None:
            stretch = stop.start - at
        at, remaining = at + stretch, remaining - stretch
        if stop is not None and remaining:
            at = _end_of(calendar, at)
    return at


def deadline(
    pace: Pace,
    start: datetime,
    *,
    bank: timedelta = NO_TIME,
    calendar: Calendar = ALWAYS,
    short: bool = False,
) -> datetime | None:
    """Return the deadline of a turn that starts at ``start``, or None if the pace has no limit.

    A daily deadline comes after at least half of the turn's hours have run on the player's clock. If it falls
    in quiet hours, it moves to their end. If it falls in a longer pause, it moves to the first daily deadline
    after the pause. ``bank`` is the time in the player's time bank before the turn.

    A ``short`` clock runs for half the time in which it would usually run, but for at least a minute. With a
    time bank, only the increment is halved, because the player has earned the time in the bank.
    """
    if short and not isinstance(pace, Bank):
        until = deadline(pace, start, calendar=calendar)
        return until and runs_out(calendar, start, max(used(calendar, start, until) / 2, MINUTE))
    match pace:
        case None:
            return None
        case Live(minutes=minutes):
            return runs_out(calendar, start, minutes * MINUTE)
        case Bank():
            return runs_out(calendar, start, bank + _increment(pace, short=short))
        case PerTurn(daily=None):
            return runs_out(calendar, start, pace.hours * HOUR)
        case PerTurn(daily=daily):
            assert daily is not None
            return _by_day(daily, runs_out(calendar, start, pace.hours * HOUR / 2), calendar)


def start_clock(
    pace: Pace,
    start: datetime,
    *,
    bank: timedelta = NO_TIME,
    calendar: Calendar = ALWAYS,
    pauses: Iterable[tuple[Span, str]] = (),
    short: bool = False,
) -> Clock | None:
    """Return the clock of a turn that starts at ``start``, or None if the pace has no limit.

    ``pauses`` are single pauses that are already known, each with its reason. They delay the deadline. A
    ``short`` clock gives half the time (`deadline`).
    """
    stops: tuple[Stop, ...] = ()
    known = calendar
    until = deadline(pace, start, bank=bank, calendar=known, short=short)
    if until is None:
        return None
    for pause, reason in pauses:
        if pause.end > max(pause.start, start):
            stops += (Stop(pause, reason, until),)
            known = known.paused(pause)
            until = deadline(pace, start, bank=bank, calendar=known, short=short) or until
    return Clock(start.astimezone(UTC), until, calendar, stops)


def delayed_deadline(
    start: datetime, until: datetime, *, calendar: Calendar = ALWAYS, pause: Span
) -> datetime:
    """Return the new deadline of a turn if a further ``pause`` stops its clock.

    ``until`` is the deadline so far. Time when the calendar stops the clock anyway does not count twice, and
    the deadline never becomes earlier. If the deadline falls in the pause or at its start, it moves to the
    end of the pause, because time cannot run out while a clock is stopped.
    """
    with_it = calendar.paused(pause)
    later = max(until.astimezone(UTC), runs_out(with_it, start, used(calendar, start, until)))
    return _end_of(with_it, later) if pause.start <= later < pause.end else later


def bank_after(pace: Bank, bank: timedelta, spent: timedelta, *, short: bool = False) -> timedelta:
    """Return the time left in a player's time bank after a turn, given the time ``spent`` on that turn."""
    return min(max(bank + _increment(pace, short=short) - spent, NO_TIME), pace.hours * HOUR)


def _increment(pace: Bank, *, short: bool) -> timedelta:
    return pace.increment * HOUR / (2 if short else 1)


def _by_day(daily: Daily, earliest: datetime, calendar: Calendar) -> datetime:
    at = _next(daily, earliest)
    while (end := _end_of(calendar, at)) > at:
        if end - _start_of(calendar, at) < OVERNIGHT:
            return end
        at = _next(daily, end)
    return at


def _next(daily: Daily, earliest: datetime) -> datetime:
    """Return the first instant at or after ``earliest`` with the time of day of ``daily``."""
    day = earliest.astimezone(daily.zone).date() - DAY
    while (at := _instant(day, daily.at, daily.zone)) < earliest:
        day += DAY
    return at


def _end_of(calendar: Calendar, at: datetime) -> datetime:
    """Return the end of the pause that includes ``at``, or ``at`` itself if there is none.

    Pauses that touch or overlap count as one.
    """
    while span := next((span for span in _spans(calendar, at, at) if span.start <= at < span.end), None):
        at = span.end
    return at


def _start_of(calendar: Calendar, at: datetime) -> datetime:
    """Return the start of the pause that includes ``at`` or ends at it, or ``at`` itself if there is none.

    Pauses that touch or overlap count as one.
    """
    while span := next((span for span in _spans(calendar, at, at) if span.start < at <= span.end), None):
        at = span.start
    return at


def _spans(calendar: Calendar, start: datetime, end: datetime) -> Iterator[Span]:
    """Yield all pauses of a player's calendar that touch the time between two instants.

    The pauses are not in order, may overlap, and may include some from the days before and after.
    """
    for pause in calendar.pauses:
        span = Span(pause.start.astimezone(UTC), pause.end.astimezone(UTC))
        if span.start <= end and span.end >= start:
            yield span
    if not (calendar.days_off or calendar.night):
        return
    day = start.astimezone(calendar.zone).date() - DAY
    last = end.astimezone(calendar.zone).date() + DAY
    while day <= last:
        yield from _spans_of(calendar, day)
        day += DAY


def _spans_of(calendar: Calendar, day: date) -> Iterator[Span]:
    """Yield the pauses of a player's calendar that begin on one day: a day off, quiet hours, or both."""
    if day.weekday() in calendar.days_off:
        midnight = time()
        yield Span(_instant(day, midnight, calendar.zone), _instant(day + DAY, midnight, calendar.zone))
    if calendar.night:
        dusk, dawn = calendar.night
        morning = day if dawn > dusk else day + DAY
        yield Span(_instant(day, dusk, calendar.zone), _instant(morning, dawn, calendar.zone))


def _instant(day: date, at: time, zone: tzinfo) -> datetime:
    """Return the UTC instant of a local time.

    If the local time occurs twice, because summer time ends, return the first instant. If the local time is
    skipped, because summer time begins, return the instant of the local time one hour later.
    """
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)
