"""Clocks of players run in real time, and never gain time from a stop."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from games.clocks import clock
from games.clocks.clock import DAY, HOUR, NO_TIME, Bank, Calendar, Daily, PerTurn, Span

BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = datetime(2026, 11, 20, 20, 0, tzinfo=BERLIN)
WEEKEND = frozenset({5, 6})
NIGHT = (time(22), time(6))


def berlin(day: int, hour: int = 0, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN)


def test_without_a_limit_there_is_no_deadline() -> None:
    assert clock.deadline(None, FRIDAY) is None


def test_a_clock_without_stops_runs_in_hours() -> None:
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


def test_a_clock_that_starts_while_stopped_has_all_its_time() -> None:
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND)
    assert clock.deadline(PerTurn(5), berlin(21, 12), calendar=calendar) == berlin(23, 5)


@pytest.mark.parametrize(("month", "day"), [(3, 29), (10, 25)], ids=["begins", "ends"])
def test_summer_time_neither_takes_nor_gives_an_hour(month: int, day: int) -> None:
    begin = berlin(day - 1, 20, month=month)
    end = clock.deadline(PerTurn(24), begin)
    assert end
    assert end - begin.astimezone(UTC) == 24 * HOUR
    assert clock.used(clock.ALWAYS, begin, end) == 24 * HOUR


def test_a_day_off_with_the_start_of_summer_time_is_shorter_and_costs_no_time() -> None:
    calendar = Calendar(zone=BERLIN, days_off=frozenset({6}))
    begin, end = berlin(28, 20, month=3), berlin(30, 20, month=3)
    assert clock.deadline(PerTurn(24), begin, calendar=calendar) == end
    assert end.astimezone(UTC) - begin.astimezone(UTC) == 47 * HOUR


def test_a_time_of_day_stays_the_same_across_summer_time() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    for month, day in ((3, 28), (10, 24)):
        assert clock.deadline(pace, berlin(day, 20, month=month)) == berlin(day + 1, 20, month=month)


def test_a_time_of_day_skipped_by_summer_time_is_an_hour_later() -> None:
    pace = PerTurn(24, Daily(time(2, 30), BERLIN))
    assert clock.deadline(pace, berlin(28, 12, month=3)) == berlin(29, 3, 30, month=3)


def test_a_time_of_day_is_the_next_one_if_fewer_than_half_the_hours_have_passed() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    assert clock.deadline(pace, berlin(20, 8)) == berlin(20, 20)
    assert clock.deadline(pace, berlin(20, 8, 1)) == berlin(21, 20)


def test_a_daily_game_stays_daily_across_nights_and_waits_for_weekends() -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND, night=NIGHT)
    assert clock.deadline(pace, berlin(19, 20), calendar=calendar) == berlin(20, 20)
    assert clock.deadline(pace, berlin(20, 20), calendar=calendar) == berlin(23, 20)


@pytest.mark.parametrize(("month", "saturday"), [(3, 28), (10, 24), (11, 21)])
def test_a_time_of_day_on_a_day_off_moves_to_the_next_day(month: int, saturday: int) -> None:
    pace = PerTurn(24, Daily(time(20), BERLIN))
    sundays = Calendar(zone=BERLIN, days_off=frozenset({6}))
    end = clock.deadline(pace, berlin(saturday, 9, month=month), calendar=sundays)
    assert end == berlin(saturday + 2, 20, month=month)


def test_a_time_of_day_in_the_longest_night_moves_to_its_end() -> None:
    pace = PerTurn(24, Daily(time(3), BERLIN))
    calendar = Calendar(zone=BERLIN, night=(time(22), time(10)))
    assert clock.deadline(pace, berlin(24, 8, month=10), calendar=calendar) == berlin(25, 10, month=10)


def test_a_time_of_day_in_a_player_s_night_moves_to_its_end() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    pace = PerTurn(24, Daily(time(20), BERLIN))  # four in the morning
    calendar = Calendar(zone=tokyo, night=(time(23), time(7)))
    assert clock.deadline(pace, berlin(19, 20), calendar=calendar) == berlin(20, 23)


def test_a_pause_that_starts_at_the_deadline_delays_it_by_its_length() -> None:
    pause = Span(FRIDAY, FRIDAY + DAY)
    assert clock.delayed_deadline(FRIDAY - DAY, FRIDAY, pause=pause) == FRIDAY + DAY


def test_a_pause_on_a_weekend_adds_no_time() -> None:
    calendar = Calendar(zone=BERLIN, days_off=WEEKEND)
    until = clock.deadline(PerTurn(24), FRIDAY, calendar=calendar)
    assert until
    pause = Span(berlin(21, 9), berlin(21, 17))
    assert clock.delayed_deadline(FRIDAY, until, calendar=calendar, pause=pause) == until


def test_a_bank_pays_its_balance_and_the_increment() -> None:
    pace = Bank(72, 12)
    assert clock.deadline(pace, FRIDAY, bank=10 * HOUR) == FRIDAY + 22 * HOUR


def test_a_bank_keeps_unused_time_up_to_its_first_balance() -> None:
    pace = Bank(72, 12)
    assert clock.bank_after(pace, 40 * HOUR, 20 * HOUR) == 32 * HOUR
    assert clock.bank_after(pace, 72 * HOUR, HOUR) == 72 * HOUR
    assert clock.bank_after(pace, 5 * HOUR, 30 * HOUR) == NO_TIME


def test_adjacent_spans_merge_and_empty_ones_vanish() -> None:
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
    with pytest.raises(ValueError, match=r"days off a week|Quiet hours can last"):
        Calendar(**calendar)  # type: ignore[arg-type]
