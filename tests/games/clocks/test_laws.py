"""Properties of a player's clock that hold for every calendar."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st

from games.clocks import clock
from games.clocks.clock import DAY, HOUR, NO_TIME, Bank, Calendar, Daily, Live, PerTurn, Span

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",  # summer time begins and ends at midnight
    "Africa/Cairo",
    "Australia/Lord_Howe",  # by half an hour
    "Asia/Kolkata",
    "America/St_Johns",
    "Pacific/Chatham",
)
YEAR = datetime(2026, 1, 1, tzinfo=UTC)

minutes = st.integers(0, 24 * 60 - 1).map(lambda minute: time(minute // 60, minute % 60))
instants = st.integers(0, 2 * 365 * 24 * 60).map(lambda minute: YEAR + timedelta(minutes=minute))
amounts = st.integers(0, 15 * 24 * 60).map(lambda minute: timedelta(minutes=minute))
paces = st.one_of(
    st.builds(PerTurn, st.integers(1, clock.MAX_TURN_HOURS)),
    st.builds(
        PerTurn,
        st.integers(clock.MIN_DAILY_HOURS, clock.MAX_TURN_HOURS),
        st.builds(Daily, minutes, st.sampled_from(ZONES).map(ZoneInfo)),
    ),
    st.builds(Live, st.integers(1, clock.MAX_LIVE_MINUTES)),
    st.builds(Bank, st.integers(1, clock.MAX_TURN_HOURS), st.integers(1, 48)),
)
in_any_calendar = settings(max_examples=100, deadline=None)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Draw a span of up to a month."""
    start = draw(instants)
    return Span(start, start + draw(amounts) * 2)


starting_apart = st.lists(spans(), max_size=3, unique_by=lambda span: span.start)
"""Pauses that all start at different times.

Two pauses with the same reason and start would replace each other.
"""


@st.composite
def nights(draw: st.DrawFn) -> tuple[time, time]:
    dusk, minute = draw(minutes), draw(st.integers(1, 12 * 60))
    dawn = datetime.combine(date(2026, 1, 1), dusk) + timedelta(minutes=minute)
    return dusk, dawn.time()


calendars = st.builds(
    Calendar,
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    days_off=st.frozensets(st.integers(0, 6), max_size=clock.MAX_DAYS_OFF),
    night=st.none() | nights(),
    pauses=st.lists(spans(), max_size=4).map(tuple),
)


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts)
def test_a_clock_that_runs_out_has_used_all_its_time(
    calendar: Calendar, start: datetime, amount: timedelta
) -> None:
    end = clock.runs_out(calendar, start, amount)
    assert end >= start + amount
    assert clock.used(calendar, start, end) == amount
    assert clock.left(calendar, start, amount, end) == NO_TIME


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, early=amounts)
def test_a_clock_that_has_not_run_out_has_time_left(
    calendar: Calendar, start: datetime, amount: timedelta, early: timedelta
) -> None:
    end = clock.runs_out(calendar, start, amount)
    before = end - early - timedelta(microseconds=1)
    if amount and before >= start:
        assert clock.left(calendar, start, amount, before) > NO_TIME


@in_any_calendar
@given(calendar=calendars, start=instants, first=amounts, second=amounts)
def test_consecutive_spans_add_up(
    calendar: Calendar, start: datetime, first: timedelta, second: timedelta
) -> None:
    middle, end = start + first, start + first + second
    whole = clock.used(calendar, start, end)
    assert whole == clock.used(calendar, start, middle) + clock.used(calendar, middle, end)
    assert clock.runs_out(calendar, start, first + second) == clock.runs_out(
        calendar, clock.runs_out(calendar, start, first), second
    )


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, wait=amounts)
def test_used_time_never_comes_back(
    calendar: Calendar, start: datetime, amount: timedelta, wait: timedelta
) -> None:
    before = NO_TIME
    for step in range(1, 6):
        now = start + wait * step / 5
        spent = clock.used(calendar, start, now)
        assert NO_TIME <= spent - before <= wait / 5 + timedelta(microseconds=2)
        before = spent
    assert clock.left(calendar, start, amount, start + wait) <= amount


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, pause=spans())
def test_a_pause_stops_only_time_that_was_running(
    calendar: Calendar, start: datetime, amount: timedelta, pause: Span
) -> None:
    now = start + amount
    paused = calendar.paused(pause)
    inside = (max(start, pause.start), min(now, pause.end))
    gained = clock.used(calendar, *inside) if inside[0] < inside[1] else NO_TIME
    assert clock.used(paused, start, now) == clock.used(calendar, start, now) - gained


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, pause=spans())
def test_overlapping_pauses_count_once(
    calendar: Calendar, start: datetime, amount: timedelta, pause: Span
) -> None:
    once = calendar.paused(pause)
    halves = calendar.paused(
        Span(pause.start, pause.start + (pause.end - pause.start) / 2), pause, Span(pause.start, pause.end)
    )
    assert clock.runs_out(once, start, amount) == clock.runs_out(halves, start, amount)


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, wait=amounts, bank=amounts)
def test_deadlines_are_never_before_the_turn_starts_and_move_with_it(
    pace: clock.Pace, calendar: Calendar, start: datetime, wait: timedelta, bank: timedelta
) -> None:
    first = clock.deadline(pace, start, bank=bank, calendar=calendar)
    second = clock.deadline(pace, start + wait, bank=bank, calendar=calendar)
    assert first and second
    assert start <= first <= second


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, bank=amounts)
def test_a_calendar_makes_no_deadline_earlier(
    pace: clock.Pace, calendar: Calendar, start: datetime, bank: timedelta
) -> None:
    plain = clock.deadline(pace, start, bank=bank)
    assert plain
    assert (clock.deadline(pace, start, bank=bank, calendar=calendar) or plain) >= plain


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, pause=spans())
def test_a_pause_delays_a_deadline_by_at_most_its_running_time(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span
) -> None:
    until = clock.deadline(pace, start, calendar=calendar)
    assert until
    later = clock.delayed_deadline(start, until, calendar=calendar, pause=pause)
    paused = calendar.paused(pause)
    assert later >= until
    assert clock.used(paused, start, later) <= clock.used(calendar, start, until)
    assert clock.delayed_deadline(start, later, calendar=paused, pause=pause) == later
    if pause.start > until or pause.end <= start:
        assert later == until


