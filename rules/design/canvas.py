"""A canvas: floors and features of a ship that is being put together, until they become a starship."""

from collections.abc import Iterable
from typing import Final

from rules.design.motifs import DEADLY, FLOORS, Mark, Motif, step
from rules.design.symmetry import SAME, Symmetry
from rules.elements import (
    SQUADS,
    Airlock,
    Arm,
    Bay,
    Beam,
    Cell,
    Checkpoint,
    Depot,
    Emitter,
    Floor,
    Grappler,
    Hull,
    Oil,
    Shaft,
    Space,
    Start,
    Transporter,
    Twister,
)
from rules.grid import HEADINGS, PHASES, E, Pos, S, opposite
from rules.starship import Starship

Edge = tuple[Pos, int]
"""An edge between two cells, by the western or northern one."""

SENSES: Final = {"+": 1, "2": 2, "-": 3}
"""Quarters to the right by the detail of a twister."""
AIRLOCK: Final = "a"
GRAPPLER: Final = "k"


def edge_of(at: Pos, heading: int) -> Edge:
    """Return the edge of a cell, named alike from both sides.

    >>> edge_of((1, 1), 3) == edge_of((0, 1), 1) == ((0, 1), 1)
    True
    """
    return (at, heading) if heading in (E, S) else (step(at, heading), opposite(heading))


def phases_of(detail: str) -> tuple[int, ...]:
    """Return the phases that a detail names, all if it names none."""
    return tuple(map(int, detail)) or PHASES


