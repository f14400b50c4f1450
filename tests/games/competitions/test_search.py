"""The search for games in the queue, compared with trying every group of players."""

from dataclasses import replace
from datetime import timedelta
from functools import reduce
from itertools import chain, combinations

import pytest
from hypothesis import given, strategies as st

from games.competitions import matching
from games.competitions.matching import MOST_SEATS, Match, Queue, Seeker, Wish
from tests.games.support import NOW


def seeker(user: int, least: int = 2, most: int = 8, *, hours: float = 0, **more: object) -> Seeker:
    wish = Wish(least=least, most=most)
    return Seeker(user=user, wish=wish, since=NOW - timedelta(hours=hours), **more)  # type: ignore[arg-type]


def users(found: Match | None) -> list[int]:
    return [each.user for each in found.seekers] if found else []


def games(seekers: list[Seeker]) -> list[Match]:
    """Return the games that one pass of the sweeper creates."""
    queue = Queue(seekers, now=NOW)
    made = []
    for each in sorted(seekers, key=lambda one: (not one.takes_computers(NOW), one.since, one.user)):
        if found := queue.game_for(each.user):
            made.append(found)
            queue.remove(one.user for one in found.seekers)
    return made


SEEKERS = st.lists(
    st.builds(
        Seeker,
        user=st.just(0),
        wish=st.builds(
            lambda ruleset, pace, size, numbers: Wish(ruleset, pace, size, min(numbers), max(numbers)),
            st.sampled_from(["", "", "", "robo-runner", "robo-recon"]),
            st.sampled_from(["", "", "", "live", "day"]),
            st.sampled_from(["", "", "", "small"]),
            st.tuples(*[st.integers(2, 5)] * 2),
        ),
        since=st.integers(0, 14).map(lambda hours: NOW - timedelta(hours=hours)),
        rating=st.sampled_from([1350, 1480, 1500, 1520, 1720]),
        reliability=st.sampled_from([60, 90, 100]),
        spread=st.sampled_from([None, None, 100]),
        least_reliability=st.sampled_from([0, 0, 0, 75, 95]),
        computers_after=st.sampled_from([None, None, timedelta(hours=1)]),
        shuns=st.frozensets(st.integers(1, 6), max_size=2),
    ),
    min_size=1,
    max_size=6,
).map(lambda seekers: [replace(one, user=number) for number, one in enumerate(seekers, 1)])


def playable(ruleset: str, size: str, seats: int) -> bool:
    """Return whether a game has a suitable starship.

    No game with five seats has one. Small games have one only with three seats or in Robo Recon.
    """
    return seats != 5 and (size != "small" or seats == 3 or ruleset == "robo-recon")


def every_game(seekers: list[Seeker]) -> list[tuple[frozenset[int], int]]:
    """Return all allowed games, found by trying every group of players.

    Each game is its players and its number of computers.
    """
    found = []
    for group in chain.from_iterable(combinations(seekers, size) for size in range(1, len(seekers) + 1)):
        if not all(
            one.plays_with(other, NOW) and one.wish.agrees(other.wish)
            for one, other in combinations(group, 2)
        ):
            continue
        wish = reduce(Wish.joined, [each.wish for each in group])
        patient = all(each.takes_computers(NOW) for each in group)
        for seats in range(max(2, len(group)), MOST_SEATS + 1):
            if (
                seats in wish.numbers
                and (seats == len(group) or patient)
                and matching.ruleset_for(wish, seats, playable)
            ):
                found.append((frozenset(each.user for each in group), seats - len(group)))
    return found


def rank(me: Seeker, by_user: dict[int, Seeker], game: tuple[frozenset[int], int]) -> tuple[object, ...]:
    """Return a sort key for a player's possible games. The best game comes first."""
    players, computers = game
    others = sorted(
        (abs(by_user[user].rating - me.rating), by_user[user].since, user) for user in players - {me.user}
    )
    return bool(computers), -len(players), computers, others


@given(SEEKERS)
def test_it_finds_the_best_of_all_legal_games(seekers: list[Seeker]) -> None:
    queue = Queue(seekers, now=NOW, playable=playable)
    legal, by_user = every_game(seekers), {each.user: each for each in seekers}
    for me in seekers:
        mine = [game for game in legal if me.user in game[0]]
        found = queue.game_for(me.user)
        assert (found is None) == (not mine)
        if found:
            best = min(mine, key=lambda game: rank(me, by_user, game))
            assert (frozenset(users(found)), found.computers) == best
            assert playable(found.ruleset, found.wish.size, found.seats)


@given(SEEKERS)
def test_a_pass_leaves_no_player_waiting_who_could_play(seekers: list[Seeker]) -> None:
    queue = Queue(seekers, now=NOW, playable=playable)
    left = {each.user for each in seekers}
    for each in sorted(seekers, key=lambda one: (not one.takes_computers(NOW), one.since, one.user)):
        if found := queue.game_for(each.user):
            assert left.issuperset(users(found))
            queue.remove(users(found))
            left -= set(users(found))
    assert not [game for game in every_game(seekers) if game[0] <= left]
    for each in seekers:
        alone = each.takes_computers(NOW) and every_game([each])
        assert not (alone and each.user in left), "their time has come"


def test_players_who_have_waited_long_enough_play_together() -> None:
    patient = [seeker(number, 4, 4, hours=2, computers_after=timedelta(hours=1)) for number in (1, 2)]
    (game,) = games([seeker(3, 4, 4, hours=9), *patient])
    assert (users(game), game.computers) == ([1, 2], 2)


def test_a_named_ruleset_needs_a_starship_and_any_ruleset_finds_one() -> None:
    for wish, ruleset in ((Wish(), "amigo-1999"), (Wish("robo-runner"), None), (Wish(most=2), None)):
        players = [Seeker(user, wish, NOW) for user in range(1, 4)]
        queue = Queue(players, now=NOW, playable=lambda key, _size, seats: (key, seats) == ("amigo-1999", 3))
        found = queue.game_for(1)
        assert (found and found.ruleset) == ruleset


def test_a_long_queue_of_mutually_blocking_players_takes_few_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of six groups has 40 players who block each other.

    So no game of seven is possible.
    """
    taken = 0
    extended = Queue._extended

    def counted(*args: object) -> object:
        nonlocal taken
        taken += 1
        return extended(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Queue, "_extended", counted)
    groups = [frozenset(range(group, 240, 6)) for group in range(6)]
    players = [seeker(user, 7, shuns=groups[user % 6] - {user}) for user in range(240)]
    queue = Queue(players, now=NOW)
    assert all(queue.game_for(each.user) is None for each in players[:12])
    assert taken < 100
    six = [seeker(user, 6, shuns=groups[user % 6] - {user}) for user in range(240)]
    assert len(games(six)) == 40