@in_any_calendar
@given(
    start=instants,
    hours=st.integers(clock.MIN_DAILY_HOURS, clock.MAX_TURN_HOURS),
    at=minutes,
    zone=st.sampled_from(ZONES),
)
def test_a_time_of_day_is_the_first_one_after_half_the_hours(
    start: datetime, hours: int, at: time, zone: str
) -> None:
    end = clock.deadline(PerTurn(hours, Daily(at, ZoneInfo(zone))), start)
    assert end
    half = hours * HOUR / 2
    assert half <= end - start < half + DAY + HOUR + timedelta(minutes=30)
    local = end.astimezone(ZoneInfo(zone))
    assert end == datetime.combine(local.date(), at, tzinfo=ZoneInfo(zone)).astimezone(UTC)


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, pauses=starting_apart, bank=amounts)
def test_later_pauses_never_refill_a_clock_or_count_twice(
    pace: clock.Pace, calendar: Calendar, start: datetime, pauses: list[Span], bank: timedelta
) -> None:
    run = begun = clock.start_clock(pace, start, bank=bank, calendar=calendar)
    assert run and begun
    for pause in pauses:
        later = run.stopped(pause, "pause")
        assert later.until >= run.until
        assert clock.used(later.whole, start, later.until) <= clock.used(run.whole, start, run.until)
        assert later.stopped(pause, "pause") == later, "told twice, it counts once"
        assert later.stopped(pause, "outage").until == later.until, "for another reason as well"
        run = later
    still = clock.stops(run.whole, start, run.until)
    assert all(first.end < second.start for first, second in pairwise(still))
    assert clock.used(begun.calendar, start, begun.until) >= clock.used(run.whole, start, run.until)


@in_any_calendar
@given(
    pace=paces, calendar=calendars, start=instants, pause=spans(), other=spans(), share=st.integers(0, 100)
)
def test_a_pause_that_ends_early_counts_its_real_length(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span, other: Span, share: int
) -> None:
    begun = clock.start_clock(pace, start, bank=HOUR, calendar=calendar)
    assert begun
    shorter = Span(pause.start, pause.start + (pause.end - pause.start) * share / 100)
    whole = begun.stopped(pause, "pause").stopped(other, "outage")
    resumed = whole.stopped(shorter, "pause")
    assert resumed == begun.stopped(shorter, "pause").stopped(other, "outage")
    assert begun.until <= resumed.until <= whole.until
    assert resumed.stopped(pause, "pause").until == whole.until, "and may last longer again"
    assert whole.stopped(Span(pause.start, pause.start), "pause") == begun.stopped(other, "outage")


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, pause=spans(), share=st.integers(0, 100))
def test_a_pause_known_at_the_start_can_be_shortened_too(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span, share: int
) -> None:
    known = clock.start_clock(pace, start, bank=HOUR, calendar=calendar, pauses=[(pause, "pause")])
    plain = clock.start_clock(pace, start, bank=HOUR, calendar=calendar)
    assert known and plain
    assert known.until == clock.deadline(pace, start, bank=HOUR, calendar=calendar.paused(pause))
    shorter = Span(pause.start, pause.start + (pause.end - pause.start) * share / 100)
    assert known.stopped(shorter, "pause") == plain.stopped(shorter, "pause")


@in_any_calendar
@given(
    hours=st.integers(1, clock.MAX_TURN_HOURS),
    start=instants,
    more=amounts,
    pause=spans(),
    share=st.integers(0, 100),
)
def test_extra_time_remains_when_a_pause_ends_early(
    hours: int, start: datetime, more: timedelta, pause: Span, share: int
) -> None:
    begun = clock.start_clock(PerTurn(hours), start)
    assert begun
    shorter = Span(pause.start, pause.start + (pause.end - pause.start) * share / 100)
    given = begun.stopped(pause, "pause").extended(more)
    assert given.until == begun.stopped(pause, "pause").until + more
    if pause.start < begun.until:
        assert given.stopped(shorter, "pause").until == begun.stopped(shorter, "pause").until + more
