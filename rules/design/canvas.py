"""The canvas of the starship generator: the floors and features of an unfinished ship.

Themes stamp motifs on a canvas. A motif is a group of marks, and each mark is one element in one cell. A
symmetry stamps further copies of a motif, mirrored or turned.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from rules import elements
from rules.chance import Stream
from rules.grid import HEADINGS, PHASES, E, N, Pos, S, W, opposite
from rules.starship import Starship


@dataclass(frozen=True, slots=True)
class Image:
    """One of the eight images of a square board: mirrored left to right or not, then turned clockwise."""

    quarters: int = 0
    mirrored: bool = False

    def at(self, pos: Pos, width: int, height: int) -> Pos:
        """Return the position of a cell in the mirrored and turned board.

        ``width`` and ``height`` are the size of the original board.
        """
        x, y = pos
        if self.mirrored:
            x = width - 1 - x
        for _ in range(self.quarters):
            x, y, width, height = height - 1 - y, x, height, width
        return x, y

    def heading(self, heading: int) -> int:
        """Convert a heading on the original board to a heading on the mirrored and turned board.

        >>> Image(1).heading(0), Image(0, True).heading(1), Image(0, True).heading(0)
        (1, 3, 0)
        """
        return ((-heading if self.mirrored else heading) + self.quarters) & 3


SAME: Final = Image()

ALL_IMAGES: Final = tuple(Image(quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
"""All eight images. The images turned by one or three quarters fit only square boards."""

Symmetry = tuple[Image, ...]
"""A symmetry, as a tuple of a board's images. The first is the unchanged board."""

NONE: Final[Symmetry] = (SAME,)
HALF_TURN: Final[Symmetry] = (SAME, Image(2))
MIRROR: Final[Symmetry] = (SAME, Image(0, True))
KEEL: Final[Symmetry] = (SAME, Image(2, True))
QUARTER_TURNS: Final[Symmetry] = (SAME, Image(1), Image(2), Image(3))
TWO_MIRRORS: Final[Symmetry] = (SAME, Image(0, True), Image(2), Image(2, True))

SYMMETRY_KINDS: Final = ("none", "two", "four")
"""The kinds of symmetry that an order can request: one, two or four images of each motif."""


COMMON_SYMMETRIES: Final = (HALF_TURN, QUARTER_TURNS, NONE)
"""The symmetries to choose from if none of the theme's own symmetries has the requested kind."""


def choose_symmetry(kind: str | None, suiting: Sequence[Symmetry], square: bool, stream: Stream) -> Symmetry:
    """Return a random symmetry of a theme, of the requested kind if possible.

    ``suiting`` are the theme's own symmetries. ``kind`` is one of `SYMMETRY_KINDS`, or None for any. Quarter
    turns need a ``square`` board.
    """
    images = {None: (1, 2, 4), "none": (1,), "two": (2,), "four": (4,)}[kind]
    choices = [each for each in suiting if len(each) in images and (square or each != QUARTER_TURNS)]
    if not choices:
        choices = [
            each for each in COMMON_SYMMETRIES if len(each) in images and (square or each != QUARTER_TURNS)
        ]
    return stream.choice(choices or [TWO_MIRRORS])


def images_of(pos: Pos, symmetry: Symmetry, width: int, height: int) -> list[Pos]:
    """Return a cell and its images under a symmetry, without repeats."""
    return list(dict.fromkeys(image.at(pos, width, height) for image in symmetry))


def symmetric_part(cells: Iterable[Pos], symmetry: Symmetry, width: int, height: int) -> frozenset[Pos]:
    """Return the symmetric part of ``cells``: each cell with all its images under the symmetry."""
    there = set(cells)
    return frozenset(pos for pos in there if there.issuperset(images_of(pos, symmetry, width, height)))


STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The change of column and row in a step, by heading."""

FLOORS: Final = frozenset({"hull", "beam", "shaft", "space", "twister", "depot", "oil", "bay", "transporter"})
"""The kinds of marks that are floors. All other kinds are features on a floor or an edge."""
DEADLY: Final = frozenset({"shaft", "space", "bay"})
"""The kinds of floors that destroy robots."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One element in one cell.

    ``kind`` is a floor (`FLOORS`) or a rail, arm, laser or crusher. ``heading`` is the direction of a beam,
    or the cell's edge with a rail, arm or laser. ``detail`` is written as in ``starship/1``: a speed, a
    strength, phases, or a transporter network. For a twister it is +, - or 2 (`SENSES`).
    """

    at: Pos
    kind: str
    heading: int = N
    detail: str = ""

    def image(self, image: Image, width: int, height: int) -> "Mark":
        """Return the mark as it appears in an image of the board, mirrored or turned."""
        detail = self.detail
        if image.mirrored and self.kind == "twister":
            detail = {"+": "-", "-": "+"}.get(detail, detail)
        return Mark(image.at(self.at, width, height), self.kind, image.heading(self.heading), detail)


@dataclass(frozen=True, slots=True)
class Motif:
    """A named group of marks. A ``whole`` motif is symmetric already, so it is stamped only once."""

    name: str
    marks: tuple[Mark, ...]
    whole: bool = False

    @property
    def box(self) -> tuple[Pos, Pos]:
        """The north-western and south-eastern corners of the motif's bounding box."""
        columns, rows = zip(*(mark.at for mark in self.marks), strict=True)
        return (min(columns), min(rows)), (max(columns), max(rows))

    def slid(self, by: Pos) -> "Motif":
        """Return the motif moved by a number of columns and rows."""
        moved = (replace(mark, at=(mark.at[0] + by[0], mark.at[1] + by[1])) for mark in self.marks)
        return replace(self, marks=tuple(moved))

    def turned(self, image: Image) -> "Motif":
        """Return the motif turned or mirrored. Its bounding box keeps its north-western corner."""
        (left, top), (right, bottom) = self.box
        width, height = right - left + 1, bottom - top + 1
        own = self.slid((-left, -top)).marks
        return replace(self, marks=tuple(mark.image(image, width, height) for mark in own)).slid((left, top))

    def reversed(self) -> "Motif":
        """Return the motif with its beams and twisters reversed."""
        beams = {mark.at: mark.heading for mark in self.marks if mark.kind == "beam"}
        marks = []
        for mark in self.marks:
            if mark.kind == "beam":
                back = next(
                    (side for side in HEADINGS if _leads(beams, mark.at, side)), opposite(mark.heading)
                )
                mark = replace(mark, heading=back)
            elif mark.kind == "twister":
                mark = replace(mark, detail={"+": "-", "-": "+"}.get(mark.detail, mark.detail))
            marks.append(mark)
        return replace(self, marks=tuple(marks))


def _leads(beams: dict[Pos, int], at: Pos, side: int) -> bool:
    """Return whether a beam in the neighbouring cell on this side leads into the cell ``at``."""
    return beams.get(step(at, side)) == opposite(side)


def step(pos: Pos, heading: int, times: int = 1) -> Pos:
    """Return the position a number of steps away in a direction."""
    dx, dy = STEPS[heading]
    return pos[0] + dx * times, pos[1] + dy * times


# Parts of motifs


def line(at: Pos, heading: int, length: int, speed: int = 1) -> Iterator[Mark]:
    """Yield the marks of a straight beam that begins in this cell. ``length`` is in cells."""
    for index in range(length):
        yield Mark(step(at, heading, index), "beam", heading, str(speed))


def path(corners: Sequence[Pos], speed: int = 1) -> Iterator[Mark]:
    """Yield the marks of a beam through these corners, including the first and the last corner."""
    heading = N
    for (x, y), (to_x, to_y) in pairwise(corners):
        heading = (E if to_x > x else W) if to_y == y else (S if to_y > y else N)
        yield from line((x, y), heading, abs(to_x - x) + abs(to_y - y), speed)
    yield Mark(corners[-1], "beam", heading, str(speed))


