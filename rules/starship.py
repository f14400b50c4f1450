"""A starship: a board that never changes, with lookup tables for turns.

Cells are numbered row by row on a grid that includes one ring of space around the board. A cell's neighbour
is therefore found by addition, and a robot that leaves the board is in a cell too (G-1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import and_, or_

from rules.elements import (
    Airlock,
    Arm,
    Bay,
    Beam,
    Cell,
    Depot,
    Emitter,
    Grappler,
    Hull,
    Oil,
    Shaft,
    SlideRail,
    Space,
    Start,
    Thruster,
    Transporter,
    Twister,
)
from rules.events import Shot
from rules.grid import AFTER, BEFORE, HEADINGS, OFF, PHASES, Pos, opposite, quarters_between

Falls = list[str | None]


@dataclass(frozen=True, slots=True)
class Pull:
    """The effect of an active beam on a robot: the target cell, and the turn in the next beam (G-5).

    ``quarters`` is the number of quarter turns to the right, or 0. ``changes_speed`` is true if the next beam
    has another speed.
    """

    target: int
    quarters: int
    changes_speed: bool


Pulling = list[Pull | None]
"""The pull of the beam in each cell, or None. The last entry is for robots off the board, and is None."""

Sight = tuple[int, ...]
"""The cells in a line of sight, nearest first."""


@dataclass(frozen=True, slots=True)
class LaserBeam:
    """A board laser: its cell, its strength, and the cells in its line, from its own cell on."""

    emitter: int
    strength: int
    cells: tuple[int, ...]


class Starship:
    """A board of ``width`` × ``height`` cells, with ``cells`` in reading order.

    ``rails[phase][cell]`` has a bit set for each heading that a rail blocks in that phase.
    ``ways[phase][heading][cell]`` is the next cell, or OFF if a rail blocks the way.
    ``pulls[speeds][phase][cell]`` is the effect of beams of these speeds (`find_pulls`).
    ``falls[phase][cell]`` is the cause of destruction in a cell (``"shaft"``, ``"space"``, ``"bay"``) or
    None. ``sights[phase]`` has the lines of sight found so far (`look`). ``laser_beams[phase]`` are the
    board's lasers, and ``lit`` the cells in their lines in any phase. The last two are calculated on first
    use, because drawing or checking a board needs neither. Outside of phases 1 to 5, all slide rails are
    closed and all bay doors are open.
    """

    def __init__(
        self,
        width: int,
        height: int,
        cells: Sequence[Cell],
        name: str = "",
        builder: str = "",
        description: str = "",
    ) -> None:
        if len(cells) != width * height:
            raise ValueError(f"{width} × {height} cells expected, not {len(cells)}")
        self.name = name
        self.builder = builder
        self.description = description
        self.width = width
        self.height = height
        self.cells = tuple(cells)
        self.stride = width + 2
        self.size = self.stride * (height + 2)
        self.steps = (-self.stride, 1, self.stride, -1)
        self._compile_floors()
        self._compile_rails()
        self._compile_fittings()
        self.pulls: dict[frozenset[int], list[Pulling]] = {}
        self._laser_beams: list[list[LaserBeam]] | None = None
        self._lit: frozenset[int] | None = None
        self._elements: dict[str, list[int]] | None = None
        self._tokens: list[str] | None = None
        self._fingerprint = ""
        # Shots of board lasers that hit no robot, by step and phase. They are the same in every turn.
        self.idle_shots: dict[str, list[list[Shot]]] = {}

    def __repr__(self) -> str:
        return f"<Starship {self.name!r} {self.width}×{self.height}>"

    @property
    def fingerprint(self) -> str:
        """A hash of the board's size and cells, without its texts."""
        if not self._fingerprint:
            contents = repr((self.width, self.tokens))
            self._fingerprint = sha256(contents.encode(errors="surrogatepass")).hexdigest()
        return self._fingerprint

    def cell(self, x: int, y: int) -> int:
        """Return the number of the cell in column ``x`` and row ``y``."""
        return (y + 1) * self.stride + x + 1

    def pos(self, cell: int) -> Pos:
        """Return the column and row of a cell.

        In the ring of space, the column is -1 or the width, or the row is -1 or the height.
        """
        return cell % self.stride - 1, cell // self.stride - 1

    def inside(self, cell: int) -> bool:
        """Return whether a cell is on the board, and not in the ring of space around it."""
        x, y = self.pos(cell)
        return 0 <= x < self.width and 0 <= y < self.height

    def at(self, x: int, y: int) -> Cell:
        return self.cells[y * self.width + x]

    def numbered(self) -> Iterator[tuple[int, Cell]]:
        """Yield the number of each cell of the board and the cell itself, in reading order."""
        for y in range(self.height):
            first = self.cell(0, y)
            row = self.cells[y * self.width : (y + 1) * self.width]
            yield from zip(range(first, first + self.width), row, strict=True)

    @property
    def tokens(self) -> list[str]:
        """All cells in canonical notation, in reading order."""
        if self._tokens is None:
            written: dict[int, str] = {}  # by identity, since hashing is slower
            for cell in self.cells:
                if id(cell) not in written:
                    written[id(cell)] = cell.token
            self._tokens = [written[id(cell)] for cell in self.cells]
        return self._tokens

    @property
    def elements(self) -> dict[str, list[int]]:
        """The numbers of the cells with each element, in reading order, by the element's name."""
        if self._elements is None:
            found: dict[str, list[int]] = {}
            named: dict[int, tuple[str, ...]] = {}  # by identity, as hashing is slower
            for number, cell in self.numbered():
                if id(cell) not in named:
                    named[id(cell)] = cell.elements
                for name in named[id(cell)]:
                    found.setdefault(name, []).append(number)
            self._elements = found
        return self._elements

    def _compile_floors(self) -> None:
        self.beams: dict[int, Beam] = {}
        self.twisters: dict[int, int] = {}
        self.networks: dict[str, list[int]] = {}
        self.bays: dict[int, tuple[int, ...]] = {}
        self.depots: dict[int, int] = {}
        self.starts: dict[int, int] = {}
        self.airlocks: list[int] = []
        self.squad_airlocks: dict[str, list[int]] = {}
        self.grapplers: list[int] = []
        self.checkpoints: dict[int, int] = {}
        self.checkpoint_at: dict[int, int] = {}
        self.hull_damage: dict[int, int] = {}
        self.crushers: dict[int, tuple[int, ...]] = {}
        thrusters, oil, hull = set(), set(), set()
        falls: Falls = ["space"] * self.size
        for number, cell in self.numbered():
            falls[number] = None
            match cell.floor:
                case Hull():
                    hull.add(number)
                case Space():
                    falls[number] = "space"
                case Shaft():
                    falls[number] = "shaft"
                case Bay(phases=phases):
                    falls[number] = "bay"
                    self.bays[number] = phases
                case Beam() as beam:
                    self.beams[number] = beam
                case Twister(quarters=quarters):
                    self.twisters[number] = quarters
                case Transporter(network=network):
                    self.networks.setdefault(network, []).append(number)
                case Thruster():
                    thrusters.add(number)
                case Depot(strength=strength):
                    self.depots[number] = strength
                case Oil():
                    oil.add(number)
                case Airlock(squad=squad):
                    self.airlocks.append(number)
                    if squad:
                        self.squad_airlocks.setdefault(squad, []).append(number)
                case Start(seat=seat):
                    self.starts[seat] = number
                case Grappler():
                    self.grapplers.append(number)
            if cell.checkpoint:
                self.checkpoints[cell.checkpoint.number] = number
                self.checkpoint_at[number] = cell.checkpoint.number
                if cell.checkpoint.damage:
                    self.hull_damage[cell.checkpoint.number] = cell.checkpoint.damage
            if cell.crusher:
                self.crushers[number] = cell.crusher
        self.thrusters, self.oil, self.hull = frozenset(thrusters), frozenset(oil), frozenset(hull)
        self.checkpoints = dict(sorted(self.checkpoints.items()))
        self.hull_damage = dict(sorted(self.hull_damage.items()))
        self.falls: list[Falls] = []
        for phase in (BEFORE, *PHASES, AFTER):
            closed = [number for number, phases in self.bays.items() if phase in phases]
            table = list(falls) if closed else falls
            for number in closed:
                table[number] = None
            self.falls.append(table)

    def _compile_rails(self) -> None:
        fixed = [0] * self.size
        sliding: list[tuple[int, SlideRail]] = []
        for number, cell in self.numbered():
            for edge in cell.rails:
                self._block(fixed, number, edge)
            sliding += [(number, slide) for slide in cell.slides]
        self.rails: list[list[int]] = []
        for phase in (BEFORE, *PHASES, AFTER):
            table = list(fixed)
            for number, slide in sliding:
                if phase not in slide.phases:
                    self._block(table, number, slide.edge)
            self.rails.append(table)
        self._railed_ever = [reduce(or_, tables) for tables in zip(*self.rails, strict=True)]
        in_turns = (self.rails[phase] for phase in PHASES)
        self._railed_always = [reduce(and_, tables) for tables in zip(*in_turns, strict=True)]
        # Without slide rails, the ways of robots and light are the same in all phases.
        self.slides = bool(sliding)
        ways = self._ways(BEFORE)
        unseen = self._unseen()
        self.ways = [self._ways(phase) if sliding else ways for phase in (BEFORE, *PHASES, AFTER)]
        self.sights = [self._unseen() if sliding else unseen for _ in self.rails]

    def _ways(self, phase: int) -> list[list[int]]:
        rails = self.rails[phase]
        ways = [[OFF] * self.size for _ in HEADINGS]
        for heading, step in enumerate(self.steps):
            barred, table = 1 << heading, ways[heading]
            for first in range(self.stride + 1, self.size - self.stride, self.stride):
                end = first + self.width
                table[first:end] = [
                    OFF if rail & barred else cell + step for cell, rail in enumerate(rails[first:end], first)
                ]
        return ways

    def _unseen(self) -> list[list[Sight | None]]:
        return [[None] * self.size for _ in HEADINGS]

    def _block(self, table: list[int], cell: int, edge: int) -> None:
        """Put a rail on an edge of a cell. The rail also counts for the cell beyond the edge (G-1.3)."""
        table[cell] |= 1 << edge
        table[cell + self.steps[edge]] |= 1 << opposite(edge)

    def _compile_fittings(self) -> None:
        self.couplings: dict[int, int] = {}
        self.arms: dict[int, tuple[Arm, ...]] = {}
        emitters: list[tuple[int, Emitter]] = []
        for number, cell in self.numbered():
            if cell.couplings:
                self.couplings[number] = sum(1 << edge for edge in cell.couplings)
            if cell.arms:
                self.arms[number] = tuple(sorted(cell.arms, key=lambda arm: arm.edge))
            emitters += [(number, emitter) for emitter in cell.emitters]
        self.emitters = tuple(emitters)
        self.speeds = frozenset(beam.speed for beam in self.beams.values())

    @property
    def laser_beams(self) -> list[list[LaserBeam]]:
        """The board's lasers in each phase."""
        if self._laser_beams is None:
            self._laser_beams = [
                [self._laser_beam(phase, cell, emitter) for cell, emitter in self.emitters]
                for phase in (BEFORE, *PHASES, AFTER)
            ]
        return self._laser_beams

    @property
    def lit(self) -> frozenset[int]:
        """The cells in the line of a board laser, in any phase."""
        if self._lit is None:
            beams = self.laser_beams if self.slides else self.laser_beams[:1]
            self._lit = frozenset([cell for each in beams for beam in each for cell in beam.cells])
        return self._lit

    def _laser_beam(self, phase: int, cell: int, emitter: Emitter) -> LaserBeam:
        cells = (cell, *self.look(phase, cell, opposite(emitter.edge)))
        return LaserBeam(cell, emitter.strength, cells)

    def look(self, phase: int, cell: int, heading: int) -> Sight:
        """Return the cells in a line of sight, up to a rail or the end of the board (G-6.2).

        The nearest cell comes first. ``sights`` caches the result.
        """
        known = self.sights[phase][heading][cell]
        if known is not None:
            return known
        cells: list[int] = []
        ways = self.ways[phase][heading]
        ahead = ways[cell]
        while ahead != OFF:
            cells.append(ahead)
            ahead = ways[ahead]
        if cells and not self.inside(cells[-1]):  # the space around the board has no ways
            cells.pop()
        found = tuple(cells)
        self.sights[phase][heading][cell] = found
        return found

    def find_pulls(self, speeds: frozenset[int]) -> list[Pulling]:
        """Return the pulls of all beams of these speeds, by phase and cell (G-5).

        ``pulls`` caches the result. Pulls against a rail or a head-on beam never happen, so the
        result leaves them out (G-5.2). Damaged hull and robots may prevent other pulls.
        """
        if speeds in self.pulls:
            return self.pulls[speeds]
        different = self.ways if self.slides else self.ways[:1]
        active = [
            (cell, beam, self._pull(cell, beam))
            for cell, beam in self.beams.items()
            if beam.speed in speeds and not self._head_on(cell, beam, speeds)
        ]
        tables = [self._pulling(active, ways) for ways in different]
        self.pulls[speeds] = found = tables if self.slides else tables * len(self.ways)
        return found

    def _pulling(self, active: list[tuple[int, Beam, Pull]], ways: list[list[int]]) -> Pulling:
        table: Pulling = [None] * self.size
        for cell, beam, pull in active:
            if ways[beam.exit][cell] != OFF:
                table[cell] = pull
        return table

    def _head_on(self, cell: int, beam: Beam, speeds: frozenset[int]) -> bool:
        ahead = self.beams.get(cell + self.steps[beam.exit])
        return ahead is not None and ahead.speed in speeds and ahead.exit == opposite(beam.exit)

    def _pull(self, cell: int, beam: Beam) -> Pull:
        """Return the effect of a beam on a robot in its cell.

        The robot turns if it enters the next beam from the side (G-5.4, G-5.5).
        """
        target = cell + self.steps[beam.exit]
        ahead, side = self.beams.get(target), opposite(beam.exit)
        curved = ahead is not None and side in ahead.entries and side != opposite(ahead.exit)
        quarters = quarters_between(beam.exit, ahead.exit) if ahead and curved else 0
        return Pull(target, quarters, ahead is not None and ahead.speed != beam.speed)

    def railed_ever(self, cell: int, heading: int) -> bool:
        """Return whether the edge in this heading has a rail or a closed slide rail in any phase."""
        return bool(self._railed_ever[cell] >> heading & 1)

    def railed_always(self, cell: int, heading: int) -> bool:
        """Return whether the edge in this heading is closed in all five phases."""
        return bool(self._railed_always[cell] >> heading & 1)
