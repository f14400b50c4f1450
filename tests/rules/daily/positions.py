"""Small positions of the daily run, for tests."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from rules.daily.days import Day, position_of
from rules.daily.search import Position, Search, best
from rules.daily.tasks import KINDS, Task

ROWS = ["b1:E b1:E .+i1 . ~", "g+ . . . .", ". . .+i2 o ."]
"""Row 1 has two beams to checkpoint 1. A twister is at the left end of row 2."""

TODAY = date(2026, 11, 21)
"""The date of `tests.support.clock.NOW`, which needs Django."""

HAND = ["1@490", "1@500", "2@670", "3@790", "B@430", "R@80", "R@100", "L@70", "U@10"]


def robot(name: str, x: int, y: int, heading: str, **more: Any) -> dict[str, Any]:
    rank = ord(name) - ord("A") + 1
    return {"name": name, "at": [x, y], "start": [x, y], "heading": heading, "rank": rank, **more}


def position(
    *robots: Mapping[str, Any],
    programs: Sequence[Mapping[str, Sequence[str]]] = ({},),
    hands: Sequence[Sequence[str]] = (HAND,),
) -> Position:
    """Return a position on the board `ROWS`."""
    return position_of({"format": "starship/1", "rows": ROWS}, list(robots), programs, hands)


def reaching(turns: int = 1) -> Day:
    """Return a day with the task to inspect checkpoint 2, on the board `ROWS`."""
    placed = position(robot("A", 1, 1, "N"), programs=[{}] * turns, hands=[HAND] * turns)
    task = Task(KINDS["reach"], checkpoint=2)
    proof = best(Search(placed), task)
    assert proof
    return Day(TODAY, task, placed, proof)
