"""A puzzle from a simulated game on a small ship, for tests."""

from functools import lru_cache
from pathlib import Path

import rules
from rules.puzzles.mining import Puzzle
from rules.puzzles.simulation import puzzles_of_game

SHIP = Path(__file__).parents[3] / "fixtures" / "starships" / "01-hull-walker.json"
SEED = "test"


@lru_cache
def walker() -> rules.Starship:
    return rules.read_starship(rules.parse(SHIP.read_bytes()))


@lru_cache
def simulated() -> tuple[Puzzle, ...]:
    """Return the puzzles of a simulated game. It has one."""
    return tuple(puzzle for _, puzzle in puzzles_of_game([walker()], SEED, 9))
