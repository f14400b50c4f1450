"""Robots turn to their ordered heading, and execute their chips."""

from rules.chips import MOVES, QUARTERS, Chip
from rules.grid import HEADINGS, opposite, turned
from rules.physics import drive
from rules.resolution import Resolution
from rules.ruleset import step
from rules.state import Robot
from rules.steps.equipment import engage


@step("headings", "G-9.4 RR-1.3")
def choose_headings(turn: Resolution) -> None:
    """Robots turn to the heading that their players have ordered."""
    for robot in turn.on_board:
        heading = turn.orders_of(robot).heading
        if heading is not None and heading != robot.heading:
            turn.turn(robot, heading, "order")


@step("first headings", "RR-1.3 RR-11.1")
def choose_first_headings(turn: Resolution) -> None:
    """Every robot gets the heading that its player has chosen; scanners get one at random."""
    for robot in turn.on_board:
        heading = turn.orders_of(robot).heading
        if robot.scanner or heading is None:
            heading = turn.chance.stream(f"heading/{robot.index}").choice(HEADINGS)
        turn.turn(robot, heading, "order")


@step("chips", "G-4 RR-10.5 RR-10.6")
def execute_chips(turn: Resolution) -> None:
    """Robots execute their chips, one after another. Clamps hold from before the first one moves."""
    engage(turn, "clamps")
    for robot in turn.sequence:
        chip = turn.chip(robot)
        if chip is None:
            continue
        if not turn.uses(robot, "clamps"):
            execute(turn, robot, chip)
        elif chip.kind in MOVES:
            turn.blocked(robot, _way(robot, chip), "clamps")


def _way(robot: Robot, chip: Chip) -> int:
    """Return the direction in which a chip moves a robot."""
    heading = robot.heading or 0
    return opposite(heading) if chip.kind == "B" else heading


def execute(turn: Resolution, robot: Robot, chip: Chip) -> None:
    """Execute one chip (G-3.1); nitro makes a move longer (RR-10.5)."""
    if chip.kind in QUARTERS:
        turn.turn(robot, turned(robot.heading or 0, QUARTERS[chip.kind]), "chip")
    elif chip.kind in MOVES:
        engage(turn, "nitro", only=robot)
        nitro = turn.uses(robot, "nitro")
        if chip.kind == "B":
            drive(turn, robot, _way(robot, chip), 1)
            if nitro and robot.on_board:
                drive(turn, robot, robot.heading or 0, 1)
        else:
            drive(turn, robot, robot.heading or 0, MOVES[chip.kind] + nitro)
