"""A drawing in words, for those who do not see it."""

from collections.abc import Iterable, Iterator, Mapping

from rules.drawing.figures import Drawable
from rules.grid import OFF
from rules.language import ENGLISH, HEADINGS, Words, place_of
from rules.starship import Starship


def describe(
    ship: Starship,
    robots: Iterable[Drawable],
    hull: Mapping[int, int],
    following: int | None,
    _: Words = ENGLISH,
) -> str:
    """Say how large the ship is, where its checkpoints are, and where each robot stands; counted from 1."""
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
    """Yield what there is to say of a checkpoint."""
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
