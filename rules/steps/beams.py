"""Tractor beams (conveyor belts) pull robots (G-5)."""

from rules.grid import turned
from rules.physics import arrive, fall
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.starship import Pull, Starship
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

    def pulling(ship: Starship) -> list[int]:
        tables = ship.find_pulls(active)
        return [cell for cell in ship.beams if any(table[cell] for table in tables)]

    @step(f"beams of speed {named}", clauses, cells=pulling)
    def pull_with_beams(turn: Resolution) -> None:
        """Beams pull the robots on them one cell, all at the same time; curves turn them."""
        beams = turn.ship.pulls.get(active) or turn.ship.find_pulls(active)
        pulls = _wanted(turn, beams[turn.phase])
        for robot, way in pulls:
            turn.move(robot, way.target, "beam")
        for robot, way in pulls:
            if way.quarters and not (way.handed_over and keeps_heading_between_speeds):
                turn.turn(robot, turned(robot.heading or 0, way.quarters), "beam")
        for robot, way in pulls:
            if turn.falls[way.target] is not None:
                fall(turn, robot)
        if turn.entering:
            arrive(turn, [robot for robot, _ in pulls])

    return pull_with_beams


def _wanted(turn: Resolution, beams: list[Pull | None]) -> Pulls:
    """Find the robots on active beams, less those whose pull damaged hull or robots refuse (G-5.2, G-5.3)."""
    pulls: Pulls = []
    contended = False  # whether any might not get the cell for itself, so that G-5.3 has to be looked at
    for robot in turn.sequence:
        way = beams[robot.cell]
        if way is not None:
            target = way.target
            if target not in turn.damaged:
                if turn.occupied[target] is not None:
                    contended = True
                for _, other in pulls:
                    if other.target == target:
                        contended = True
                pulls.append((robot, way))
    return _without_stalemates(turn, pulls) if contended else pulls


def _without_stalemates(turn: Resolution, pulls: Pulls) -> Pulls:
    """Let real robots stay that would share a cell with another, until nothing more changes (G-5.3)."""
    while staying := _held_up(turn, pulls):
        pulls = [(robot, way) for robot, way in pulls if robot.index not in staying]
    return pulls


def _held_up(turn: Resolution, pulls: Pulls) -> set[int]:
    leaving = {robot.index for robot, _ in pulls}
    targets = [way.target for robot, way in pulls if not robot.virtual]
    staying: set[int] = set()
    for robot, way in pulls:
        if not robot.virtual:
            other = turn.occupied[way.target]
            if targets.count(way.target) > 1 or (other and other.index not in leaving):
                staying.add(robot.index)
    return staying
