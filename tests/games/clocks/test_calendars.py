"""Players' calendars survive writing as documents and reading back."""

import json
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st

from games.clocks import clock as clocks, paces
from games.clocks.clock import ALWAYS, Calendar, Clock, Span
from games.play import stored
from games.play.models import Hand
from tests.games.clocks.test_laws import amounts, calendars as any_calendars, instants, spans
from tests.games.support import NOW


@given(calendar=any_calendars)
def test_a_calendar_survives_writing_and_reading(calendar: Calendar) -> None:
    weekly = Calendar(calendar.zone, calendar.days_off, calendar.night)
    assert paces.read_calendar(paces.write_calendar(weekly)) == weekly


@given(calendar=any_calendars, pauses=st.lists(spans(), max_size=3), start=instants, amount=amounts)
def test_a_clock_survives_writing_and_reading(
    calendar: Calendar, pauses: list[Span], start: datetime, amount: timedelta
) -> None:
    weekly = Calendar(calendar.zone, calendar.days_off, calendar.night)
    if not (weekly.days_off or weekly.night):
        weekly = ALWAYS
    clock = Clock(start, clocks.runs_out(weekly, start, amount), weekly)
    for pause in pauses:
        clock = clock.stopped(pause, "pause")
    hand = Hand(calendar=json.loads(json.dumps(stored.write_clock(clock))))
    assert stored.clock_of(hand, start=start, until=clock.until) == clock


def test_a_clock_without_stops_is_not_written() -> None:
    assert stored.write_clock(Clock(NOW, NOW)) is None
    assert stored.clock_of(Hand(calendar=None), start=NOW, until=NOW) == Clock(NOW, NOW)


def test_a_time_zone_that_no_longer_exists_becomes_utc() -> None:
    document = {"zone": "Europe/Atlantis", "days_off": [6], "night": None}
    assert paces.read_calendar(document) == Calendar(ZoneInfo("UTC"), frozenset({6}))
