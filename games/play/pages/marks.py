"""What is to be seen and heard of an event beside robots that move: marks on cells, and cues for sounds."""

from typing import Any

import rules
from rules import events as ev
from rules.grid import opposite

Document = dict[str, Any]

MARKED: dict[type, str] = {
    ev.Damage: "damage",
    ev.Repair: "repair",
    ev.Weld: "weld",
    ev.Inspect: "inspect",
    ev.Archive: "archive",
    ev.Destroyed: "destroyed",
    ev.Enter: "enter",
    ev.Real: "real",
    ev.Virtual: "virtual",
    ev.Power: "power",
    ev.Finish: "finish",
}
"""The events that leave a mark on a cell for an instant, and what it is called."""

CUES: dict[type, str] = {
    ev.Phase: "phase",
    ev.Shot: "laser",
    ev.Damage: "hit",
    ev.Destroyed: "destroyed",
    ev.Repair: "repair",
    ev.Weld: "repair",
    ev.Inspect: "inspect",
    ev.Over: "win",
}
"""What is heard of events; a move sounds by what moves."""

MOVING = {"push": "push", "arm": "push", "beam": "beam", "transporter": "beam", "twister": "beam"}


def cue_of(event: rules.Event) -> str:
    """Return what is heard of an event, or nothing."""
    if isinstance(event, (ev.Move, ev.Turn)):
        return MOVING.get(event.by, "step")
    return CUES.get(type(event), "")


def mark_of(ship: rules.Starship, seen: rules.View, event: rules.Event) -> Document | None:
    """Return the mark that an event leaves, with its ``kind`` and the cell ``at`` which it is.

    ``seen`` is the view before it. What happens off the board leaves none.
    """
    kind = MARKED.get(type(event))
    if kind is None:
        return None
    if isinstance(event, ev.Power):
        kind = "down" if event.down else "up"
    cell = _cell(ship, seen, event)
    if cell is None or not ship.inside(cell):
        return None
    mark: Document = {"kind": kind, "at": list(ship.pos(cell))}
    if isinstance(event, ev.Destroyed):
        mark["by"] = event.by
    return mark


def arm_of(ship: rules.Starship, event: rules.Event) -> list[Any] | None:
    """Return which arm is seen to push, as column, row and edge; None where an event is no such push."""
    if not isinstance(event, ev.Move) or event.by != "arm" or event.pusher is not None:
        return None
    heading = ship.steps.index(event.to - event.origin)
    return [*ship.pos(event.origin), rules.LETTERS[opposite(heading)]]


def crusher_of(ship: rules.Starship, event: rules.Event) -> list[int] | None:
    """Return which crusher is seen to close."""
    if isinstance(event, ev.Destroyed) and event.by == "crusher":
        return list(ship.pos(event.at))
    return None


def acting_in(event: rules.Event) -> list[int]:
    """Return the robots that an event is about, who acts first; no one where it is about all."""
    actor = getattr(event, "pusher", None)
    named = [actor, getattr(event, "robot", None)]
    return [index for index in named if index is not None]


def _cell(ship: rules.Starship, seen: rules.View, event: rules.Event) -> int | None:
    match event:
        case ev.Weld(checkpoint=number):
            return ship.checkpoints[number]
        case ev.Destroyed(at=at) | ev.Archive(at=at) | ev.Enter(at=at):
            return at
    robot: int | None = getattr(event, "robot", None)
    return None if robot is None else seen.robots[robot].cell
