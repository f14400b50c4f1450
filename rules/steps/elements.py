"""Docking arms, twisters, transporters and thrusters."""

from rules.grid import opposite, turned
from rules.physics import advance
from rules.resolution import Resolution, step
from rules.starship import Starship
from rules.state import Robot


@step("docking arms", "RR-4 AM-2 FA-2", cells=lambda ship: ship.arms)
def push_with_arms(turn: Resolution) -> None:
    """Docking arms push the robots in their cells, in order; each is pushed by one arm at most.

    A robot that another's push has moved is looked at in its new cell, when its turn comes.
    """
    arms = turn.ship.arms
    for robot in turn.sequence:
        if robot.cell in arms and not turn.state.over:
            arm = next((arm for arm in arms[robot.cell] if turn.phase in arm.phases), None)
            if arm:
                advance(turn, robot, opposite(arm.edge), "arm")


@step("twisters", "RR-3.4 AM-2 FA-2 GR-2 WS-2", cells=lambda ship: ship.twisters)
def turn_with_twisters(turn: Resolution) -> None:
    """Twisters turn the robots on them."""
    twisters = turn.ship.twisters
    for robot in turn.sequence:
        if quarters := twisters.get(robot.cell):
            turn.turn(robot, turned(robot.heading or 0, quarters), "twister")


def _has_networks(ship: Starship) -> bool:
    return any(len(cells) > 1 for cells in ship.networks.values())


@step("transporters", "RR-5", _has_networks, looks_back=True)
def beam_with_transporters(turn: Resolution) -> None:
    """Robots that came onto a transporter in this phase are beamed to the next of its network, all at once.

    RR-5.2: real robots that share a cell then become virtual. No one is beamed into damaged hull.
    """
    if linked := [robot for robot in turn.on_board if _link(turn, robot) is not None]:
        moves = turn.moves()
        beamed = [robot for robot in linked if robot.index in moves]
        for robot, target in [(robot, turn.state.links[robot.cell]) for robot in beamed]:
            turn.beam(robot, target)
    real = [robot for robot in turn.on_board if not robot.virtual]
    cells = [robot.cell for robot in real]
    for robot in [robot for robot in real if cells.count(robot.cell) > 1]:
        turn.make_virtual(robot)


def _link(turn: Resolution, robot: Robot) -> int | None:
    """Return where the transporter under a robot leads, or None (RR-5.3)."""
    target = turn.state.links.get(robot.cell)
    return None if target is None or target in turn.damaged else target


@step("thrusters burn", "RR-6.5", cells=lambda ship: ship.thrusters)
def burn_with_thrusters(turn: Resolution) -> None:
    """A robot that stands on a thruster takes 1 damage."""
    burnt = [robot for robot in turn.on_board if robot.cell in turn.ship.thrusters]
    for robot in burnt:
        turn.hurt(robot, 1, "thruster")
    turn.destroy_wrecks(burnt)


@step("crushers", "AM-2.1 FA-2", cells=lambda ship: ship.crushers)
def crush(turn: Resolution) -> None:
    """A crusher destroys the robot in its cell in its marked phases."""
    for robot in turn.on_board:
        if turn.phase in turn.ship.crushers.get(robot.cell, ()):
            turn.destroy(robot, "crusher")
