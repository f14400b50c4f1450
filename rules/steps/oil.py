"""Oil, on which robots slide (GR-2.2)."""

from collections.abc import Iterator

from rules.grid import OFF
from rules.physics import arrive, fall
from rules.resolution import Resolution, step
from rules.state import Robot


@step("oil", "GR-2.2", cells=lambda ship: ship.oil, looks_back=True)
def slide_on_oil(turn: Resolution) -> None:
    """A robot on oil that moved or was pushed slides on, to the end of the oil and one cell beyond.

    It goes on in the direction of its last step. A rail stops it, and so does a robot, which it does not
    push. Robots slide in the order in which they executed.
    """
    moves = turn.moves()
    for robot in turn.sequence:
        if robot.index in moves and robot.cell in turn.ship.oil and not turn.state.over:
            origin, to = moves[robot.index]
            for cell in _way(turn, robot, turn.ship.steps.index(to - origin)):
                turn.move(robot, cell, "oil")
                fall(turn, robot)
                arrive(turn, [robot])
                if not robot.on_board or turn.state.over:
                    break


def _way(turn: Resolution, robot: Robot, heading: int) -> Iterator[int]:
    """Yield the cells that a robot slides into, as long as nothing stops it."""
    cell, ship = robot.cell, turn.ship
    while cell in ship.oil and (ahead := turn.ways[heading][cell]) != OFF:
        cell = ahead
        if turn.occupied[cell] and not robot.virtual:
            return
        yield cell
