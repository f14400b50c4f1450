"""The formula for changes of ratings after one game."""

import time
from itertools import permutations
from math import sqrt

import pytest

from games.standings.ratings import BETA, LEAST_SIGMA, SIGMA, YEARLY_VARIANCE, Side, Skill, rate

NEW = Skill()


def means(ranks: list[int]) -> list[float]:
    return [skills[0].mu for skills in rate([Side(rank, (NEW,)) for rank in ranks])]


def test_two_newcomers_change_by_the_published_formula() -> None:
    """Bradley–Terry: the gain is σ²/c (1 − p).

    The new variance is σ² (1 − σ²/c² p (1 − p)), with c² = 2 (σ² + β²).
    """
    c = sqrt(2 * (SIGMA**2 + BETA**2))
    gain, sigma = SIGMA**2 / c / 2, SIGMA * sqrt(1 - SIGMA**2 / c**2 / 4)
    (won,), (lost,) = rate([Side(1, (NEW,)), Side(2, (NEW,))])
    assert (won.mu, lost.mu) == pytest.approx((25 + gain, 25 - gain), abs=1e-5)
    assert won.sigma == lost.sigma == pytest.approx(sigma, abs=1e-5)


def test_four_newcomers_change_by_the_full_order() -> None:
    assert means([1, 2, 3, 4]) == [29.743416, 24.209431, 23.418861, 22.628292]


@pytest.mark.parametrize("ranks", [[1, 1, 2, 3], [1, 2, 2, 3], [1, 2, 3, 3], [1, 1, 1, 2], [1, 1, 2, 2]])
def test_equal_players_stay_level_and_no_one_behind_gains_more(ranks: list[int]) -> None:
    found = means(ranks)
    for (rank, mu), (other, another) in permutations(zip(ranks, found, strict=True), 2):
        assert mu == another if rank == other else (mu > another) == (rank < other)


def test_a_tie_of_eight_takes_milliseconds() -> None:
    sides = [Side(1, (Skill(20 + number, 5),)) for number in range(8)]
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        rate(sides)
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.02
    assert [after.mu > side.skills[0].mu for side, (after,) in zip(sides, rate(sides), strict=True)] == [
        True, True, True, True, False, False, False, False,
    ]  # fmt: skip


def test_the_order_of_seats_does_not_matter() -> None:
    sides = [Side(2, (Skill(30, 4),)), Side(1, (Skill(22, 6),)), Side(2, (Skill(25, 8),)), Side(3, (NEW,))]
    expected = dict(zip(sides, rate(sides), strict=True))
    for order in permutations(sides):
        assert dict(zip(order, rate(order), strict=True)) == expected


def test_a_fixed_skill_never_changes_and_anchors_others() -> None:
    anchor = Skill(32.5, 0.0, fixed=True)
    for rank in (1, 3):
        assert rate([Side(2, (NEW,)), Side(rank, (anchor,))])[1] == [anchor]
    (beat_ace,), _ = rate([Side(1, (NEW,)), Side(2, (anchor,))])
    (beat_pilot,), _ = rate([Side(1, (NEW,)), Side(2, (Skill(25, 0.0, fixed=True),))])
    assert beat_ace.mu > beat_pilot.mu > 25


def test_squads_win_together() -> None:
    strong, weak = Skill(30, 5), Skill(20, 5)
    (first, second), lost = rate([Side(1, (strong, weak)), Side(2, (NEW, NEW))])
    assert first.mu > 30 and second.mu > 20
    assert lost[0] == lost[1] and lost[0].mu < 25


def test_an_uncertainty_has_a_minimum() -> None:
    skill = Skill(25, LEAST_SIGMA)
    for _ in range(20):
        (skill,), _ = rate([Side(1, (skill,)), Side(2, (Skill(25, LEAST_SIGMA),))])
    assert skill.sigma == LEAST_SIGMA


def test_time_lowers_certainty_at_most_to_a_newcomer_s() -> None:
    assert Skill(30, 3).after(1).sigma == pytest.approx(sqrt(9 + YEARLY_VARIANCE), abs=1e-5)
    assert Skill(30, 3).after(100) == Skill(30, round(SIGMA, 6))
    assert Skill(30, 3).after(-1) == Skill(30, 3)
    assert Skill(30, 0.0, fixed=True).after(9).sigma == 0
