"""Clocks run by real time, stand still when something stops them, and are never refilled by it."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks import clock
from games.clocks.clock import DAY, HOUR, NOTHING, Bank, Calendar, Daily, Live, PerTurn, Span

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
BERLIN = ZoneInfo("Europe/Berlin")
YEAR = datetime(2026, 1, 1, tzinfo=UTC)
FRIDAY = datetime(2026, 11, 20, 20, 0, tzinfo=BERLIN)
WEEKEND = frozenset({5, 6})
NIGHT = (time(22), time(6))

minutes = st.integers(0, 24 * 60 - 1).map(lambda minute: time(minute // 60, minute % 60))
instants = st.integers(0, 2 * 365 * 24 * 60).map(lambda minute: YEAR + timedelta(minutes=minute))
amounts = st.integers(0, 15 * 24 * 60).map(lambda minute: timedelta(minutes=minute))
paces = st.one_of(
    st.builds(PerTurn, st.integers(1, clock.LONGEST_TURN)),
    st.builds(
        PerTurn,
        st.integers(clock.SHORTEST_DAILY, clock.LONGEST_TURN),
        st.builds(Daily, minutes, st.sampled_from(ZONES).map(ZoneInfo)),
    ),
    st.builds(Live, st.integers(1, clock.LONGEST_LIVE)),
    st.builds(Bank, st.integers(1, clock.LONGEST_TURN), st.integers(1, 48)),
)
in_any_calendar = settings(max_examples=100, deadline=None)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Any stretch of time, of up to a month."""
    start = draw(instants)
    return Span(start, start + draw(amounts) * 2)


starting_apart = st.lists(spans(), max_size=3, unique_by=lambda span: span.start)
"""Pauses none of which takes the place of another, as one for the same reason would from the same instant."""


@st.composite
def nights(draw: st.DrawFn) -> tuple[time, time]:
    """Any night that a player may have."""
    dusk, minute = draw(minutes), draw(st.integers(1, 12 * 60))
    dawn = datetime.combine(date(2026, 1, 1), dusk) + timedelta(minutes=minute)
    return dusk, dawn.time()


calendars = st.builds(
    Calendar,
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    days_off=st.frozensets(st.integers(0, 6), max_size=clock.MOST_DAYS_OFF),
    night=st.none() | nights(),
    pauses=st.lists(spans(), max_size=4).map(tuple),
)


def berlin(day: int, hour: int = 0, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN)


# What holds in every calendar


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts)
def test_what_was_used_when_a_clock_runs_out_is_all_that_it_had(
    calendar: Calendar, start: datetime, amount: timedelta
) -> None:
    end = clock.runs_out(calendar, start, amount)
    assert end >= start + amount
    assert clock.used(calendar, start, end) == amount
    assert clock.left(calendar, start, amount, end) == NOTHING


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, early=amounts)
def test_a_clock_that_has_not_run_out_has_something_left(
    calendar: Calendar, start: datetime, amount: timedelta, early: timedelta
) -> None:
    end = clock.runs_out(calendar, start, amount)
    before = end - early - timedelta(microseconds=1)
    if amount and before >= start:
        assert clock.left(calendar, start, amount, before) > NOTHING


@in_any_calendar
@given(calendar=calendars, start=instants, first=amounts, second=amounts)
def test_two_stretches_of_time_are_as_long_as_both_of_them(
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
def test_time_that_was_used_never_comes_back(
    calendar: Calendar, start: datetime, amount: timedelta, wait: timedelta
) -> None:
    before = NOTHING
    for step in range(1, 6):
        now = start + wait * step / 5
        spent = clock.used(calendar, start, now)
        assert NOTHING <= spent - before <= wait / 5 + timedelta(microseconds=2)
        before = spent
    assert clock.left(calendar, start, amount, start + wait) <= amount


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, pause=spans())
def test_a_pause_stops_a_clock_for_what_did_not_stop_it_before(
    calendar: Calendar, start: datetime, amount: timedelta, pause: Span
) -> None:
    now = start + amount
    paused = calendar.paused(pause)
    inside = (max(start, pause.start), min(now, pause.end))
    gained = clock.used(calendar, *inside) if inside[0] < inside[1] else NOTHING
    assert clock.used(paused, start, now) == clock.used(calendar, start, now) - gained


@in_any_calendar
@given(calendar=calendars, start=instants, amount=amounts, pause=spans())
def test_a_pause_counts_once_however_often_it_is_told(
    calendar: Calendar, start: datetime, amount: timedelta, pause: Span
) -> None:
    once = calendar.paused(pause)
    halves = calendar.paused(
        Span(pause.start, pause.start + (pause.end - pause.start) / 2), pause, Span(pause.start, pause.end)
    )
    assert clock.runs_out(once, start, amount) == clock.runs_out(halves, start, amount)


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, wait=amounts, bank=amounts)
def test_deadlines_are_never_before_the_turn_begins_and_later_where_it_begins_later(
    pace: clock.Pace, calendar: Calendar, start: datetime, wait: timedelta, bank: timedelta
) -> None:
    first = clock.deadline(pace, start, bank=bank, calendar=calendar)
    second = clock.deadline(pace, start + wait, bank=bank, calendar=calendar)
    assert first and second
    assert start <= first <= second


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, bank=amounts)
def test_no_deadline_is_earlier_for_what_stops_the_clock(
    pace: clock.Pace, calendar: Calendar, start: datetime, bank: timedelta
) -> None:
    plain = clock.deadline(pace, start, bank=bank)
    assert plain
    assert (clock.deadline(pace, start, bank=bank, calendar=calendar) or plain) >= plain


