"""The instants of a turn: the events that happen at the same moment."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import rules
from rules import events as ev

MOTIONS = (ev.Move, ev.Turn)
ONE_BY_ONE = frozenset({"chip", "push", "arm", "oil"})
"""The causes of moves that robots make one after another. Other causes move all robots at the same moment."""


def instants(events: Iterable[rules.Event]) -> list[int]:
    """Return, for each event, the number of the instant in which it happens.

    Consecutive events of the same type share an instant if they belong to one step of the ruleset. If robots
    act one after another, an instant is one move of one robot and the moves of all robots that it pushes.
    """
    numbers: list[int] = []
    for (*_, actor), group in groupby(events, key=_family):
        run = list(group)
        first = numbers[-1] + 1 if numbers else 0
        numbers += [first + step for step in ([0] * len(run) if actor is None else _steps(run))]
    return numbers


def _family(event: rules.Event) -> tuple[object, ...]:
    """Return a key that is the same for events that may share an instant. Its last item is the actor."""
    family = "motion" if isinstance(event, MOTIONS) else type(event).__name__
    return event.phase, event.step, family, _actor(event)


def _steps(run: Sequence[rules.Event]) -> list[int]:
    """Number the moves of one robot from 0, and give each push the number of the move that pushes.

    Moves of the same moment are in move order, so a push may come before the move that pushes. The robots in
    one moment stand in a line: each starts on the cell that the robot behind it moves to.
    """
    own = [place for place, event in enumerate(run) if getattr(event, "pusher", None) is None]
    steps = {place: step for step, place in enumerate(own)}
    for step, place in enumerate(own):
        behind = run[place]
        moved = set()
        while isinstance(behind, ev.Move) and behind.robot not in moved:
            moved.add(behind.robot)
            rest = (each for each in range(len(run)) if each not in steps)
            ahead = next((each for each in rest if getattr(run[each], "origin", None) == behind.to), None)
            if ahead is None or getattr(run[ahead], "robot", None) in moved:
                break
            steps[ahead] = step
            behind = run[ahead]
    return [steps.get(place, 0) for place in range(len(run))]


def _actor(event: rules.Event) -> int | None:
    """Return the index of the robot that acts in an event, or None if robots do not act one after another.

    If a robot is pushed, the acting robot is the one that pushes it.
    """
    match event:
        case ev.Move(robot=robot, by=by, pusher=pusher) if by in ONE_BY_ONE:
            return robot if pusher is None else pusher
        case ev.Turn(robot=robot, by="chip"):
            return robot
    return None