class Canvas:
    """A board that is being put together. What does not fit is left out, so that a canvas is always valid."""

    def __init__(self, width: int, height: int, hull: Iterable[Pos]) -> None:
        self.width, self.height = width, height
        self.hull = frozenset(hull)
        self.floors: dict[Pos, Mark] = {}
        self.rails: set[Edge] = set()
        self.fittings: dict[Edge, Mark] = {}
        self.crushers: dict[Pos, str] = {}
        self.special: dict[Pos, Floor] = {}
        self.checkpoints: dict[Pos, int] = {}

    def stamp(self, motif: Motif, symmetry: Symmetry) -> None:
        """Put a motif down, with its images."""
        for image in (SAME,) if motif.whole else symmetry:
            for mark in motif.marks:
                self.put(mark.image(image, self.width, self.height))

    def put(self, mark: Mark) -> None:
        """Put one mark down, where there is hull; a later floor replaces an earlier one."""
        if mark.at not in self.hull:
            return
        if mark.kind == "hull":
            self.floors.pop(mark.at, None)
            self.crushers.pop(mark.at, None)
        elif mark.kind in FLOORS:
            self.floors[mark.at] = mark
        elif mark.kind == "crusher":
            self.crushers[mark.at] = mark.detail
        else:
            edge = edge_of(mark.at, mark.heading)
            self.rails.add(edge)
            if mark.kind != "rail":
                self.fittings.setdefault(edge, mark)

    def stands(self, pos: Pos) -> bool:
        """Return whether a robot can stand in a cell without being destroyed."""
        return pos in self.hull and not (pos in self.floors and self.floors[pos].kind in DEADLY)

    def plain(self, pos: Pos) -> bool:
        """Return whether a cell is hull with nothing in it."""
        taken = pos in self.floors or pos in self.crushers or pos in self.special or pos in self.checkpoints
        return pos in self.hull and not taken

    def clear(self, cells: Iterable[Pos], kinds: frozenset[str]) -> None:
        """Make hull of those cells that have a floor of these kinds."""
        for pos in cells:
            if pos in self.floors and self.floors[pos].kind in kinds:
                del self.floors[pos]
            self.crushers.pop(pos, None)

    def starship(self, name: str = "", builder: str = "", description: str = "") -> Starship:
        """Return what the canvas has come to as a starship."""
        self._trim()
        rails = self._rails_that_fit()
        marks = {edge: mark for edge, mark in self.fittings.items() if edge in rails and self.stands(mark.at)}
        declared: dict[Pos, list[int]] = {}
        for edge in rails:
            at, heading = edge
            side = marks[edge].at if edge in marks else at
            if side == at and not (edge in marks or self.stands(at)):
                side = step(at, heading)
            declared.setdefault(side, []).append(heading if side == at else opposite(heading))
        fitted: dict[Pos, list[Mark]] = {}
        for mark in marks.values():
            fitted.setdefault(mark.at, []).append(mark)
        cells = [
            self._cell((x, y), rails, declared.get((x, y), []), fitted.get((x, y), []))
            for y in range(self.height)
            for x in range(self.width)
        ]
        return Starship(self.width, self.height, cells, name, builder, description)

    def _trim(self) -> None:
        """Take away the last cell of beams that would lead robots to their end, or head on into another."""
        for at, mark in list(self.floors.items()):
            if mark.kind != "beam":
                continue
            ahead = step(at, mark.heading)
            if not self.stands(ahead) or self._leads(ahead, opposite(mark.heading)):
                del self.floors[at]

    def _rails_that_fit(self) -> set[Edge]:
        """Leave out rails that bar a beam, touch no floor, or make a corner around a checkpoint."""
        kept: set[Edge] = set()
        corners: dict[Pos, list[int]] = {}
        for edge in sorted(self.rails):
            at, heading = edge
            beyond = step(at, heading)
            if not (self.stands(at) or self.stands(beyond)):
                continue
            if self._leads(at, heading) or self._leads(beyond, opposite(heading)):
                continue
            sides = [(at, heading), (beyond, opposite(heading))]
            beside = [(pos, side) for pos, side in sides if pos in self.checkpoints]
            if any((side + other) % 2 for pos, side in beside for other in corners.get(pos, [])):
                continue
            for pos, side in beside:
                corners.setdefault(pos, []).append(side)
            kept.add(edge)
        return kept

    def _leads(self, at: Pos, heading: int) -> bool:
        """Return whether a beam in a cell leads that way."""
        mark = self.floors.get(at)
        return mark is not None and mark.kind == "beam" and mark.heading == heading

    def _cell(self, at: Pos, rails: set[Edge], sides: list[int], fitted: list[Mark]) -> Cell:
        if at not in self.hull:
            return Cell(Space(), rails=tuple(sorted(sides)))
        floor = self.special.get(at) or self._floor(at, rails)
        arms = [Arm(mark.heading, phases_of(mark.detail)) for mark in fitted if mark.kind == "arm"]
        lasers = [Emitter(mark.heading, int(mark.detail)) for mark in fitted if mark.kind == "laser"]
        return Cell(
            floor,
            Checkpoint(self.checkpoints[at]) if at in self.checkpoints else None,
            phases_of(self.crushers[at]) if at in self.crushers and self.stands(at) else (),
            tuple(sorted(sides)),
            arms=tuple(sorted(arms, key=lambda arm: arm.edge)),
            emitters=tuple(sorted(lasers, key=lambda laser: laser.edge)),
        )

    def _floor(self, at: Pos, rails: set[Edge]) -> Floor:
        mark = self.floors.get(at)
        if mark is None:
            return Hull()
        match mark.kind:
            case "beam":
                return self._beam(mark, rails)
            case "twister":
                return Twister(SENSES[mark.detail])
            case "depot":
                return Depot(int(mark.detail))
            case "bay":
                return Bay(phases_of(mark.detail))
            case "transporter":
                return Transporter(mark.detail)
            case "shaft":
                return Shaft()
            case "oil":
                return Oil()
        return Space()

    def _beam(self, mark: Mark, rails: set[Edge]) -> Beam:
        """Return a beam that is fed by those around it, so that it curves where they do."""
        feeding = [
            side
            for side in HEADINGS
            if side != mark.heading
            and self._leads(step(mark.at, side), opposite(side))
            and edge_of(mark.at, side) not in rails
        ]
        return Beam(int(mark.detail), tuple(feeding) or (opposite(mark.heading),), mark.heading)


def put_goals(
    canvas: Canvas, starts: Iterable[tuple[Pos, str]], checkpoints: Iterable[Pos], calm: int
) -> None:
    """Put starts and checkpoints down; nothing deadly stays within ``calm`` steps of a start."""
    for pos, token in starts:
        near = [
            (x, y)
            for x in range(pos[0] - calm, pos[0] + calm + 1)
            for y in range(pos[1] - calm, pos[1] + calm + 1)
            if abs(x - pos[0]) + abs(y - pos[1]) <= calm
        ]
        canvas.clear([at for at in near if at != pos], DEADLY)
        canvas.clear([pos], FLOORS)
        canvas.special[pos] = start_floor(token)
    for number, pos in enumerate(checkpoints, 1):
        canvas.clear([pos], FLOORS)
        canvas.checkpoints[pos] = number


def start_floor(token: str) -> Floor:
    """Return the floor of a start: "a" an airlock, "red" and "blue" a squad's, "k" a grappler, 1 a seat."""
    if token in SQUADS:
        return Airlock(token)
    return Start(int(token)) if token.isdigit() else Grappler() if token == GRAPPLER else Airlock()
