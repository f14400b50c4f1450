"""Old versions of a draft are deleted, within limits."""

from datetime import datetime, timedelta

from hypothesis import given, strategies as st

from games.shipyard.services import (
    CHARACTERS_KEPT,
    THINNED_AFTER,
    VERSIONS_KEPT,
    is_worth_keeping,
    surplus_versions,
)
from tests.games.support import NOW, later


def test_the_first_version_and_versions_that_lasted_a_minute_are_stored() -> None:
    assert is_worth_keeping(NOW, kept_at=None, now=later(seconds=3))
    assert not is_worth_keeping(later(seconds=57), kept_at=NOW, now=later(seconds=60))
    assert is_worth_keeping(later(seconds=60), kept_at=NOW, now=later(seconds=63))
    assert is_worth_keeping(later(seconds=10), kept_at=NOW, now=later(seconds=70))


def test_after_a_day_only_the_last_version_of_each_hour_is_stored() -> None:
    times = [later(minutes=minutes) for minutes in (0, 10, 20, 70)]
    assert surplus_versions(times, [1] * 4, now=later(hours=3)) == []
    assert [times[index] for index in surplus_versions(times, [1] * 4, now=later(days=2))] == times[:2]


def test_above_a_hundred_versions_the_oldest_are_deleted() -> None:
    times = [later(minutes=number) for number in range(VERSIONS_KEPT + 2)]
    assert surplus_versions(times, [1] * len(times), now=times[-1]) == [0, 1]


def test_above_the_size_limit_the_oldest_are_deleted_but_never_the_last() -> None:
    times = [later(minutes=number) for number in range(4)]
    assert surplus_versions(times, [1, CHARACTERS_KEPT, CHARACTERS_KEPT - 1, 1], now=times[-1]) == [0, 1]
    assert surplus_versions(times, [1, 1, 1, CHARACTERS_KEPT + 1], now=times[-1]) == [0, 1, 2]


@given(st.lists(st.integers(0, 200_000), min_size=1, max_size=150, unique=True).map(sorted))
def test_the_last_version_is_kept_and_the_limits_always_hold(seconds: list[int]) -> None:
    times = [NOW + timedelta(seconds=each) for each in seconds]
    now = times[-1]
    going = surplus_versions(times, [1] * len(times), now=now)
    staying = [time for index, time in enumerate(times) if index not in going]
    assert staying[-1] == times[-1]
    assert len(staying) <= VERSIONS_KEPT
    young: list[datetime] = [time for time in times if now - time < THINNED_AFTER]
    assert young[-VERSIONS_KEPT:] == [time for time in staying if now - time < THINNED_AFTER][-VERSIONS_KEPT:]
