"""Ratings are computed from results, and all of them shift at a month's end."""

from datetime import timedelta
from fractions import Fraction
from itertools import permutations

import pytest

from games.standings.ratings import ANCHORS, MU, Finish, Member, Outcome, Pool, Skill, Standing
from tests.support.clock import NOW

ALICE, BOB, CAROL, DAVE = (Member(person) for person in (1, 2, 3, 4))


def race(*members: Member, days: float = 0) -> Outcome:
    finishes = tuple(Finish(rank, (member,)) for rank, member in enumerate(members, 1))
    return Outcome(NOW + timedelta(days=days), finishes)


def settled(mu: float = MU) -> Standing:
    return Standing(mu, 3.0, games=30, met=8, played_at=NOW)


def test_only_people_get_a_rating_and_each_game_counts() -> None:
    found = Pool().apply(race(ALICE, Member(computer="pilot"), BOB), {2: Standing(20, 4, 3, 2, NOW)})
    assert set(found) == {1, 2}
    (_, alice), (before, bob) = found[1], found[2]
    assert before == Skill(20, 4)
    assert (alice.games, bob.games, bob.met) == (1, 4, 2)
    assert alice.mu > MU and bob.mu < 20


@pytest.mark.parametrize(
    ("standing", "provisional"),
    [
        (Standing(25, 5.6, 40), True),
        (Standing(25, 5.5, 9), True),
        (Standing(25, 5.5, 10), False),
    ],
)
def test_a_rating_is_provisional_until_it_has_settled(standing: Standing, provisional: bool) -> None:
    assert standing.provisional == provisional


def test_a_player_who_leaves_a_winning_squad_gets_a_defeat() -> None:
    finishes = Finish(1, (ALICE, BOB)), Finish(2, (CAROL, DAVE))
    won = Pool().apply(Outcome(NOW, finishes, frozenset({1})), {})
    plain = Pool().apply(Outcome(NOW, finishes), {})
    assert won[1][1].mu < MU < won[2][1].mu
    assert {person: won[person] for person in (2, 3, 4)} == {person: plain[person] for person in (2, 3, 4)}


def test_the_scale_shifts_by_results_against_computers_at_the_end_of_a_month() -> None:
    pool, known = Pool(), {person: settled() for person in range(1, 40)}
    for person in known:
        pool.apply(race(Member(person), Member(computer="pilot")), known)
    assert (pool.offset, pool.shifts) == (0, []), "the month goes on"
    pool.apply(race(ALICE, BOB, days=31), known)
    (shift,) = pool.shifts
    assert shift.month == NOW.date().replace(day=1)
    assert 0 < shift.amount < shift.error
    assert pool.offset == pytest.approx(shift.amount, abs=1e-5)
    assert pool.newcomer().mu < MU, "who comes is worth as much as before, less than the others by now"
    assert pool.skill_of(Member(computer="ace"), {}).mu == ANCHORS["ace"] - pool.offset


def test_newcomers_and_games_among_people_do_not_shift_the_scale() -> None:
    pool = Pool()
    for days in (0, 40, 80):
        pool.apply(race(ALICE, Member(computer="pilot"), days=days), {})
        pool.apply(race(BOB, CAROL, days=days), {2: settled(), 3: settled()})
    assert (pool.offset, pool.shifts) == (0, [])


def test_a_result_of_an_earlier_month_reopens_no_month() -> None:
    pool = Pool()
    pool.apply(race(ALICE, BOB, days=40), {})
    month = pool.month
    pool.apply(race(ALICE, BOB), {})
    assert pool.month == month


def test_the_order_of_games_within_a_month_does_not_affect_the_shift() -> None:
    known = {1: settled(31), 2: settled(19.5), 3: settled(27.123457)}
    games = [
        race(ALICE, Member(computer="pilot"), BOB),
        race(Member(computer="ace"), CAROL),
        race(BOB, Member(computer="ace"), Member(computer="pilot")),
    ]
    pools = []
    for order in permutations(games):
        pool = Pool()
        for game in order:
            pool.apply(game, known)
        pools.append(pool)
    assert all(pool == pools[0] for pool in pools)
    assert pools[0].residual


def test_a_squad_counts_as_one_opponent_and_a_leaver_beats_no_one() -> None:
    game = Outcome(NOW, (Finish(1, (ALICE, BOB)), Finish(2, (CAROL, DAVE))), frozenset({2}))
    assert [game.share_beaten(person) for person in (1, 2, 3, 4)] == [1, 0, 0, 0]
    assert [game.rank_of(person) for person in (1, 2, 3, 4)] == [1, 3, 2, 2]


def test_shares_count_only_people_as_opponents() -> None:
    game = race(ALICE, Member(computer="ace"), BOB, CAROL)
    assert [game.share_beaten(person) for person in (1, 2, 3)] == [1, Fraction(1, 2), 0]
    assert race(ALICE, Member(computer="pilot")).share_beaten(1) == 0
