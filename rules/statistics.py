"""Statistics: what each robot did in a turn, counted from the turn's log alone (GR-4).

They are the same for every ruleset. What a robot does by its chips is its own doing: what beams, arms,
twisters, oil and transporters do to it is not counted, nor are headings that its player chose (G-9.4).
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from rules import events as ev
from rules.grid import BEFORE, E, N, S, W, quarters_between
from rules.state import State

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
"""What is counted of a robot (GR-4.1), in that order.

``forward`` and ``backward`` are cells walked by chip, along the robot's heading and against it, in flight,
too; turns are those by chip. ``damage_taken`` is all damage, ``damage_dealt`` that by its shots, or returned
by it, to other robots. ``deaths`` are how often it was destroyed, ``destroyed`` how often it got the kill of
another. ``power_downs`` counts going down, not staying so, which is done before phase 1. ``pushed`` are the
robots that moved because it pushed by chip, each for every cell. Scanners are robots like any other, the
power crystal is none (RC-3).
"""

_TURNS: Final = {1: "right_turns", 2: "half_turns", 3: "left_turns"}
"""What turns are called, by the quarters to the right that they come to."""


def count(state_before: State, events: Iterable[ev.Event]) -> dict[int, Counter[str]]:
    """Count what all robots did in a log that follows a state, by robot index.

    Counts of turns that follow one another add up to that of their logs together. In an opening turn
    nothing is counted, since no one executes chips.
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
    """Return the heading of a single step: rows are further apart than neighbours in one."""
    match to - origin:
        case 1:
            return E
        case -1:
            return W
        case further:
            return S if further > 0 else N
