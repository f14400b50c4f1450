"""The genome of a starship: its parts before they are combined, so that each can be changed.

A theme gets a layout request and returns a layout: the outline of the hull, motifs, and good cells for starts
and checkpoints. The module also measures the difference between two finished ships.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from rules.chance import Stream
from rules.design.canvas import ALL_IMAGES, Canvas, Image, Mark, Motif, Symmetry, area, put_goals
from rules.elements import Arm, Beam, Cell, Emitter, Floor, SlideRail, Twister
from rules.grid import Pos
from rules.setup import Ruleset
from rules.starship import Starship

Cells = set[Pos]
Hull = Callable[[int, int, Stream], Cells]


def plate(width: int, height: int, stream: Stream) -> Cells:
    """Return a rectangular hull with a square of side 1, 2 or 3 cut out of each corner."""
    cut = 1 + stream.below(2 + (min(width, height) > 12))
    return {(x, y) for x, y in _all(width, height) if _from_corner(x, y, width, height) >= cut}


def notched(width: int, height: int, stream: Stream) -> Cells:
    """Return the hull of `plate` with a dock cut into the middle of two or four sides."""
    cells = plate(width, height, stream)
    wide = 1 + stream.below(2)
    upright = stream.below(3)
    for x, y in list(cells):
        if upright != 1 and y in (0, height - 1) and abs(2 * x - width + 1) <= 2 * wide:
            cells.discard((x, y))
        if upright != 0 and x in (0, width - 1) and abs(2 * y - height + 1) <= 2 * wide:
            cells.discard((x, y))
    return cells


def disc(width: int, height: int, stream: Stream) -> Cells:
    """Return a hull shaped like a disc, an ellipse or a rounded rectangle."""
    power = stream.choice((2.0, 2.5, 3.0))
    across, along = width / 2 - 0.12, height / 2 - 0.12
    return {
        (x, y)
        for x, y in _all(width, height)
        if (abs(x - (width - 1) / 2) / across) ** power + (abs(y - (height - 1) / 2) / along) ** power <= 1
    }


def octagon(width: int, height: int, stream: Stream) -> Cells:
    """Return a rectangular hull with slanted corners."""
    cut = max(2, round(min(width, height) * stream.choice((0.2, 0.27))))
    return {(x, y) for x, y in _all(width, height) if _along_corner(x, y, width, height) >= cut}


def spindle(width: int, height: int, stream: Stream) -> Cells:
    """Return a long hull with a pointed bow in the east and a narrower stern in the west."""
    cells = set()
    bow, stern = max(3, width // (3 + stream.below(2))), 1 + stream.below(3)
    blunt = stream.choice((1.2, 1.7))
    for x, y in _all(width, height):
        room = height / 2
        if x >= width - bow:
            room -= (height / 2 - 1.5) * ((x - (width - bow) + 1) / bow) ** blunt
        if x < stern:
            room -= 0.9 * (stern - x)
        if abs(2 * y - height + 1) / 2 <= room:
            cells.add((x, y))
    return cells


def fish(width: int, height: int, stream: Stream) -> Cells:
    """Return a hull shaped like a fish, with its tail in the west."""
    waist = width // 5
    cells = set()
    for x, y in _all(width, height):
        off = abs(2 * y - height + 1) / 2
        if x <= waist - 1:
            room = height / 2 - 0.9 * x
        elif x == waist:
            room = max(1.6, height / 2 - 0.9 * x)
        else:
            along = (x - waist) / (width - waist)
            room = height / 2 * min(1.0, 0.45 + 1.5 * along, 2.6 * (1 - along) + 0.3)
        if off <= max(1.1, room):
            cells.add((x, y))
    return cells


def cross(width: int, height: int, stream: Stream) -> Cells:
    """Return a hull shaped like a cross."""
    corner = max(2, round(min(width, height) * stream.choice((0.2, 0.26))))
    return {
        (x, y)
        for x, y in _all(width, height)
        if min(x, width - 1 - x) >= corner or min(y, height - 1 - y) >= corner
    }


def bastion(width: int, height: int, stream: Stream) -> Cells:
    """Return a rectangular hull with a square tower at each corner."""
    tower = max(3, round(min(width, height) * stream.choice((0.25, 0.32))))
    cells = set(area(1, 1, width - 2, height - 2))
    for left in (0, width - tower):
        for top in (0, height - tower):
            cells |= set(area(left, top, left + tower - 1, top + tower - 1))
    if stream.below(2):
        cells -= {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    return cells


def star_fort(width: int, height: int, stream: Stream) -> Cells:
    """Return a fort-like hull with a gatehouse in the middle of each side."""
    half = 1 + stream.below(2)
    cells = set()
    for x, y in _all(width, height):
        middle = abs(2 * x - width + 1) <= 2 * half + 1 or abs(2 * y - height + 1) <= 2 * half + 1
        inner = 1 <= x < width - 1 and 1 <= y < height - 1 and _along_corner(x, y, width, height) >= 4
        if inner or middle:
            cells.add((x, y))
    return cells


def _all(width: int, height: int) -> list[Pos]:
    return area(0, 0, width - 1, height - 1)


def _from_corner(x: int, y: int, width: int, height: int) -> int:
    """Return the horizontal or vertical distance from a cell to the nearest corner, whichever is larger."""
    return max(min(x, width - 1 - x), min(y, height - 1 - y))


def _along_corner(x: int, y: int, width: int, height: int) -> int:
    """Return the horizontal plus the vertical distance from a cell to the nearest corner, in cells."""
    return min(x, width - 1 - x) + min(y, height - 1 - y)


ROUND: Final[tuple[Hull, ...]] = (disc, octagon, plate, notched)
LONG: Final[tuple[Hull, ...]] = (spindle, plate, notched, fish)
STRONG: Final[tuple[Hull, ...]] = (bastion, star_fort, bastion)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LayoutRequest:
    """A request to a theme for a layout of this size and symmetry.

    ``known`` are the kinds of elements that the ruleset allows. ``stream`` makes all random choices.
    """

    width: int
    height: int
    symmetry: Symmetry
    known: frozenset[str]
    stream: Stream

    @property
    def middle(self) -> Pos:
        """The middle cell. If there are several, the north-western one."""
        return (self.width - 1) // 2, (self.height - 1) // 2

    @property
    def side(self) -> int:
        """The shorter side of the ship, in cells."""
        return min(self.width, self.height)

    def chance(self, one_in: int) -> bool:
        """Return True with probability 1 in ``one_in``."""
        return not self.stream.below(one_in)

    def one_of(self, items: Sequence[T]) -> T:
        return self.stream.choice(items)


@dataclass(frozen=True, slots=True)
class Layout:
    """The answer of a theme to a `LayoutRequest`.

    ``goals`` are good cells for checkpoints, and ``docks`` are good places for starts.
    """

    hull: frozenset[Pos]
    motifs: tuple[Motif, ...]
    goals: tuple[Pos, ...] = ()
    docks: tuple[Pos, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """The order for a ship: its ruleset, number of players, size, theme and symmetry.

    If ``theme`` or ``symmetry`` is None, the generator chooses it.
    """

    ruleset: Ruleset
    players: int
    width: int
    height: int
    theme: str | None = None
    symmetry: str | None = None


@dataclass(frozen=True, slots=True)
class Genome:
    """The complete design of a ship.

    The ``motifs`` are stamped in this order, each with its images under the ``symmetry``. ``starts`` has the
    cell of each start, with its token for `canvas.start_floor`. Deadly floors and crushers up to ``calm``
    steps from a start are removed.
    """

    theme: str
    width: int
    height: int
    symmetry: Symmetry
    hull: frozenset[Pos]
    motifs: tuple[Motif, ...]
    starts: tuple[tuple[Pos, str], ...] = ()
    checkpoints: tuple[Pos, ...] = ()
    calm: int = 2

    def canvas(self) -> Canvas:
        """Return a canvas with all motifs, starts and checkpoints of the design."""
        canvas = Canvas(self.width, self.height, self.hull)
        for motif in self.motifs:
            canvas.stamp(motif, self.symmetry)
        put_goals(canvas, self.starts, self.checkpoints, self.calm)
        return canvas

    def starship(self, name: str = "", builder: str = "", description: str = "") -> Starship:
        return self.canvas().starship(name, builder, description)


def genome_to_json(genome: Genome) -> dict[str, Any]:
    """Convert a genome to a JSON object. Each cell is [x, y]."""
    return {
        "theme": genome.theme,
        "size": [genome.width, genome.height],
        "symmetry": [[image.quarters, image.mirrored] for image in genome.symmetry],
        "hull": [list(pos) for pos in sorted(genome.hull)],
        "motifs": [
            {
                "name": motif.name,
                "whole": motif.whole,
                "marks": [[*mark.at, mark.kind, mark.heading, mark.detail] for mark in motif.marks],
            }
            for motif in genome.motifs
        ],
        "starts": [[*pos, token] for pos, token in genome.starts],
        "checkpoints": [list(pos) for pos in genome.checkpoints],
        "calm": genome.calm,
    }


def genome_from_json(written: dict[str, Any]) -> Genome:
    """Read a genome written by `genome_to_json`."""
    width, height = written["size"]
    return Genome(
        theme=written["theme"],
        width=width,
        height=height,
        symmetry=tuple(Image(quarters, mirrored) for quarters, mirrored in written["symmetry"]),
        hull=frozenset((x, y) for x, y in written["hull"]),
        motifs=tuple(
            Motif(
                motif["name"],
                tuple(Mark((x, y), kind, heading, detail) for x, y, kind, heading, detail in motif["marks"]),
                motif["whole"],
            )
            for motif in written["motifs"]
        ),
        starts=tuple(((x, y), token) for x, y, token in written["starts"]),
        checkpoints=tuple((x, y) for x, y in written["checkpoints"]),
        calm=written["calm"],
    )


def difference(one: Starship, other: Starship) -> float:
    """Return the difference between two ships, from 0 (same) to 1: the share of cells that differ.

    Compares one ship with all eight images of the other, and returns the lowest share. Cells that are
    plain hull in both ships, or space in both, do not count, because most cells of most ships are plain.
    """
    return min(_differing(one, other, image) for image in ALL_IMAGES)


def _differing(one: Starship, other: Starship, image: Image) -> float:
    first = {(x, y): _thing(one.at(x, y)) for y in range(one.height) for x in range(one.width)}
    second: dict[Pos, str] = {}
    for y in range(other.height):
        for x in range(other.width):
            second[image.at((x, y), other.width, other.height)] = _thing(other.at(x, y), image)
    pairs = [(first.get(pos, "~"), second.get(pos, "~")) for pos in first.keys() | second.keys()]
    counted = [pair for pair in pairs if pair not in ((".", "."), ("~", "~"))]
    return sum(here != there for here, there in counted) / len(counted) if counted else 0.0


def _thing(cell: Cell, image: Image = ALL_IMAGES[0]) -> str:
    """Return the token of a cell in an image of the board, without its checkpoint."""
    turn = image.heading
    return Cell(
        _floor(cell.floor, image),
        None,
        cell.crusher,
        tuple(sorted(map(turn, cell.rails))),
        tuple(sorted((SlideRail(turn(each.edge), each.phases) for each in cell.slides), key=_edge)),
        tuple(sorted(map(turn, cell.couplings))),
        tuple(sorted((Arm(turn(each.edge), each.phases) for each in cell.arms), key=_edge)),
        tuple(sorted((Emitter(turn(each.edge), each.strength) for each in cell.emitters), key=_edge)),
    ).token


def _edge(fitting: SlideRail | Arm | Emitter) -> int:
    return fitting.edge


def _floor(floor: Floor, image: Image) -> Floor:
    match floor:
        case Beam(speed=speed, entries=entries, exit=leaving):
            return Beam(speed, tuple(sorted(map(image.heading, entries))), image.heading(leaving))
        case Twister(quarters=quarters) if image.mirrored:
            return Twister(-quarters & 3)
        case _:
            return floor