def loop(left: int, top: int, right: int, bottom: int, clockwise: bool, speed: int = 1) -> Iterator[Mark]:
    """Yield the marks of a closed beam around a rectangle."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    yield from list(path(corners if clockwise else corners[::-1], speed))[:-1]


def rails(cells: Iterable[Pos], edge: int) -> Iterator[Mark]:
    """Yield a rail for each of these cells, always on the given edge."""
    for at in cells:
        yield Mark(at, "rail", edge)


def spots(cells: Iterable[Pos], kind: str, detail: str = "") -> Iterator[Mark]:
    """Yield a mark for each of these cells. All marks have the given kind and detail."""
    for at in cells:
        yield Mark(at, kind, N, detail)


def row(left: int, right: int, y: int) -> list[Pos]:
    """Return the cells of row ``y`` between two columns, including both."""
    return [(x, y) for x in range(left, right + 1)]


def column(x: int, top: int, bottom: int) -> list[Pos]:
    """Return the cells of column ``x`` between two rows, including both."""
    return [(x, y) for y in range(top, bottom + 1)]


def area(left: int, top: int, right: int, bottom: int) -> list[Pos]:
    """Return the cells of a rectangle, row by row."""
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


Edge = tuple[Pos, int]
"""An edge between two cells: the western or northern cell, and the edge's direction from it."""

SENSES: Final = {"+": 1, "2": 2, "-": 3}
"""The quarter turns to the right that a twister makes, by the detail of its mark."""
AIRLOCK: Final = "a"
GRAPPLER: Final = "k"


def edge_of(at: Pos, heading: int) -> Edge:
    """Return the `Edge` on one side of a cell. The result is the same for both cells beside the edge.

    >>> edge_of((1, 1), 3) == edge_of((0, 1), 1) == ((0, 1), 1)
    True
    """
    return (at, heading) if heading in (E, S) else (step(at, heading), opposite(heading))


def phases_of(detail: str) -> tuple[int, ...]:
    """Return the phases in a mark's detail, or all five phases if the detail is empty."""
    return tuple(map(int, detail)) or PHASES