@in_any_calendar
@given(pace=paces, calendar=calendars, start=instants, pause=spans())
def test_a_pause_puts_off_a_deadline_by_no_more_than_it_lasts_on_a_clock_that_runs(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span
) -> None:
    until = clock.deadline(pace, start, calendar=calendar)
    assert until
    later = clock.put_off(start, until, calendar=calendar, pause=pause)
    paused = calendar.paused(pause)
    assert later >= until
    assert clock.used(paused, start, later) <= clock.used(calendar, start, until)
    assert clock.put_off(start, later, calendar=paused, pause=pause) == later
    if pause.start > until or pause.end <= start:
        assert later == until


@in_any_calendar
@given(
    start=instants,
    hours=st.integers(clock.SHORTEST_DAILY, clock.LONGEST_TURN),
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
def test_pauses_that_come_up_never_refill_a_clock_nor_count_twice(
    pace: clock.Pace, calendar: Calendar, start: datetime, pauses: list[Span], bank: timedelta
) -> None:
    run = begun = clock.started(pace, start, bank=bank, calendar=calendar)
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
def test_a_pause_that_is_over_sooner_is_as_long_as_it_was(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span, other: Span, share: int
) -> None:
    begun = clock.started(pace, start, bank=HOUR, calendar=calendar)
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
def test_a_pause_that_is_known_when_a_clock_begins_is_left_out_again_if_it_is_not_to_be(
    pace: clock.Pace, calendar: Calendar, start: datetime, pause: Span, share: int
) -> None:
    known = clock.started(pace, start, bank=HOUR, calendar=calendar, pauses=[(pause, "pause")])
    plain = clock.started(pace, start, bank=HOUR, calendar=calendar)
    assert known and plain
    assert known.until == clock.deadline(pace, start, bank=HOUR, calendar=calendar.paused(pause))
    shorter = Span(pause.start, pause.start + (pause.end - pause.start) * share / 100)
    assert known.stopped(shorter, "pause") == plain.stopped(shorter, "pause")


@in_any_calendar
@given(
    hours=st.integers(1, clock.LONGEST_TURN),
    start=instants,
    more=amounts,
    pause=spans(),
    share=st.integers(0, 100),
)
def test_more_time_that_was_given_stays_given_when_a_pause_is_over_sooner(
    hours: int, start: datetime, more: timedelta, pause: Span, share: int
) -> None:
    begun = clock.started(PerTurn(hours), start)
    assert begun
    shorter = Span(pause.start, pause.start + (pause.end - pause.start) * share / 100)
    given = begun.stopped(pause, "pause").extended(more)
    assert given.until == begun.stopped(pause, "pause").until + more
    if pause.start < begun.until:
        assert given.stopped(shorter, "pause").until == begun.stopped(shorter, "pause").until + more


# Single cases


def test_without_a_limit_there_is_no_deadline() -> None:
    assert clock.deadline(None, FRIDAY) is None


def test_a_clock_runs_by_hours_where_nothing_stops_it() -> None:
    assert clock.deadline(PerTurn(48), FRIDAY) == FRIDAY + 2 * DAY


def test_a_weekend_stops_a_clock_from_midnight_to_midnight() -> None:
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND)
    assert clock.deadline(PerTurn(24), FRIDAY, calendar=calendar) == berlin(23, 20)


def test_nights_stop_a_clock_until_the_morning() -> None:
    calendar = Calendar(zone=BERLIN, night=NIGHT)
    assert clock.deadline(PerTurn(4), FRIDAY, calendar=calendar) == berlin(21, 8)
    assert clock.stops(calendar, FRIDAY, berlin(22)) == [
        Span(berlin(20, 22), berlin(21, 6)),
        Span(berlin(21, 22), berlin(22)),
    ]


def test_a_night_may_be_a_nap_after_midnight() -> None:
    calendar = Calendar(zone=BERLIN, night=(time(1), time(3)))
    assert clock.deadline(PerTurn(6), FRIDAY, calendar=calendar) == berlin(21, 4)


def test_a_clock_that_begins_while_it_stands_still_has_all_its_time() -> None:
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND)
    assert clock.deadline(PerTurn(5), berlin(21, 12), calendar=calendar) == berlin(23, 5)


@pytest.mark.parametrize(("month", "day"), [(3, 29), (10, 25)], ids=["begins", "ends"])
def test_summer_time_neither_takes_nor_gives_an_hour(month: int, day: int) -> None:
    begin = berlin(day - 1, 20, month=month)
    end = clock.deadline(PerTurn(24), begin)
    assert end
    assert end - begin.astimezone(UTC) == 24 * HOUR
    assert clock.used(clock.ALWAYS, begin, end) == 24 * HOUR


