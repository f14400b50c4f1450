"""Which events of a turn are seen at once: the instants of its film."""

from collections.abc import Iterable, Iterator

import rules
from rules import events as ev

MOTIONS = (ev.Move, ev.Turn)
ONE_BY_ONE = frozenset({"chip", "push", "arm", "oil"})
"""What moves robots one after another; by anything else they move together."""


def instants(events: Iterable[rules.Event]) -> Iterator[int]:
    """Yield for each event the number of the instant to which it belongs.

    Events of one kind and step are of one instant, unless robots act one after another: then an
    instant is one step of one robot, with those that it pushes.
    """
    number = 0
    before: tuple[object, ...] | None = None
    seen: set[int] = set()
    for event in events:
        actor = _actor(event)
        key = (event.phase, event.step, _family(event), actor)
        again = actor is not None and _robot(event) in seen
        if before is not None and (key != before or again):
            number += 1
            seen = set()
        before = key
        seen.add(_robot(event))
        yield number


def _family(event: rules.Event) -> str:
    return "motion" if isinstance(event, MOTIONS) else type(event).__name__


def _actor(event: rules.Event) -> int | None:
    """Return the robot whose turn it is, where robots act one after another."""
    match event:
        case ev.Move(robot=robot, by=by, pusher=pusher) if by in ONE_BY_ONE:
            return robot if pusher is None else pusher
        case ev.Turn(robot=robot, by="chip"):
            return robot
    return None


def _robot(event: rules.Event) -> int:
    robot: int | None = getattr(event, "robot", None)
    return -1 if robot is None else robot
