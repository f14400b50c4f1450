"""Tractor beams (conveyor belts) pull robots (G-5)."""

from collections import Counter
from collections.abc import Iterable

from rules.grid import opposite, quarters_between
from rules.physics import fall
from rules.resolution import Resolution
from rules.ruleset import Step, step
from rules.state import Robot

Pulls = dict[int, tuple[Robot, int]]
"""Robots that are pulled, by index, each with the cell that it is pulled into."""


def pull(*speeds: int) -> Step:
    """Return the step in which beams of these speeds pull."""
    active = frozenset(speeds)
    named = " and ".join(str(speed) for speed in sorted(active, reverse=True))

    @step(f"beams of speed {named}", "G-5", lambda ship: ship.speeds & active)
    def pull_with_beams(turn: Resolution) -> None:
        """Beams pull the robots on them one cell, all at the same time; curves turn them."""
        pulls = _wanted(turn, active)
        _drop_stalemates(turn, pulls)
        robots = [robot for robot, _ in pulls.values()]
        travel = {robot.index: turn.ship.beams[robot.cell].exit for robot in robots}
        for robot, target in pulls.values():
            turn.move(robot, target, "beam")
        for robot in robots:
            _curve(turn, robot, travel[robot.index])
        for robot in robots:
            fall(turn, robot)

    return pull_with_beams


def _wanted(turn: Resolution, active: frozenset[int]) -> Pulls:
    """Find the robots on active beams, less those whose pull is refused whoever stands where (G-5.2)."""
    ship = turn.ship
    pulls: Pulls = {}
    for robot in turn.on_board:
        beam = ship.beams.get(robot.cell)
        if beam is None or beam.speed not in active:
            continue
        target = robot.cell + ship.steps[beam.exit]
        ahead = ship.beams.get(target)
        head_on = ahead is not None and ahead.speed in active and ahead.exit == opposite(beam.exit)
        if not (head_on or turn.railed(robot.cell, beam.exit) or turn.damaged(target)):
            pulls[robot.index] = robot, target
    return pulls


def _drop_stalemates(turn: Resolution, pulls: Pulls) -> None:
    """Let real robots stay that would share a cell with another, until nothing more changes (G-5.3)."""
    while True:
        staying = list(_held_up(turn, pulls))
        if not staying:
            return
        for index in staying:
            del pulls[index]


def _held_up(turn: Resolution, pulls: Pulls) -> Iterable[int]:
    crowds = Counter(target for robot, target in pulls.values() if not robot.virtual)
    for index, (robot, target) in pulls.items():
        if robot.virtual:
            continue
        there = turn.real_at(target)
        if crowds[target] > 1 or (there is not None and there.index not in pulls):
            yield index


def _curve(turn: Resolution, robot: Robot, travel: int) -> None:
    """Turn a robot that was pulled onto a beam from a side that leads in there (G-5.4, G-5.5)."""
    beam = turn.ship.beams.get(robot.cell)
    side = opposite(travel)
    if beam is None or side not in beam.entries or side == opposite(beam.exit):
        return
    quarters = quarters_between(travel, beam.exit)
    turn.turn(robot, ((robot.heading or 0) + quarters) & 3, "beam")
