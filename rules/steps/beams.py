"""Tractor beams (conveyor belts) pull robots (G-5)."""

from collections.abc import Mapping

from rules.grid import turned
from rules.physics import arrive, fall
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.starship import Pull
from rules.state import Robot

Pulls = list[tuple[Robot, Pull]]
"""Robots that are pulled, each with where to."""


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
            pulls = _without_stalemates(turn, pulls)
        curves: Pulls = []
        falls: list[Robot] = []
        for robot, way in pulls:
            turn.move(robot, way.target, "beam")
            if way.quarters:
                curves.append((robot, way))
            if turn.falls[way.target]:
                falls.append(robot)
        for robot, way in curves:
            if not (way.handed_over and keeps_heading_between_speeds):
                turn.turn(robot, turned(robot.heading or 0, way.quarters), "beam")
        for robot in falls:
            fall(turn, robot)
        if turn.entering:
            arrive(turn, [robot for robot, _ in pulls])

    return pull_with_beams


def _wanted(turn: Resolution, beams: Mapping[int, Pull]) -> tuple[Pulls, bool]:
    """Find the robots on active beams, less those whose pull is refused wherever robots stand (G-5.2).

    Say too whether any might not get the cell for itself, so that G-5.3 has to be looked at.
    """
    pulls: Pulls = []
    contended = False
    targets: list[int] = []
    for robot in turn.sequence:
        cell = robot.cell
        if cell in beams:
            way = beams[cell]
            target = way.target
            if not (turn.rails[cell] >> way.heading & 1 or target in turn.damaged):
                contended |= target in turn.occupied or target in targets
                pulls.append((robot, way))
                targets.append(target)
    return pulls, contended


def _without_stalemates(turn: Resolution, pulls: Pulls) -> Pulls:
    """Let real robots stay that would share a cell with another, until nothing more changes (G-5.3)."""
    while staying := _held_up(turn, pulls):
        pulls = [(robot, way) for robot, way in pulls if robot.index not in staying]
    return pulls


def _held_up(turn: Resolution, pulls: Pulls) -> set[int]:
    leaving = {robot.index for robot, _ in pulls}
    targets = [way.target for robot, way in pulls if not robot.virtual]
    return {
        robot.index
        for robot, way in pulls
        if not robot.virtual
        and (
            targets.count(way.target) > 1
            or (way.target in turn.occupied and turn.occupied[way.target].index not in leaving)
        )
    }
