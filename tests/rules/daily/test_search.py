"""The proof of par: the search counts the results of the engine."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from rules.daily.search import PROGRAMS, Position, Program, Search, best, run
from rules.daily.tasks import KINDS, Task
from rules.dealing import Hand
from rules.orders import Chip
from tests.rules.daily.positions import position, reaching, robot


def _orders(hand: Hand) -> Iterator[tuple[int, Program]]:
    """Yield a program for each order of kinds, with the number of programs that have this order."""
    counts = Counter(tuple(chip.kind for chip in chips) for chips in permutations(hand, 5))
    for kinds, number in counts.items():
        left: list[Chip] = list(hand)
        program = []
        for kind in kinds:
            chip = next(each for each in left if each.kind == kind)
            left.remove(chip)
            program.append(chip)
        yield number, tuple(program)


def _counted(placed: Position, task: Task) -> Counter[int | None]:
    """Play all programs one by one."""
    scores: Counter[int | None] = Counter()
    for turns in product(*(list(_orders(hand)) for hand in placed.hands)):
        number = 1
        for count, _ in turns:
            number *= count
        scores[run(placed, task, [program for _, program in turns]).score] += number
    return scores


FEW_KINDS = ["1@490", "1@500", "1@510", "1@520", "R@80", "R@100", "R@120", "R@140", "R@160"]


@pytest.mark.parametrize("kind", ["hits", "damage"])
def test_the_search_counts_all_programs_among_moving_robots(kind: str) -> None:
    placed = position(
        robot("A", 1, 1, "N"),
        robot("B", 3, 1, "W"),
        programs=[{"B": ["1@530", "U@20", "2@670", "L@90", "B@440"]}],
    )
    task = Task(KINDS[kind], checkpoint=1)
    proof = best(Search(placed), task)
    assert proof
    played = _counted(placed, task)
    assert proof.failed == played.pop(None, 0)
    assert proof.scores == dict(played)
    assert proof.programs == PROGRAMS == proof.failed + sum(proof.scores.values())


def test_the_search_counts_all_programs_of_two_turns() -> None:
    placed = position(robot("A", 1, 1, "E"), programs=[{}, {}], hands=[FEW_KINDS, FEW_KINDS])
    task = Task(KINDS["reach"], checkpoint=1)
    proof = best(Search(placed), task)
    assert proof
    played = _counted(placed, task)
    assert proof.failed == played.pop(None, 0)
    assert proof.scores == dict(played)
    assert proof.programs == PROGRAMS**2


def test_the_solution_reaches_par() -> None:
    for turns in (1, 2):
        day = reaching(turns)
        assert run(day.position, day.task, day.best.solution).score == day.best.par


def test_a_destroyed_robot_has_finished_its_run() -> None:
    placed = position(robot("A", 1, 1, "W"), programs=[{}, {}], hands=[FEW_KINDS, FEW_KINDS])
    program = (Chip(790, "3"), *[Chip(80, "R")] * 4)
    lost = run(placed, Task(KINDS["cells"]), [program])
    assert (lost.finished, lost.score) == (True, None)
    proof = best(Search(placed), Task(KINDS["checkpoints"]))
    assert proof and proof.failed > 0