class Canvas:
    """A board in progress. It leaves out marks that do not fit, so the starship is always valid."""

    def __init__(self, width: int, height: int, hull: Iterable[Pos]) -> None:
        self.width, self.height = width, height
        self.hull = frozenset(hull)
        self.floors: dict[Pos, Mark] = {}
        self.rails: set[Edge] = set()
        self.fittings: dict[Edge, Mark] = {}
        self.crushers: dict[Pos, str] = {}
        self.special: dict[Pos, elements.Floor] = {}
        self.checkpoints: dict[Pos, int] = {}

    def stamp(self, motif: Motif, symmetry: Symmetry) -> None:
        """Put a motif on the board, with its images under a symmetry."""
        for image in (SAME,) if motif.whole else symmetry:
            for mark in motif.marks:
                self.put(mark.image(image, self.width, self.height))

    def put(self, mark: Mark) -> None:
        """Put a mark on a cell, unless the cell is outside the hull. A new floor replaces the old floor."""
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

    def is_safe(self, pos: Pos) -> bool:
        """Return whether a cell is hull without a deadly floor."""
        return pos in self.hull and not (pos in self.floors and self.floors[pos].kind in DEADLY)

    def plain(self, pos: Pos) -> bool:
        """Return whether a cell is hull without a floor mark, crusher, start or checkpoint."""
        taken = pos in self.floors or pos in self.crushers or pos in self.special or pos in self.checkpoints
        return pos in self.hull and not taken

    def clear(self, cells: Iterable[Pos], kinds: frozenset[str]) -> None:
        """In the given cells, turn floors of these kinds into plain hull, and remove all crushers."""
        for pos in cells:
            if pos in self.floors and self.floors[pos].kind in kinds:
                del self.floors[pos]
            self.crushers.pop(pos, None)

    def starship(self, name: str = "", builder: str = "", description: str = "") -> Starship:
        """Return the canvas as a starship, without beam cells and rails that do not fit."""
        self._trim()
        rails = self._rails_that_fit()
        marks = {
            edge: mark for edge, mark in self.fittings.items() if edge in rails and self.is_safe(mark.at)
        }
        declared: dict[Pos, list[int]] = {}
        for edge in rails:
            at, heading = edge
            side = marks[edge].at if edge in marks else at
            if side == at and not (edge in marks or self.is_safe(at)):
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
        """Remove beam cells that lead into destruction or meet another beam head on."""
        for at, mark in list(self.floors.items()):
            if mark.kind != "beam":
                continue
            ahead = step(at, mark.heading)
            if not self.is_safe(ahead) or self._leads(ahead, opposite(mark.heading)):
                del self.floors[at]

    def _rails_that_fit(self) -> set[Edge]:
        """Return the rails that can stay on the starship.

        Leaves out a rail if it bars a beam, has no safe cell beside it, or makes a corner of rails at a
        checkpoint.
        """
        kept: set[Edge] = set()
        corners: dict[Pos, list[int]] = {}
        for edge in sorted(self.rails):
            at, heading = edge
            beyond = step(at, heading)
            if not (self.is_safe(at) or self.is_safe(beyond)):
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
        """Return whether the cell has a beam with this heading."""
        mark = self.floors.get(at)
        return mark is not None and mark.kind == "beam" and mark.heading == heading

    def _cell(self, at: Pos, rails: set[Edge], sides: list[int], fitted: list[Mark]) -> elements.Cell:
        if at not in self.hull:
            return elements.Cell(elements.Space(), rails=tuple(sorted(sides)))
        floor = self.special.get(at) or self._floor(at, rails)
        arms = [elements.Arm(mark.heading, phases_of(mark.detail)) for mark in fitted if mark.kind == "arm"]
        lasers = [elements.Emitter(mark.heading, int(mark.detail)) for mark in fitted if mark.kind == "laser"]
        return elements.Cell(
            floor,
            elements.Checkpoint(self.checkpoints[at]) if at in self.checkpoints else None,
            phases_of(self.crushers[at]) if at in self.crushers and self.is_safe(at) else (),
            tuple(sorted(sides)),
            arms=tuple(sorted(arms, key=lambda arm: arm.edge)),
            emitters=tuple(sorted(lasers, key=lambda laser: laser.edge)),
        )

    def _floor(self, at: Pos, rails: set[Edge]) -> elements.Floor:
        mark = self.floors.get(at)
        if mark is None:
            return elements.Hull()
        match mark.kind:
            case "beam":
                return self._beam(mark, rails)
            case "twister":
                return elements.Twister(SENSES[mark.detail])
            case "depot":
                return elements.Depot(int(mark.detail))
            case "bay":
                return elements.Bay(phases_of(mark.detail))
            case "transporter":
                return elements.Transporter(mark.detail)
            case "shaft":
                return elements.Shaft()
            case "oil":
                return elements.Oil()
        return elements.Space()

    def _beam(self, mark: Mark, rails: set[Edge]) -> elements.Beam:
        """Return the beam of a mark, with entries where neighbouring beams lead into its cell."""
        feeding = [
            side
            for side in HEADINGS
            if side != mark.heading
            and self._leads(step(mark.at, side), opposite(side))
            and edge_of(mark.at, side) not in rails
        ]
        return elements.Beam(int(mark.detail), tuple(feeding) or (opposite(mark.heading),), mark.heading)


def put_goals(
    canvas: Canvas, starts: Iterable[tuple[Pos, str]], checkpoints: Iterable[Pos], calm: int
) -> None:
    """Put starts and checkpoints on the board.

    Removes deadly floors and crushers in cells up to ``calm`` steps from a start.
    """
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


def start_floor(token: str) -> elements.Floor:
    """Return the floor for a start's token: "a" (airlock), a squad, "k" (grappler) or a seat number."""
    if token in elements.SQUADS:
        return elements.Airlock(token)
    return (
        elements.Start(int(token))
        if token.isdigit()
        else elements.Grappler()
        if token == GRAPPLER
        else elements.Airlock()
    )
