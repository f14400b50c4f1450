"""Robots turn to their ordered heading, and execute their chips."""

from rules.chips import EFFECTS, MOVES, Chip
from rules.grid import HEADINGS, OFF, opposite
from rules.physics import drive
from rules.placement import beside
from rules.resolution import Resolution, step
from rules.state import Robot
from rules.steps.equipment import engage, engages


@step("headings", "G-9.4 RR-1.3")
def choose_headings(turn: Resolution) -> None:
    """Robots turn to the heading that their players have ordered."""
    if not turn.orders:
        return
    for robot in turn.sequence:
        heading = turn.orders_of(robot).heading
        if heading is not None and heading != robot.heading and robot.alive and not robot.down:
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
    """Robots execute their chips, one after another."""
    equipped, chips, state = turn.equipped, turn.chips, turn.state
    if equipped:  # clamps hold from before the first robot moves (RR-10.6)
        engage(turn, "clamps")
    for robot in turn.sequence:
        chip = chips[robot.index]
        if chip is not None and robot.cell != OFF and not state.over:
            if equipped and turn.uses(robot, "clamps"):
                hold(turn, robot, chip)
            else:
                execute(turn, robot, chip)


@step("chips", "G-4 AM-1.2 AM-1.3")
def enter_and_execute_chips(turn: Resolution) -> None:
    """Robots execute their chips, one after another; those that are not on the board yet are first placed.

    A robot is placed on checkpoint 1, or beside it while another holds it; its archive is there.
    """
    for robot in turn.sequence:
        if turn.state.over:
            return
        if robot.waiting and turn.enter(robot, beside(turn, robot.start, turn.orders_of(robot).place)):
            turn.archive(robot, robot.start)
        chip = turn.chips[robot.index]
        if chip and robot.on_board:
            execute(turn, robot, chip)


def hold(turn: Resolution, robot: Robot, chip: Chip) -> None:
    """A chip does nothing while clamps hold its robot (RR-10.6)."""
    if chip.kind in MOVES:
        heading = robot.heading or 0
        turn.blocked(robot, opposite(heading) if chip.kind == "B" else heading, "clamps")


def execute(turn: Resolution, robot: Robot, chip: Chip) -> None:
    """Execute one chip (G-3.1); nitro makes a move longer (RR-10.5)."""
    # By its place: compiled code finds what is in a tuple faster than by a name.
    kind, heading = chip[1], robot.heading or 0
    quarters, steps = EFFECTS[kind]
    if quarters:
        turn.turn(robot, heading + quarters & 3, "chip")
    elif steps:
        nitro = turn.equipped and robot.equipment == "nitro" and engages(turn, robot, "nitro")
        if kind == "B":
            drive(turn, robot, opposite(heading), 1)
            if nitro and robot.on_board:
                drive(turn, robot, heading, 1)
        else:
            drive(turn, robot, heading, steps + 1 if nitro else steps)
