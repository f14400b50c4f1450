"""How different two ships are."""

from rules.design.symmetry import ALL_IMAGES, Image
from rules.elements import Arm, Beam, Cell, Emitter, Floor, SlideRail, Twister
from rules.grid import Pos
from rules.starship import Starship


def difference(one: Starship, other: Starship) -> float:
    """Return in which share of their cells two ships differ, at least, however one of them is turned.

    Cells that are plain hull in both or space in both do not count: most ships are mostly plain.
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
    """Return a cell as text, in an image of the board."""
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
