"""The times of reminders and daily emails, by the player's clock."""

import doctest
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st

from accounts.time_zones import zone_of
from games.news import timing
from games.news.timing import (
    LONGEST_LEAD,
    SHORTEST_LEAD,
    Night,
    daily_after,
    is_night,
    morning_after,
    reminder_at,
)

BERLIN = ZoneInfo("Europe/Berlin")

moments = st.datetimes(min_value=datetime(2026, 1, 1), max_value=datetime(2027, 12, 31)).map(  # noqa: DTZ001
    lambda moment: moment.replace(tzinfo=UTC)
)
zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"]
).map(ZoneInfo)
spans = st.integers(min_value=60, max_value=14 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


def test_a_reminder_is_sent_when_a_quarter_of_the_time_is_left() -> None:
    found = reminder_at(opened=at("2026-11-21 08:00"), deadline=at("2026-11-21 20:00"), zone=BERLIN)
    assert found == at("2026-11-21 17:00")


def test_it_is_sent_at_most_a_day_ahead() -> None:
    found = reminder_at(opened=at("2026-11-07 12:00"), deadline=at("2026-11-21 12:00"), zone=BERLIN)
    assert found == at("2026-11-20 12:00")


def test_a_reminder_due_at_night_is_sent_the_evening_before() -> None:
    found = reminder_at(opened=at("2026-11-20 12:00"), deadline=at("2026-11-21 09:00"), zone=BERLIN)
    assert found == at("2026-11-20 21:30")


def test_a_turn_too_new_for_the_evening_before_has_its_reminder_the_morning_after() -> None:
    found = reminder_at(opened=at("2026-11-20 21:00"), deadline=at("2026-11-21 09:00"), zone=BERLIN)
    assert found == at("2026-11-21 08:00")


def test_a_turn_entirely_at_night_has_no_reminder() -> None:
    assert reminder_at(opened=at("2026-11-20 22:30"), deadline=at("2026-11-21 02:30"), zone=BERLIN) is None


def test_turns_without_a_deadline_or_with_little_time_have_no_reminder() -> None:
    assert reminder_at(opened=at("2026-11-20 12:00"), deadline=None, zone=BERLIN) is None
    assert reminder_at(opened=at("2026-11-20 12:00"), deadline=at("2026-11-20 12:30"), zone=BERLIN) is None


def test_a_player_s_own_quiet_hours_count_as_night() -> None:
    sleep = (time(1), time(10))
    opened, deadline = at("2026-11-20 13:00"), at("2026-11-21 13:00")
    assert reminder_at(opened=opened, deadline=deadline, zone=BERLIN) == at("2026-11-20 21:30")
    young = at("2026-11-20 18:00")
    found = reminder_at(opened=young, deadline=at("2026-11-21 13:00"), zone=BERLIN, sleep=sleep)
    assert found == at("2026-11-21 10:00"), "and not at 8:15"
    by_day = reminder_at(
        opened=at("2026-11-20 09:00"),
        deadline=at("2026-11-20 21:00"),
        zone=BERLIN,
        sleep=(time(12), time(20)),
    )
    assert by_day == at("2026-11-20 20:00")


def test_a_player_asleep_all_day_is_not_reminded() -> None:
    sleep = (time(7), time(23))
    opened, deadline = at("2026-11-20 13:00"), at("2026-11-27 13:00")
    assert reminder_at(opened=opened, deadline=deadline, zone=BERLIN, sleep=sleep) is None
    assert morning_after(at("2026-11-20 13:00"), BERLIN, sleep) is None
    assert morning_after(at("2026-11-20 13:00"), BERLIN) == at("2026-11-20 13:00")


clock_times = st.integers(min_value=0, max_value=95).map(lambda quarter: time(quarter // 4, quarter % 4 * 15))
sleeps = st.none() | st.tuples(clock_times, clock_times).filter(lambda night: night[0] != night[1])


@given(opened=moments, span=spans, zone=zones, sleep=sleeps)
def test_no_reminder_is_at_night_too_early_or_too_late(
    opened: datetime, span: timedelta, zone: ZoneInfo, sleep: Night | None
) -> None:
    deadline = opened + span
    found = reminder_at(opened=opened, deadline=deadline, zone=zone, sleep=sleep)
    if found is None:
        return
    assert not is_night(found, zone, sleep)
    assert not is_night(found, zone)
    assert opened < found <= deadline - SHORTEST_LEAD
    assert deadline - found <= LONGEST_LEAD + timedelta(hours=12 if sleep is None else 25)


@given(after=moments, hour=st.integers(min_value=0, max_value=23), zone=zones)
def test_the_daily_mail_is_sent_within_a_day_at_its_hour(after: datetime, hour: int, zone: ZoneInfo) -> None:
    found = daily_after(after=after, hour=hour, zone=zone)
    assert after < found <= after + timedelta(hours=25)
    local = found.astimezone(zone)
    assert local.hour == hour or local.utcoffset() != (local - timedelta(hours=2)).utcoffset()


def test_an_evening_hour_west_of_greenwich_is_the_same_evening() -> None:
    zone = ZoneInfo("America/Los_Angeles")
    evening = datetime(2026, 11, 21, 20, tzinfo=zone)  # already tomorrow in UTC
    assert daily_after(after=evening.astimezone(UTC), hour=21, zone=zone) == evening + timedelta(hours=1)


def test_the_hour_is_the_same_in_summer_and_winter() -> None:
    for day in ("2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"):
        found = daily_after(after=at(f"{day} 20:00"), hour=8, zone=BERLIN)
        assert found.astimezone(BERLIN).hour == 8


def test_a_dropped_time_zone_counts_as_the_site_s() -> None:
    assert zone_of("Europe/Atlantis") == ZoneInfo("UTC")


def test_the_examples_in_docstrings_are_true() -> None:
    results = doctest.testmod(timing)
    assert results.attempted and not results.failed
