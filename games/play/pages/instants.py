"""Which events of a turn are seen at once: the instants of its film."""

from collections.abc import Iterable

import rules
from rules import events as ev

MOTIONS = (ev.Move, ev.Turn)
ONE_BY_ONE = frozenset({"chip", "push", "arm", "oil"})
"""What moves robots one after another; by anything else they move together."""


def instants(events: Iterable[rules.Event]) -> list[int]:
    """Return for each event the number of the instant to which it belongs.

    Events of one kind and step are of one instant, unless robots act one after another: then an
    instant is one step of one robot, with those that it pushes.
    """
    numbers: list[int] = []
    number = 0
    before: tuple[object, ...] | None = None
    seen: set[int | None] = set()
    for event in events:
        actor, robot = _actor(event), getattr(event, "robot", None)
        family = "motion" if isinstance(event, MOTIONS) else type(event).__name__
        key = (event.phase, event.step, family, actor)
        again = actor is not None and robot in seen
        if before is not None and (key != before or again):
            number += 1
            seen = set()
        before = key
        seen.add(robot)
        numbers.append(number)
    return numbers


def _actor(event: rules.Event) -> int | None:
    """Return the robot whose turn it is, where robots act one after another."""
    match event:
        case ev.Move(robot=robot, by=by, pusher=pusher) if by in ONE_BY_ONE:
            return robot if pusher is None else pusher
        case ev.Turn(robot=robot, by="chip"):
            return robot
    return None
