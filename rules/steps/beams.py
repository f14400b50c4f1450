"""Tractor beams (conveyor belts) pull robots (G-5)."""

from collections.abc import Mapping

from rules.grid import turned
from rules.physics import arrive, fall
from rules.resolution import Resolution
from rules.ruleset import Step, step
from rules.starship import Pull
from rules.state import Robot

Pulls = dict[int, tuple[Robot, Pull]]
"""Robots that are pulled, by index, each with where to."""


def pull(*speeds: int, keeps_heading_between_speeds: bool = False) -> Step:
    """Return the step in which beams of these speeds pull.

    Where a robot keeps its heading between speeds, it is turned only by a beam of the same speed as
    the one that it leaves (WS-3).
    """
    active = frozenset(speeds)
    named = " and ".join(str(speed) for speed in sorted(active, reverse=True))
    clauses = "G-5 WS-3" if keeps_heading_between_speeds else "G-5"

    @step(f"beams of speed {named}", clauses, cells=lambda ship: ship.pulls(active))
    def pull_with_beams(turn: Resolution) -> None:
        """Beams pull the robots on them one cell, all at the same time; curves turn them."""
        pulls, contended = _wanted(turn, turn.ship.pulls(active))
        if contended:
            _drop_stalemates(turn, pulls)
        pulled = pulls.values()
        for robot, way in pulled:
            turn.move(robot, way.target, "beam")
        for robot, way in pulled:
            if way.quarters and not (way.handed_over and keeps_heading_between_speeds):
                turn.turn(robot, turned(robot.heading or 0, way.quarters), "beam")
        for robot, way in pulled:
            if turn.falls[way.target]:
                fall(turn, robot)
        if turn.entering:
            arrive(turn, [robot for robot, _ in pulled])

    return pull_with_beams


def _wanted(turn: Resolution, beams: Mapping[int, Pull]) -> tuple[Pulls, bool]:
    """Find the robots on active beams, less those whose pull is refused whoever stands where (G-5.2).

    Say too whether any might not get the cell for itself, so that G-5.3 has to be looked at.
    """
    rails, damaged, taken = turn.rails, turn.damaged, set(turn.occupied)
    pulls: Pulls = {}
    contended = False
    for robot in turn.sequence:
        if robot.cell in beams:
            way = beams[robot.cell]
            if not (rails[robot.cell] >> way.heading & 1 or way.target in damaged):
                pulls[robot.index] = robot, way
                contended |= way.target in taken
                taken.add(way.target)
    return pulls, contended


def _drop_stalemates(turn: Resolution, pulls: Pulls) -> None:
    """Let real robots stay that would share a cell with another, until nothing more changes (G-5.3)."""
    while staying := _held_up(turn, pulls):
        for index in staying:
            del pulls[index]


def _held_up(turn: Resolution, pulls: Pulls) -> list[int]:
    occupied = turn.occupied
    targets = [way.target for robot, way in pulls.values() if not robot.virtual]
    return [
        index
        for index, (robot, way) in pulls.items()
        if not robot.virtual
        and (
            (way.target in occupied and occupied[way.target].index not in pulls)
            or targets.count(way.target) > 1
        )
    ]
