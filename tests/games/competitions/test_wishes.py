"""Wishes for games: time limits, ratings, blocks, numbers of players, and computers."""

from datetime import timedelta
from itertools import permutations

import pytest

from games.competitions.matching import Match, Queue, Seeker, Wish
from tests.games.support import NOW


def seeker(
    user: int, wish: Wish | None = None, *, rating: int = 1500, hours: float = 0, **more: object
) -> Seeker:
    since = NOW - timedelta(hours=hours)
    return Seeker(user=user, wish=wish or Wish(), since=since, rating=rating, **more)  # type: ignore[arg-type]


def match(first: Seeker, others: list[Seeker]) -> Match | None:
    return Queue([first, *others], now=NOW).game_for(first.user)


def met(first: Seeker, *others: Seeker) -> list[int]:
    found = match(first, list(others))
    return [each.user for each in found.seekers] if found else []


def test_two_equal_wishes_match() -> None:
    wish = Wish("robo-runner", "day", "small", 2, 2)
    assert met(seeker(1, wish), seeker(2, wish), seeker(3, wish)) == [1, 2]


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        (Wish(), Wish("group-11", "slow"), Wish("group-11", "slow")),
        (Wish(pace="live"), Wish("group-11", "live"), Wish("group-11", "live")),
        (Wish(), Wish(pace="live"), None),
        (Wish(least=2, most=4), Wish(least=3, most=8), Wish(least=3, most=4)),
        (Wish(pace="live"), Wish(pace="slow"), None),
        (Wish("robo-runner"), Wish("group-11"), None),
        (Wish(size="small"), Wish(size="large"), None),
    ],
)
def test_compatible_wishes_combine(one: Wish, two: Wish, both: Wish | None) -> None:
    assert one.agrees(two) == two.agrees(one) == (both is not None)
    if both:
        assert one.joined(two) == two.joined(one) == both


def test_ratings_must_be_close_and_the_closest_come_first() -> None:
    two = Wish(most=2)
    assert met(seeker(1, two), seeker(2, two, rating=1701)) == []
    assert met(seeker(1, two), seeker(2, two, rating=1690), seeker(3, two, rating=1450)) == [1, 3]


def test_the_window_grows_for_both_up_to_each_player_s_limit() -> None:
    two = Wish(most=2)
    far = seeker(2, two, rating=1740, hours=6)
    assert met(seeker(1, two, hours=5), far) == []
    assert met(seeker(1, two, hours=6), far) == [1, 2]
    assert met(seeker(1, two, hours=99, spread=200), far) == []


def test_blocked_players_are_never_matched() -> None:
    for shunning, shunned in permutations((1, 2)):
        people = {
            shunning: seeker(shunning, shuns=frozenset({shunned})),
            shunned: seeker(shunned),
        }
        assert met(people[1], people[2]) == []
    assert met(seeker(1), seeker(2, shuns=frozenset({3})), seeker(3)) == [1, 2]


def test_each_player_meets_the_others_minimum_reliability() -> None:
    picky = seeker(1, reliability=60, least_reliability=75)
    good, bad, pickier = (
        seeker(2, reliability=75),
        seeker(3, reliability=74),
        seeker(4, reliability=100, least_reliability=61),
    )
    assert met(picky, good) == [1, 2] and met(good, picky) == [2, 1]
    for other in (bad, pickier):
        assert met(picky, other) == [] and met(other, picky) == []


def test_squads_have_equal_sizes() -> None:
    recon = Wish("robo-recon", least=2, most=8)
    found = met(*[seeker(number, recon) for number in range(1, 6)])
    assert len(found) % 2 == 0 and len(found) >= 2


def test_computers_fill_up_once_all_players_have_waited_for_them() -> None:
    three = Wish(least=3, most=4)
    patient = seeker(1, three, hours=2, computers_after=timedelta(hours=1))
    other = match(patient, [seeker(2, three)])
    assert other and (len(other.seekers), other.computers) == (1, 2), "the other has not waited long enough"
    found = match(patient, [seeker(2, three, hours=2, computers_after=timedelta(hours=2))])
    assert found and (len(found.seekers), found.computers, found.seats) == (2, 1, 3)
    alone = match(patient, [])
    assert alone and (len(alone.seekers), alone.computers) == (1, 2)
    assert match(seeker(1, three, hours=99), []) is None
