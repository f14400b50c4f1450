"""Times and numbers in words."""

from datetime import timedelta

import pytest

from games.fleet.models import Starship
from games.fleet.selectors import players
from games.wording import ago, left
from tests.games.support import NOW


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=1, hours=23), "1 day ago"),
        (timedelta(days=40), "40 days ago"),
    ],
)
def test_past_times_are_worded(passed: timedelta, said: str) -> None:
    assert ago(NOW - passed) == said


@pytest.mark.parametrize(
    ("remaining", "said"),
    [
        (timedelta(0), "time is up"),
        (timedelta(days=-1), "time is up"),
        (timedelta(seconds=20), "1 min left"),
        (timedelta(minutes=45), "45 min left"),
        (timedelta(hours=5, minutes=7), "5 h 7 min left"),
        (timedelta(days=1, hours=2, minutes=9), "1 day 2 h left"),
        (timedelta(days=3, hours=2), "3 days left"),
    ],
)
def test_remaining_times_are_worded(remaining: timedelta, said: str) -> None:
    assert left(NOW + remaining) == said


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [(1, 1, "for one"), (1, 8, "for 1 to 8"), (2, 2, "for 2"), (2, 4, "for 2 to 4")],
)
def test_recommended_numbers_of_players_are_worded(least: int, most: int, said: str) -> None:
    assert players(Starship(seats_least=least, seats_most=most)) == said
