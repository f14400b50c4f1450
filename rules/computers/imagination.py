"""A state as a player may imagine it: what all may see of it, and nothing where something is secret."""

from rules.launch import squad_airlock_of
from rules.setup import Setup
from rules.state import Robot, State
from rules.view import SEEN, RobotView, View


def imagine(setup: Setup, seen: View) -> State:
    """Return the state that looks like this view; transporters that no one has used lead nowhere (RR-1.4)."""
    squads = [robot.squad for robot in seen.robots]
    return State(
        turn=seen.turn,
        robots=[_robot(setup, robot, squads) for robot in seen.robots],
        hull=dict(seen.hull),
        links=dict(seen.links),
        known=set(seen.links),
        return_damage=seen.return_damage,
        scanner_damage=seen.scanner_damage,
        over=seen.over,
        winner=seen.winner,
    )


def _robot(setup: Setup, seen: RobotView, squads: list[str | None]) -> Robot:
    known = {name: getattr(seen, name) for name in SEEN} | {"registers": list(seen.registers)}
    return Robot(start=_start(setup, seen, squads), **known)


def _start(setup: Setup, seen: RobotView, squads: list[str | None]) -> int:
    """Return where a robot started, which follows from its seat; a scanner comes back there always."""
    ship = setup.starship
    if seen.crystal or seen.scanner:
        return seen.archive
    start = setup.ruleset.start.cell
    seat = squads[: seen.index].count(seen.squad) if seen.squad and start is squad_airlock_of else seen.index
    cell = start(ship, seat, seen.squad)
    return seen.archive if cell is None else cell
