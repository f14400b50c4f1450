"""Describe a drawing in words, each cell and each robot, for readers who cannot see it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, assert_never

from rules import elements
from rules.drawing.robots import Drawable
from rules.grid import HEADINGS as EDGES, OFF, PHASES, opposite
from rules.language import ENGLISH, HEADINGS, N_, Remembered, Words, joined, place_of
from rules.starship import Starship

Lasers = list[tuple[elements.Emitter, tuple[int, ...]]]
"""The board lasers that cross a cell, each with the phases in which its beam crosses the cell."""
Crossings = dict[int, Lasers]
"""The `Lasers` of each cell, by cell number."""


class Part(NamedTuple):
    """One thing in a cell. ``kinds`` are its names in the legend, and ``words`` describe it in detail."""

    kinds: tuple[str, ...]
    words: str


TWISTS = {1: "Twister, right", 3: "Twister, left", 2: "Twister, half turn"}


def kinds_of(cell: elements.Cell) -> set[str]:
    """Return the names that the legend uses for everything in a cell.

    >>> from rules.elements import read_cell
    >>> sorted(kinds_of(read_cell("b1:NE+wN")))
    ['Beam of speed 1', 'Beam, curve', 'Rail']
    """
    found = {
        kind
        for part in (_floor(cell.floor, ENGLISH), *_features(cell, ENGLISH), *_fittings(cell, ENGLISH))
        for kind in part.kinds
    }
    found |= {"Rail"} if cell.rails else set()
    return found | ({"Slide rail"} if cell.slides else set())


def parts_of(ship: Starship, x: int, y: int, _: Words = ENGLISH) -> tuple[Part, ...]:
    """Return the parts of a cell: first its floor, then other elements, then laser beams that cross it."""
    return _Teller(ship, _).parts(ship.cell(x, y), ship.at(x, y))


def parts_by_cell(ship: Starship, _: Words = ENGLISH) -> Iterator[tuple[Part, ...]]:
    """Yield the result of `parts_of` for each cell of a ship, in reading order."""
    teller = _Teller(ship, Remembered(_))
    return (teller.parts(number, cell) for number, cell in ship.numbered())


class _Teller:
    """Describes the cells of a board. Equal cells, edges and lasers are described only once."""

    def __init__(self, ship: Starship, words: Words) -> None:
        self._ship, self._words = ship, words
        self._crossings = crossings(ship)
        self._rails = list(zip(*ship.rails, strict=True))
        self._cells: dict[int, tuple[tuple[Part, ...], tuple[Part, ...]]] = {}
        self._edges: dict[tuple[int, ...], tuple[Part, ...]] = {}
        self._lasers: dict[tuple[int, int, tuple[int, ...]], Part] = {}

    def parts(self, number: int, cell: elements.Cell) -> tuple[Part, ...]:
        _, rails = self._words, self._rails[number]
        if id(cell) not in self._cells:  # by identity: equal cells are the same object, and hashing is slower
            standing = (_floor(cell.floor, _), *_features(cell, _))
            self._cells[id(cell)] = standing, tuple(_fittings(cell, _))
        if rails not in self._edges:
            self._edges[rails] = tuple(_edges(self._ship, number, _))
        standing, fitted = self._cells[id(cell)]
        return (
            *standing,
            *self._edges[rails],
            *fitted,
            *(self._laser(*each) for each in self._crossings.get(number, ())),
        )

    def _laser(self, emitter: elements.Emitter, phases: tuple[int, ...]) -> Part:
        key = emitter.edge, emitter.strength, phases
        if key not in self._lasers:
            self._lasers[key] = _laser(emitter, phases, self._words)
        return self._lasers[key]


def _floor(floor: elements.Floor, _: Words) -> Part:
    match floor:
        case elements.Hull():
            return _plain("Hull", _)
        case elements.Space():
            return _plain("Space", _)
        case elements.Shaft():
            return _plain("Cooling shaft", _)
        case elements.Bay(phases=phases):
            return Part(("Launch bay",), _("Launch bay, shut {when}", when=in_phases(phases, _)))
        case elements.Beam() as beam:
            return _beam(beam, _)
        case elements.Twister(quarters=quarters):
            return _plain(TWISTS[quarters], _)
        case elements.Transporter(network=network):
            return _plain(f"Transporter, {network}", _)
        case elements.Thruster():
            return _plain("Thruster", _)
        case elements.Depot(strength=strength):
            return Part(("Repair depot",), _("Repair depot of strength {strength}", strength=strength))
        case elements.Oil():
            return _plain("Oil", _)
        case elements.Airlock(squad=squad):
            return _plain(f"{squad.capitalize()} squad airlock" if squad else "Airlock", _)
        case elements.Start(seat=seat):
            return Part(("Start cell",), _("Start cell for seat {seat}", seat=seat))
        case elements.Grappler():
            return _plain("Crystal grappler", _)
        case _:
            assert_never(floor)


def _plain(kind: str, _: Words) -> Part:
    """Return a part whose name in the legend is its whole description."""
    return Part((kind,), _(kind))


def _beam(beam: elements.Beam, _: Words) -> Part:
    kind, way = f"Beam of speed {beam.speed}", _(HEADINGS[beam.exit])
    if beam.straight:
        return Part((kind,), _("Beam of speed {speed}, running {way}", speed=beam.speed, way=way))
    entries = joined([_(HEADINGS[side]) for side in beam.entries], _)
    form = "Beam, curve" if len(beam.entries) == 1 else "Beam, intersection"
    told = N_("Beam of speed {speed}, from {entries} to {way}")
    return Part((kind, form), _(told, speed=beam.speed, entries=entries, way=way))


def _features(cell: elements.Cell, _: Words) -> Iterator[Part]:
    if cell.checkpoint:
        damaged = cell.checkpoint.damage > 0
        kind = "Checkpoint with hull damage" if damaged else "Checkpoint"
        yield Part((kind,), _("Checkpoint {number}", number=cell.checkpoint.number))
    if cell.crusher:
        yield Part(("Crusher",), _("Crusher {when}", when=in_phases(cell.crusher, _)))


def _edges(ship: Starship, cell: int, _: Words) -> Iterator[Part]:
    rails = []
    for edge in EDGES:
        if ship.railed_always(cell, edge):
            rails.append(_(HEADINGS[edge]))
        elif ship.railed_ever(cell, edge):
            passable = tuple(phase for phase in PHASES if not ship.rails[phase][cell] >> edge & 1)
            told = N_("Slide rail to the {side}, open {when}")
            yield Part(("Slide rail",), _(told, side=_(HEADINGS[edge]), when=in_phases(passable, _)))
    if rails:
        yield Part(("Rail",), _("Rail to the {sides}", sides=joined(rails, _)))


def _fittings(cell: elements.Cell, _: Words) -> Iterator[Part]:
    for edge in cell.couplings:
        yield Part(("Power coupling",), _("Power coupling to the {side}", side=_(HEADINGS[edge])))
    for arm in cell.arms:
        way = _(HEADINGS[opposite(arm.edge)])
        if arm.phases == PHASES:
            yield Part(("Docking arm",), _("Docking arm that pushes {way}", way=way))
        else:
            told = N_("Docking arm that pushes {way} {when}")
            yield Part(("Docking arm with phases",), _(told, way=way, when=in_phases(arm.phases, _)))
    for emitter in cell.emitters:
        way, told = _(HEADINGS[opposite(emitter.edge)]), N_("Laser of strength {strength}, firing {way}")
        yield Part(("Laser",), _(told, strength=emitter.strength, way=way))


def crossings(ship: Starship) -> Crossings:
    """Return the board lasers that enter each cell from another cell, each with its phases in that cell."""
    found: Crossings = {}
    rays = zip(*(ship.laser_beams[phase] for phase in PHASES), strict=True)
    for (_origin, emitter), beams in zip(ship.emitters, rays, strict=True):
        lengths = [len(beam.cells) for beam in beams]
        longest = beams[lengths.index(max(lengths))].cells
        ends = sorted({1, *lengths})
        for near, far in pairwise(ends):
            phases = tuple(phase for phase, length in zip(PHASES, lengths, strict=True) if near < length)
            crossing = emitter, phases
            for cell in longest[near:far]:
                found.setdefault(cell, []).append(crossing)
    return found


def _laser(emitter: elements.Emitter, phases: tuple[int, ...], _: Words) -> Part:
    told = N_("In the line of fire of a laser of strength {strength} from the {side}")
    if phases != PHASES:
        told = N_("In the line of fire of a laser of strength {strength} from the {side}, {when}")
    side, when = _(HEADINGS[emitter.edge]), in_phases(phases, _)
    return Part(("Laser",), _(told, strength=emitter.strength, side=side, when=when))


def in_phases(phases: Sequence[int], _: Words = ENGLISH) -> str:
    """Return phases in words, as the time when an element acts.

    >>> in_phases((2, 4)), in_phases((3,)), in_phases((1, 2, 3, 4, 5))
    ('in phases 2 and 4', 'in phase 3', 'in every phase')
    """
    if tuple(phases) == PHASES:
        return _("in every phase")
    listed = joined([str(phase) for phase in phases], _)
    return _.ngettext("in phase {phases}", "in phases {phases}", len(phases), phases=listed)


def describe(
    ship: Starship,
    robots: Iterable[Drawable],
    hull: Mapping[int, int],
    following: int | None,
    _: Words = ENGLISH,
) -> str:
    """Describe a ship in sentences: its size, its checkpoints, and its robots.

    Columns and rows count from 1.
    """
    columns = _.ngettext("{number} column", "{number} columns", ship.width)
    rows = _.ngettext("{number} row", "{number} rows", ship.height)
    sentences = [_("{columns} by {rows}.", columns=columns, rows=rows)]
    for number, cell in ship.checkpoints.items():
        place = _("Checkpoint {number} at {cell}", number=number, cell=_place(ship, cell, _))
        sentences.append(_told([place, *_state(hull.get(number, 0), number == following, _)]))
    for robot in robots:
        if robot.cell != OFF:
            place = _("{robot} at {cell}", robot=robot.name, cell=_place(ship, robot.cell, _))
            sentences.append(_told([place, *_stance(robot, _)]))
    return " ".join(sentences)


def _state(left: int, following: bool, _: Words) -> Iterator[str]:
    if left:
        yield _.ngettext("{number} repair left", "{number} repairs left", left)
    if following:
        yield _("next")


def _stance(robot: Drawable, _: Words) -> Iterator[str]:
    if robot.heading is not None:
        yield _("facing {way}", way=_(HEADINGS[robot.heading]))
    if robot.damage:
        yield _("damage {number}", number=robot.damage)
    if robot.virtual:
        yield _("virtual")
    if robot.down:
        yield _("down")


def _told(parts: list[str]) -> str:
    return f"{', '.join(parts)}."


def _place(ship: Starship, cell: int, _: Words) -> str:
    return place_of(ship.pos(cell), _)
