"""The order in which the players of a game have finished, from the first to the last."""

from collections.abc import Iterable, Sequence
from typing import Final

from rules import events as ev
from rules.state import Robot, State

Instant = tuple[int, int, int]
"""A turn, a phase, and the how many-th instant of it in which robots went out, where that matters."""

_NO_PLACE: Final = 1 << 31


def departures(state: State, events: Iterable[ev.Event]) -> dict[int, Instant]:
    """Return when robots went out of the game in a turn, by robot index.

    ``state`` is that at the turn's start; the events are all that happened in it.
    """
    lives = {robot.index: robot.lives for robot in state.players if not robot.out}
    out: dict[int, Instant] = {}
    for event in events:
        if isinstance(event, ev.Destroyed) and event.robot in lives:
            lives[event.robot] -= 1
            if lives[event.robot] <= 0:
                out.setdefault(event.robot, (state.turn, event.phase, event.out or 0))
    return out


def rank_sides(
    state: State, departed: dict[int, Instant], winner: int | str | None
) -> list[list[tuple[int, ...]]]:
    """Return the sides of a game in groups of equals, best first; a side has the indices of its robots.

    ``winner`` is a robot's index or a squad, and comes first, also where the game was conceded to it. Then
    come robots by the place that they took (G-10.1), by checkpoints, those still in the game before those
    that are out, and those that went out later before those that went out earlier (G-10.3). What remains
    equal is tied. Of two squads, one has won (RC-5).
    """
    players = list(state.players)
    if any(robot.squad for robot in players):
        return _squads(players, winner)

    def merit(robot: Robot) -> tuple[bool, int, int, bool, Instant]:
        place = _NO_PLACE if robot.place is None else robot.place
        turn, phase, instant = departed.get(robot.index, (0, 0, 0)) if robot.out else (0, 0, 0)
        return robot.index != winner, place, -robot.next, robot.out, (-turn, -phase, -instant)

    groups: list[list[tuple[int, ...]]] = []
    last = None
    for robot in sorted(players, key=merit):
        if last is None or merit(robot) != last:
            groups.append([])
        groups[-1].append((robot.index,))
        last = merit(robot)
    return groups


def _squads(players: Sequence[Robot], winner: int | str | None) -> list[list[tuple[int, ...]]]:
    squads: dict[str | None, list[int]] = {}
    for robot in players:
        squads.setdefault(robot.squad, []).append(robot.index)
    sides = {squad: tuple(robots) for squad, robots in squads.items()}
    if winner in sides:
        first = sides.pop(str(winner))
        return [[first], list(sides.values())]
    return [list(sides.values())]
