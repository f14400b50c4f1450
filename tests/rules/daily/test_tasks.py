"""Each kind of task of the daily run, with a score that was worked out by hand."""

from typing import Any

import pytest

from rules.codec import read_chip
from rules.daily.search import run
from rules.daily.tasks import KINDS, Task, is_better, sentence_of
from tests.rules.daily.positions import position, robot

A = robot("A", 1, 1, "N")
PARKED = robot("B", 3, 1, "N", down=True)
DRIVER = robot("B", 2, 1, "S")

# North onto the second beam, which pulls to checkpoint 1. Then right, one step east, and two turns.
EAST = ("1", "R", "1", "R", "L")


def cell(x: int, y: int) -> int:
    return position(A).setup.starship.cell(x, y)


@pytest.mark.parametrize(
    ("kind", "task", "robots", "chips", "score"),
    [
        ("reach", {"checkpoint": 1}, [A], EAST, 1),
        ("reach", {"checkpoint": 2}, [A], EAST, None),
        ("checkpoints", {}, [A], ("1", "U", "2", "R", "L"), 2),
        ("cells", {}, [A], EAST, 3),
        ("beams", {}, [A], EAST, 1),
        ("twisters", {}, [A], ("L", "1", "R", "1", "R"), 2),
        ("end", {"at": cell(4, 0), "heading": 1}, [A], EAST, 1),
        ("end", {"at": cell(4, 0), "heading": 0}, [A], EAST, None),
        ("far", {}, [A], EAST, 3),
        ("home", {"checkpoint": 1}, [A], EAST, 3),
        ("damage", {"checkpoint": 1}, [A, DRIVER], EAST, 1),
        ("push", {}, [A, PARKED], ("R", "2", "B", "R", "L"), 0),
        ("push", {}, [A, robot("B", 1, 2, "N", down=True)], ("U", "1", "R", "L", "R"), 1),
        ("hits", {}, [A, PARKED], ("R", "L", "R", "U", "L"), 2),
        ("beside", {}, [A, robot("B", 2, 1, "N", down=True)], ("R", "L", "U", "1", "B"), 4),
        ("cells", {}, [A], ("L", "3", "1", "R", "U"), None),
    ],
)
def test_a_run_gets_its_score(
    kind: str, task: dict[str, Any], robots: list[dict[str, Any]], chips: tuple[str, ...], score: int | None
) -> None:
    programs = {"B": ["U@20", "U@30", "U@40", "U@50", "U@60"]} if robots[1:] else {}
    placed = position(*robots, programs=[programs])
    played = run(placed, Task(KINDS[kind], **task), [tuple(map(read_chip, chips))])
    assert played.finished
    assert played.score == score


def test_there_are_at_least_eight_kinds_and_each_has_a_sentence() -> None:
    ship = position(A).setup.starship
    told = {str(sentence_of(Task(kind, 1, cell(1, 1), 0), ship)) for kind in KINDS.values()}
    assert len(told) == len(KINDS) >= 8
    assert "End as near as possible to column 2, row 2, facing north." in told


def test_failed_runs_are_worse_than_all_others() -> None:
    assert is_better(KINDS["reach"], 3, 4)
    assert is_better(KINDS["cells"], 4, 3)
    assert is_better(KINDS["cells"], 0, None)
    assert not is_better(KINDS["reach"], None, 5)
