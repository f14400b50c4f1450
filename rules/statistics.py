"""Count each robot's actions in a turn (GR-4), and order the players of a game by result.

Actions are counted from the log, in the same way for every ruleset. A robot's moves and turns count only if
its own chips cause them. Effects of beams, arms, twisters, oil and transporters do not count. Headings that
players choose do not count either (G-9.4).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rules import events as ev
from rules.grid import BEFORE, E, N, S, W, quarters_between
from rules.state import Robot, State

COUNTERS: Final = (
    "forward",
    "backward",
    "left_turns",
    "right_turns",
    "half_turns",
    "damage_taken",
    "deaths",
    "damage_dealt",
    "destroyed",
    "repaired",
    "power_downs",
    "pushed",
)
"""The counters of each robot (GR-4.1), in the order of display.

``forward`` and ``backward`` count the cells that a robot moved by chip, along its heading or against it. They
include cells that the robot flew over. ``left_turns``, ``right_turns`` and ``half_turns`` count how often the
robot's chips turned it. ``damage_taken`` is all damage to the robot. ``damage_dealt`` is the damage to other
robots by shots that it fired or reflected.
``deaths`` counts how often it was destroyed, and ``destroyed`` its kills of other robots. ``power_downs``
counts how often it was switched off. Staying off, which happens before phase 1, does not count. ``pushed``
counts how many cells its chips pushed other robots. Scanners count like any robot, but the power crystal does
not (RC-3).
"""

_TURNS: Final = {1: "right_turns", 2: "half_turns", 3: "left_turns"}
"""The counters of turns, by the number of quarter turns to the right."""


def count(state_before: State, events: Iterable[ev.Event]) -> dict[int, Counter[str]]:
    """Count the actions of all robots in a turn, by robot index.

    ``events`` are all events after ``state_before``, the state at the start of the turn. The counts of
    several turns can be added up. All counts of turn 0 are 0, because robots execute no chips then.
    """
    headings = {robot.index: robot.heading for robot in state_before.robots if not robot.crystal}
    counts: dict[int, Counter[str]] = {index: Counter() for index in headings}
    for event in events:
        match event:
            case ev.Move(robot=robot, by="chip"):
                along = _heading(event.origin, event.to) == headings[robot]
                counts[robot]["forward" if along else "backward"] += 1
            case ev.Move(robot=robot, by="push", pusher=int(pusher), step="chips") if robot in counts:
                counts[pusher]["pushed"] += 1
            case ev.Turn(robot=robot):
                quarters = quarters_between(event.origin or 0, event.to)
                if event.by == "chip" and quarters:
                    counts[robot][_TURNS[quarters]] += 1
                headings[robot] = event.to
            case ev.Enter(robot=robot) if robot in counts:
                headings[robot] = event.heading
            case ev.Damage(robot=robot, source=source):
                counts[robot]["damage_taken"] += event.amount
                if source is not None and source != robot:
                    counts[source]["damage_dealt"] += event.amount
            case ev.Destroyed(robot=robot) if robot in counts:
                counts[robot]["deaths"] += 1
                for killer in event.killers:
                    if killer != robot:
                        counts[killer]["destroyed"] += 1
            case ev.Repair(robot=robot):
                counts[robot]["repaired"] += event.amount
            case ev.Power(robot=robot, down=True, phase=phase) if phase != BEFORE:
                counts[robot]["power_downs"] += 1
            case _:
                pass
    return counts


def _heading(origin: int, to: int) -> int:
    """Return the heading of a single step between two cells."""
    match to - origin:
        case 1:
            return E
        case -1:
            return W
        case further:
            return S if further > 0 else N


Instant = tuple[int, int, int]
"""The time of a robot's departure from the game: the turn, the phase, and the number of the moment.

Robots that went out at the same moment have the same number. The number is 0 if the ruleset does not number
these moments (G-10.3).
"""

_NO_PLACE: Final = 1 << 31


def departures(state: State, events: Iterable[ev.Event]) -> dict[int, Instant]:
    """Return the moments when robots went out of the game in this turn, by robot index.

    ``state`` is the state at the start of the turn, and ``events`` are all events of the turn.
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
    """Return the sides of a game, best first, in groups of equal sides.

    A side is a robot or a squad, as the indexes of its robots. ``winner`` is a robot's index, a squad or
    None. The winner comes first, even if other players conceded the game. Other robots are ordered by place
    (G-10.1), then by checkpoints. Then robots that are still in the game come before robots that are out, and
    robots that went out later before robots that went out earlier (G-10.3). Robots without any difference are
    equal. If a squad won, the other squad is second (RC-5). ``departed`` has the moments when robots went
    out.
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
