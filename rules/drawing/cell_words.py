"""What is in a cell, in words: floor and fittings, with their directions and phases."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from rules.drawing.words import HEADINGS
from rules.elements import (
    Airlock,
    Bay,
    Beam,
    Cell,
    Depot,
    Floor,
    Grappler,
    Hull,
    Oil,
    Shaft,
    Space,
    Start,
    Thruster,
    Transporter,
    Twister,
)
from rules.grid import HEADINGS as EDGES
from rules.grid import PHASES, opposite
from rules.starship import Starship


class Part(NamedTuple):
    """One thing in a cell: under which names the legend explains it, and what is to be said of this one."""

    kinds: tuple[str, ...]
    words: str


TWISTS = {1: "right", 3: "left", 2: "half turn"}


def kinds_of(cell: Cell) -> set[str]:
    """Return the names under which the legend explains what a cell has.

    >>> from rules.cell_notation import read_cell
    >>> sorted(kinds_of(read_cell("b1:NE+wN")))
    ['Beam of speed 1', 'Beam, curve', 'Rail']
    """
    found = {kind for part in (_floor(cell.floor), *_features(cell), *_fittings(cell)) for kind in part.kinds}
    found |= {"Rail"} if cell.rails else set()
    return found | ({"Slide rail"} if cell.slides else set())


def parts_of(ship: Starship, x: int, y: int) -> tuple[Part, ...]:
    """Return what is in a cell, its floor first; with rails of its neighbours' and lasers that cross it."""
    cell = ship.at(x, y)
    return (
        _floor(cell.floor),
        *_features(cell),
        *_edges(ship, ship.cell(x, y)),
        *_fittings(cell),
        *_lasers(ship, ship.cell(x, y)),
    )


def _floor(floor: Floor) -> Part:
    match floor:
        case Hull():
            return Part(("Hull",), "Hull")
        case Space():
            return Part(("Space",), "Space")
        case Shaft():
            return Part(("Cooling shaft",), "Cooling shaft")
        case Bay(phases=phases):
            return Part(("Launch bay",), f"Launch bay, shut {in_phases(phases)}")
        case Beam() as beam:
            return _beam(beam)
        case Twister(quarters=quarters):
            return Part((name := f"Twister, {TWISTS[quarters]}",), name)
        case Transporter(network=network):
            return Part((name := f"Transporter, {network}",), name)
        case Thruster():
            return Part(("Thruster",), "Thruster")
        case Depot(strength=strength):
            return Part(("Repair depot",), f"Repair depot of strength {strength}")
        case Oil():
            return Part(("Oil",), "Oil")
        case Airlock(squad=squad):
            return Part((name := f"Airlock of the {squad} squad" if squad else "Airlock",), name)
        case Start(seat=seat):
            return Part(("Start cell",), f"Start cell of seat {seat}")
        case Grappler():
            return Part(("Crystal grappler",), "Crystal grappler")
        case _:
            assert_never(floor)


def _beam(beam: Beam) -> Part:
    kind, way = f"Beam of speed {beam.speed}", f"to the {HEADINGS[beam.exit]}"
    if beam.straight:
        return Part((kind,), f"{kind}, {way}")
    entries = listed([HEADINGS[side] for side in beam.entries])
    form = "Beam, curve" if len(beam.entries) == 1 else "Beam, intersection"
    return Part((kind, form), f"{kind}, from {entries} {way}")


def _features(cell: Cell) -> Iterator[Part]:
    if cell.checkpoint:
        damaged = cell.checkpoint.damage > 0
        kind = "Checkpoint with hull damage" if damaged else "Checkpoint"
        yield Part((kind,), f"Checkpoint {cell.checkpoint.number}")
    if cell.crusher:
        yield Part(("Crusher",), f"Crusher {in_phases(cell.crusher)}")


def _edges(ship: Starship, cell: int) -> Iterator[Part]:
    rails = []
    for edge in EDGES:
        if ship.railed_always(cell, edge):
            rails.append(HEADINGS[edge])
        elif ship.railed_ever(cell, edge):
            passable = tuple(phase for phase in PHASES if not ship.rails[phase][cell] >> edge & 1)
            yield Part(("Slide rail",), f"Slide rail in the {HEADINGS[edge]}, open {in_phases(passable)}")
    if rails:
        yield Part(("Rail",), f"Rail in the {listed(rails)}")


def _fittings(cell: Cell) -> Iterator[Part]:
    for edge in cell.couplings:
        yield Part(("Power coupling",), f"Power coupling in the {HEADINGS[edge]}")
    for arm in cell.arms:
        way = f"Docking arm that pushes {HEADINGS[opposite(arm.edge)]}"
        if arm.phases == PHASES:
            yield Part(("Docking arm",), way)
        else:
            yield Part(("Docking arm with phases",), f"{way} {in_phases(arm.phases)}")
    for emitter in cell.emitters:
        way = f"that shoots {HEADINGS[opposite(emitter.edge)]}"
        yield Part(("Laser",), f"Laser of strength {emitter.strength} {way}")


def _lasers(ship: Starship, cell: int) -> Iterator[Part]:
    """Yield the lasers of other cells whose beam crosses this one."""
    for index, (origin, emitter) in enumerate(ship.emitters):
        crossing = tuple(phase for phase in PHASES if cell in ship.laser_beams[phase][index][2])
        if crossing and origin != cell:
            when = "" if crossing == PHASES else f" {in_phases(crossing)}"
            side = HEADINGS[emitter.edge]
            yield Part(
                ("Laser",), f"In the line of a laser of strength {emitter.strength} from the {side}{when}"
            )


def in_phases(phases: Sequence[int]) -> str:
    """Say in which phases something happens.

    >>> in_phases((2, 4)), in_phases((3,)), in_phases((1, 2, 3, 4, 5))
    ('in phases 2 and 4', 'in phase 3', 'in every phase')
    """
    if tuple(phases) == PHASES:
        return "in every phase"
    return f"in {'phase' if len(phases) == 1 else 'phases'} {listed([str(phase) for phase in phases])}"


def listed(words: Sequence[str]) -> str:
    """Join words as one speaks.

    >>> listed(["north", "east", "south"])
    'north, east and south'
    """
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
