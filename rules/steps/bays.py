"""Launch bay doors (RR-3.1)."""

from rules.grid import AFTER
from rules.resolution import Resolution, step
from rules.starship import Starship


def _has_bays(ship: Starship) -> bool:
    return bool(ship.bays)


@step("bay doors close", "RR-3.1", _has_bays)
def close_bay_doors(turn: Resolution) -> None:
    """Launch bays marked with this phase close, and may be crossed and stood on."""
    turn.falls = turn.ship.falls[turn.phase]


@step("bay doors open", "RR-3.1", _has_bays)
def open_bay_doors(turn: Resolution) -> None:
    """Launch bays that were closed open again; a robot that stands there is destroyed."""
    turn.falls = turn.ship.falls[AFTER]
    for robot in turn.on_board:
        if turn.phase in turn.ship.bays.get(robot.cell, ()):
            turn.destroy(robot, "bay")
