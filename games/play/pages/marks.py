"""What is to be seen and heard of an event beside robots that move: marks on cells, and cues for sounds."""

from typing import Any, NamedTuple

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


class Traces(NamedTuple):
    """What one event leaves: a ``cue`` that is heard, who acts, and what is seen for an instant.

    ``acting`` are the robots that it is about, who acts first; no one where it is about all. ``arm`` is the
    arm that pushes, as column, row and edge, and ``crusher`` the one that closes.
    """

    cue: str
    acting: list[int]
    mark: Document | None
    arm: list[Any] | None
    crusher: list[int] | None


def traces_of(ship: rules.Starship, seen: rules.View, event: rules.Event) -> Traces:
    """Return what an event leaves to be seen and heard; ``seen`` is the view before it."""
    named = (getattr(event, "pusher", None), getattr(event, "robot", None))
    acting = [index for index in named if index is not None]
    arm = crusher = None
    if isinstance(event, ev.Move) and event.by == "arm" and event.pusher is None:
        heading = ship.steps.index(event.to - event.origin)
        arm = [*ship.pos(event.origin), rules.LETTERS[opposite(heading)]]
    elif isinstance(event, ev.Destroyed) and event.by == "crusher":
        crusher = list(ship.pos(event.at))
    return Traces(_cue_of(event), acting, _mark_of(ship, seen, event), arm, crusher)


def _cue_of(event: rules.Event) -> str:
    """Return what is heard of an event, or nothing."""
    if isinstance(event, (ev.Move, ev.Turn)):
        return MOVING.get(event.by, "step")
    return CUES.get(type(event), "")


def _mark_of(ship: rules.Starship, seen: rules.View, event: rules.Event) -> Document | None:
    """Return the mark that an event leaves, with its ``kind`` and the cell ``at`` which it is.

    What happens off the board leaves none.
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


def _cell(ship: rules.Starship, seen: rules.View, event: rules.Event) -> int | None:
    match event:
        case ev.Weld(checkpoint=number):
            return ship.checkpoints[number]
        case ev.Destroyed(at=at) | ev.Archive(at=at) | ev.Enter(at=at):
            return at
    robot: int | None = getattr(event, "robot", None)
    return None if robot is None else seen.robots[robot].cell