def test_a_day_off_in_which_summer_time_begins_is_shorter_and_takes_nothing_from_the_clock() -> None:
    calendar = Calendar(zone=BERLIN, days_off=frozenset({6}))
    begin, end = berlin(28, 20, month=3), berlin(30, 20, month=3)
    assert clock.deadline(PerTurn(24), begin, calendar=calendar) == end
    assert end.astimezone(UTC) - begin.astimezone(UTC) == 47 * HOUR


def test_a_time_of_day_stays_the_same_when_summer_time_begins_and_ends() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    for month, day in ((3, 28), (10, 24)):
        assert clock.deadline(pace, berlin(day, 20, month=month)) == berlin(day + 1, 20, month=month)


def test_a_time_of_day_that_a_day_leaps_over_is_an_hour_on() -> None:
    pace = PerTurn(24, Daily(time(2, 30), BERLIN))
    assert clock.deadline(pace, berlin(28, 12, month=3)) == berlin(29, 3, 30, month=3)


def test_a_time_of_day_is_the_next_one_if_less_than_half_the_hours_have_run_by_the_first() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    assert clock.deadline(pace, berlin(20, 8)) == berlin(20, 20)
    assert clock.deadline(pace, berlin(20, 8, 1)) == berlin(21, 20)


def test_a_daily_game_stays_daily_for_those_who_sleep_and_waits_for_weekends() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND, night=NIGHT)
    assert clock.deadline(pace, berlin(19, 20), calendar=calendar) == berlin(20, 20)
    assert clock.deadline(pace, berlin(20, 20), calendar=calendar) == berlin(23, 20)


@pytest.mark.parametrize(("month", "saturday"), [(3, 28), (10, 24), (11, 21)])
def test_a_time_of_day_on_a_day_off_is_that_of_the_next_day_also_when_the_day_is_shorter(
    month: int, saturday: int
) -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    sundays = Calendar(zone=BERLIN, days_off=frozenset({6}))
    end = clock.deadline(pace, berlin(saturday, 9, month=month), calendar=sundays)
    assert end == berlin(saturday + 2, 20, month=month)


def test_a_time_of_day_in_the_longest_night_is_its_end_also_when_summer_time_ends() -> None:
    pace = PerTurn(24, Daily(time(3), BERLIN))
    calendar = Calendar(zone=BERLIN, night=(time(22), time(10)))
    assert clock.deadline(pace, berlin(24, 8, month=10), calendar=calendar) == berlin(25, 10, month=10)


def test_a_time_of_day_in_a_players_night_is_when_it_ends() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    pace = PerTurn(24, Daily(time(20), BERLIN))  # four in the morning
    calendar = Calendar(zone=tokyo, night=(time(23), time(7)))
    assert clock.deadline(pace, berlin(19, 20), calendar=calendar) == berlin(20, 23)


def test_a_pause_that_begins_when_time_is_up_puts_it_off_by_its_length() -> None:
    pause = Span(FRIDAY, FRIDAY + DAY)
    assert clock.put_off(FRIDAY - DAY, FRIDAY, pause=pause) == FRIDAY + DAY


def test_a_pause_in_a_weekend_gives_nothing() -> None:
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND)
    until = clock.deadline(PerTurn(24), FRIDAY, calendar=calendar)
    assert until
    pause = Span(berlin(21, 9), berlin(21, 17))
    assert clock.put_off(FRIDAY, until, calendar=calendar, pause=pause) == until


def test_a_bank_gives_what_it_holds_and_the_increment() -> None:
    pace = Bank(72, 12)
    assert clock.deadline(pace, FRIDAY, bank=10 * HOUR) == FRIDAY + 22 * HOUR


def test_a_bank_keeps_what_was_not_used_and_never_holds_more_than_at_first() -> None:
    pace = Bank(72, 12)
    assert clock.bank_after(pace, 40 * HOUR, 20 * HOUR) == 32 * HOUR
    assert clock.bank_after(pace, 72 * HOUR, HOUR) == 72 * HOUR
    assert clock.bank_after(pace, 5 * HOUR, 30 * HOUR) == NOTHING


def test_spans_that_meet_are_one_and_empty_ones_none() -> None:
    one, two = Span(berlin(1), berlin(2)), Span(berlin(2), berlin(3))
    assert clock.merged([two, Span(berlin(9), berlin(9)), one]) == [Span(berlin(1), berlin(3))]


@pytest.mark.parametrize(
    "calendar",
    [
        {"days_off": frozenset({0, 1, 2, 3})},
        {"days_off": frozenset({7})},
        {"night": (time(20), time(20))},
        {"night": (time(20), time(9))},
    ],
)
def test_a_calendar_leaves_time_to_play(calendar: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"days of the week|a night lasts"):
        Calendar(**calendar)  # type: ignore[arg-type]
