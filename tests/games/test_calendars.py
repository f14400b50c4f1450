"""Players' calendars as documents: each comes back as it was written."""

from zoneinfo import ZoneInfo

from hypothesis import given

from games import calendars, stored
from games.clock import ALWAYS, Calendar
from games.models import Hand
from tests.games.test_clock import calendars as any_calendars


@given(calendar=any_calendars)
def test_a_calendar_comes_back_as_it_was_written(calendar: Calendar) -> None:
    weekly = Calendar(calendar.zone, calendar.days_off, calendar.night)
    assert calendars.read_calendar(calendars.write_calendar(weekly)) == weekly
    assert stored.calendar_of(Hand(calendar=stored.write_calendar(weekly))) == weekly


def test_what_nothing_stops_is_not_written() -> None:
    assert stored.write_calendar(ALWAYS) is None
    assert stored.calendar_of(Hand(calendar=None)) == ALWAYS


def test_a_time_zone_that_there_is_no_more_is_utc() -> None:
    document = {"zone": "Europe/Atlantis", "days_off": [6], "night": None}
    assert calendars.read_calendar(document) == Calendar(ZoneInfo("UTC"), frozenset({6}))
