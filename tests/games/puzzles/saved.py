"""A puzzle on a small ship, for tests."""

from functools import lru_cache
from typing import Any

import rules
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.puzzles.mining import add_puzzle
from games.puzzles.models import Puzzle
from rules.puzzles.mining import Puzzle as Position
from tests.rules.puzzles.positions import SHIP, simulated
from tests.support.clock import NOW


def position() -> Position:
    return simulated()[0]


def right() -> list[int]:
    """Return the numbers of the chips of the solution."""
    return [chip.number for chip in position().solution]


@lru_cache
def wrong() -> list[int]:
    """Return the numbers of the chips of a program that is not right."""
    world, solution = position().world(), position().solution
    program = tuple(chip for chip in sorted(position().hand) if chip not in solution[:1])[: rules.REGISTERS]
    assert world.after(program) != world.after(solution)
    return [chip.number for chip in program]


@lru_cache
def _ship() -> Any:
    return rules.parse(SHIP.read_bytes())


def saved_ship() -> Starship:
    return save_starship(document=_ship(), section="fleet", now=NOW)


def saved_puzzle(ship: Starship | None = None, *, origin: str = "simulated/test/9/2/3") -> Puzzle:
    board = (ship or saved_ship()).revisions.get()
    add_puzzle(position(), revision=board, origin=origin, now=NOW)
    return Puzzle.objects.get(origin=origin)
