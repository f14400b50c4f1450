"""What is wrong with a ship before it is flown. A ship with any of these faults is never flown."""

from collections.abc import Iterator
from typing import Final

from rules.design.genome import Brief, Genome
from rules.design.goals import legs_of
from rules.design.ways import distances, two_ways
from rules.elements import Beam, Space
from rules.errors import SetupError
from rules.starship import Starship
from rules.suitability import make_setup
from rules.survey import survey
from rules.tunnel.board import board_findings
from rules.tunnel.geometry import can_stand, elements_share
from rules.tunnel.limits import LIMITS
from rules.tunnel.outlook import outlook_of
from rules.tunnel.run import Run

MOST_KINDS: Final = 5
"""Kinds of elements on a ship: one theme, not everything."""
UNCOUNTED: Final = frozenset(
    {"hull", "space", "airlock", "coloured airlock", "start cell", "checkpoint", "grappler"}
)
"""What is on a ship whatever its theme is."""
LEAST_ELEMENTS: Final = 0.14
"""Share of cells that bear an element at least, as in the fleet."""
MOST_ELEMENTS: Final = 0.6
"""Share of cells that bear an element at most: there is open space for bad hands."""
LEAST_HULL: Final = 0.45
"""Share of the board that is hull at least."""


def kinds_of(ship: Starship) -> set[str]:
    """Return the kinds of elements on a ship; beams of all speeds are one."""
    names = {"beam" if isinstance(cell.floor, Beam) else "" for cell in ship.cells}
    names |= {name for cell in ship.cells for name in cell.elements if not name.startswith("beam")}
    return names - UNCOUNTED - {""}


def faults(genome: Genome, brief: Brief) -> Iterator[str]:
    """Yield what is wrong with a design, in words."""
    ship = genome.starship()
    try:
        setup = make_setup(brief.ruleset, {}, ship, brief.players)
    except SetupError as error:
        yield str(error)
        return
    yield from (str(problem) for problem in survey(ship))
    starts = Run(setup, brief.players).start_cells
    if len(kinds_of(ship)) > MOST_KINDS:
        yield "too many kinds of elements"
    if not LEAST_ELEMENTS <= elements_share(ship) <= MOST_ELEMENTS:
        yield "too few elements or too many"
    if sum(not isinstance(cell.floor, Space) for cell in ship.cells) < LEAST_HULL * len(ship.cells):
        yield "too little hull"
    yield from _ways(ship, brief, starts)
    outlook = outlook_of(ship, brief.ruleset, brief.players)
    yield from (finding.kind for finding in board_findings(ship, outlook, LIMITS[brief.ruleset.key]))


def _ways(ship: Starship, brief: Brief, starts: list[int]) -> Iterator[str]:
    if not starts:
        return
    reached = distances(ship, starts[0])
    if any(can_stand(ship, cell) and cell not in reached for cell, _ in ship.numbered()):
        yield "cells that no safe way leads to"
    for one, other in legs_of(ship, brief.ruleset, starts):
        if not two_ways(ship, one, other):
            yield "a leg with one way alone"
