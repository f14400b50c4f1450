"""The limits past which a figure is a fault. docs/tunnel.md says where each number comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from rules.starship import Starship

SHIFT_RED: Final = 0.18
SHIFT_AMBER: Final = 0.09
"""How far the mean place of a start may be from the middle one, as a share of the places between first and
last: 0.18 is half of a fair share of wins, 0.09 three quarters of it."""

UNFINISHED: Final = 0.05
"""Share of flights that are given up."""
BEHIND: Final = 5.0
"""Phases by which a start may be farther from the first checkpoint than the others: a whole turn."""
FIELD: Final = 0.22
"""Share of the cells, without space, that an empty field may take up."""
FIELD_CELLS: Final = 20
"""Cells of the smallest field that counts."""
START_FIRE: Final = 1
"""Damage that lasers of the board may do to a robot on a start in one phase."""
FEWEST_DEATHS: Final = 20
"""Deaths without which no cell is called deadly."""
UNUSED_FLIGHTS: Final = 100
"""Flights without which no cell is called unused."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a ruleset, set from starships of the fleet and from boards of other authors.

    ``length`` has the fewest and the most turns of Pilot flights in the median, for each cell along the side
    of a square board as large: larger ships make longer games. ``last_turn`` is the largest share of them in
    which the robot lost that led before the last turn, and ``half_time`` the least share in which the one did
    that led at half time. ``deadly`` is a share of all deaths in one cell, and
    ``airlock`` counts the deaths near the start for each Rookie. ``waiting`` is the share of turns in which
    robots are virtual. ``leg`` says how many times as slow as the others the way to a checkpoint may be, and
    ``unused`` is the share of cells that no robot enters. ``fire`` is the damage by lasers of the board in
    100 turns of robots. ``shelter`` is the least share of sheltered cells around starts, None where robots do
    not come back there, and ``elements`` the least share of cells that bear an element.
    """

    length: tuple[float, float]
    last_turn: float
    deadly: float
    airlock: float
    waiting: float
    leg: float
    unused: float
    fire: float
    half_time: float
    shelter: float | None
    elements: float

    def length_of(self, ship: Starship) -> tuple[float, float]:
        """Return the fewest and the most turns of Pilot flights in the median, on a ship of that size."""
        least, most = self.length
        return least * side_of(ship), most * side_of(ship)


def side_of(ship: Starship) -> float:
    """Return how many cells a square board that is as large has along its side."""
    return sqrt(ship.width * ship.height)


LIMITS: Final[Mapping[str, Limits]] = {
    "robo-runner": Limits(
        length=(0.18, 1.67),
        last_turn=0.50,
        deadly=0.53,
        airlock=0.24,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=195,
        half_time=0.09,
        shelter=0.11,
        elements=0.08,
    ),
    "robo-recon": Limits(
        length=(0.43, 3.33),
        last_turn=0.73,
        deadly=0.42,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.18,
        shelter=0.08,
        elements=0.08,
    ),
    "robo-arena": Limits(
        length=(1.46, 8.49),
        last_turn=0.50,
        deadly=0.70,
        airlock=0.20,
        waiting=0.66,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.13,
        shelter=0.11,
        elements=0.08,
    ),
    "amigo-1999": Limits(
        length=(0.21, 1.67),
        last_turn=0.50,
        deadly=0.90,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.04,
        shelter=None,
        elements=0.07,
    ),
    "factory-1999": Limits(
        length=(0.33, 2.45),
        last_turn=0.50,
        deadly=0.41,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=200,
        half_time=0.04,
        shelter=0.11,
        elements=0.08,
    ),
    "group-11": Limits(
        length=(0.21, 1.41),
        last_turn=0.50,
        deadly=0.54,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=220,
        half_time=0.09,
        shelter=None,
        elements=0.08,
    ),
    "websocket": Limits(
        length=(0.23, 1.35),
        last_turn=0.50,
        deadly=0.66,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=166,
        half_time=0.09,
        shelter=None,
        elements=0.08,
    ),
}
"""The limits of each ruleset, as ``python -m bench.tunnel --limits`` prints them."""
