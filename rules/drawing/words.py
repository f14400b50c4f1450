"""A drawing in words, for those who do not see it."""

from collections.abc import Iterable, Mapping

from rules.drawing.figures import Drawable
from rules.grid import OFF
from rules.starship import Starship

HEADINGS = ("north", "east", "south", "west")


def describe(
    ship: Starship, robots: Iterable[Drawable], hull: Mapping[int, int], following: int | None
) -> str:
    """Say how large the ship is, where its checkpoints are, and where each robot stands; counted from 1."""
    sentences = [f"{ship.width} columns by {ship.height} rows."]
    for number, cell in ship.checkpoints.items():
        column, row = _place(ship, cell)
        left = hull.get(number, 0)
        more = f", {left} {'repair' if left == 1 else 'repairs'} left" if left else ""
        more += ", next" if number == following else ""
        sentences.append(f"Checkpoint {number} at column {column}, row {row}{more}.")
    sentences += [_robot(ship, robot) for robot in robots if robot.cell != OFF]
    return " ".join(sentences)


def _robot(ship: Starship, robot: Drawable) -> str:
    column, row = _place(ship, robot.cell)
    facing = "" if robot.heading is None else f", facing {HEADINGS[robot.heading]}"
    damage = f", damage {robot.damage}" if robot.damage else ""
    virtual = ", virtual" if robot.virtual else ""
    down = ", down" if robot.down else ""
    return f"{robot.name} at column {column}, row {row}{facing}{damage}{virtual}{down}."


def _place(ship: Starship, cell: int) -> tuple[int, int]:
    x, y = ship.pos(cell)
    return x + 1, y + 1
