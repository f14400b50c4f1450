"""Choose the marks, labels, sounds, push numbers and robots' faces for each instant of a film."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

import rules
from games.wording import WORDS
from rules import events as ev
from rules.grid import OFF

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
    ev.Over: "win",
}
"""The types of events that leave a mark on a cell, with the name of the mark."""

FATES: Final[dict[str, str | Promise]] = {
    "shaft": pgettext_lazy("label on the board", "down the shaft"),
    "space": pgettext_lazy("label on the board", "lost in space"),
    "bay": pgettext_lazy("label on the board", "through the bay"),
    "crusher": pgettext_lazy("label on the board", "crushed"),
    "damage": pgettext_lazy("label on the board", "destroyed"),
    "implosion": pgettext_lazy("label on the board", "imploded"),
}
"""Labels of destroyed robots on the board, by cause."""

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
"""The sounds of events, by type of event. The sound of a move depends on its cause."""

FACES: Final[dict[type, str]] = {ev.Damage: "hit", ev.Inspect: "glad", ev.Destroyed: "lost", ev.Enter: ""}
"""The faces of robots by the type of event that happens to them. Pushes and wins have faces too."""

CIRCLED: Final = " ①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯"
"""The numbers of pushes in captions, as on the board. The longest chain has all robots of a game."""

MOVING = {"push": "push", "arm": "push", "beam": "beam", "transporter": "beam", "twister": "beam"}


def cue_of(event: rules.Event) -> str:
    """Return the sound of an event, or an empty string."""
    if isinstance(event, (ev.Move, ev.Turn)):
        return MOVING.get(event.by, "step")
    return CUES.get(type(event), "")


def marks_of(ship: rules.Starship, seen: rules.View, event: rules.Event) -> list[Document]:
    """Return the marks that an event leaves on the board: each has its ``kind``, and its cell ``at``.

    If a squad wins, each of its robots has a mark. Events off the board leave none.
    """
    kind = MARKED.get(type(event))
    if kind is None:
        return []
    if isinstance(event, ev.Power):
        kind = "down" if event.down else "up"
    elif isinstance(event, ev.Inspect) and event.checkpoint == max(ship.checkpoints):
        kind = "goal"
    won = isinstance(event, ev.Over)
    cells = [robot.cell for robot in _winners(seen, event)] if won else [_cell(ship, seen, event)]
    by = {"by": event.by} if isinstance(event, ev.Destroyed) else {}
    return [
        {"kind": kind, "at": list(ship.pos(cell)), **by}
        for cell in cells
        if cell is not None and ship.inside(cell)
    ]


def labels_of(ship: rules.Starship, seen: rules.View, events: Sequence[rules.Event]) -> list[Document]:
    """Return the labels that events leave on the board: each has its ``kind``, ``text``, and cell ``at``.

    ``seen`` is the view before the events. Damage at the same moment is added up. The number of a push is
    where the pushed robot came from, and has the ``heading`` of the push.
    """
    texts: dict[tuple[str, int], str] = {}
    damage: Counter[int] = Counter()
    for event in events:
        cell = _cell(ship, seen, event)
        match event:
            case ev.Damage(amount=amount) if cell is not None:
                damage[cell] += amount
                texts["damage", cell] = f"−{damage[cell]}"
            case ev.Inspect(checkpoint=number) if cell is not None:
                texts["inspect", cell] = f"✓ {number}"
            case ev.Destroyed(at=at, by=by):
                texts["destroyed", at] = str(FATES[by])
            case ev.Over():
                texts |= {("win", robot.cell): gettext("wins") for robot in _winners(seen, event)}
    numbers = push_numbers(events)
    pushes: list[Document] = [
        {
            "kind": "push",
            "text": str(numbers[place]),
            "at": list(ship.pos(event.origin)),
            "heading": ship.steps.index(event.to - event.origin),
        }
        for place in sorted(numbers, key=numbers.__getitem__)
        if isinstance(event := events[place], ev.Move)
    ]
    return pushes + [
        {"kind": kind, "text": text, "at": [min(max(x, 0), ship.width - 1), min(max(y, 0), ship.height - 1)]}
        for (kind, cell), text in texts.items()
        if cell != OFF
        for x, y in [ship.pos(cell)]
    ]


def _winners(seen: rules.View, event: rules.Event) -> list[rules.RobotView]:
    """Return the robot that wins the game, or the robots of the squad that wins."""
    winner = event.winner if isinstance(event, ev.Over) else None
    return [robot for robot in seen.robots if winner is not None and winner in (robot.index, robot.squad)]


def _cell(ship: rules.Starship, seen: rules.View, event: rules.Event) -> int | None:
    match event:
        case ev.Weld(checkpoint=number):
            return ship.checkpoints[number]
        case ev.Destroyed(at=at) | ev.Archive(at=at) | ev.Enter(at=at):
            return at
    robot: int | None = getattr(event, "robot", None)
    return None if robot is None else seen.robots[robot].cell


def push_numbers(events: Sequence[rules.Event]) -> dict[int, int]:
    """Number the pushes of an instant from 1 along each chain of robots, by their places in ``events``.

    The events are in move order. In a chain, each robot starts on the cell that the robot behind it moves to.
    """
    pushes = {
        event.origin: (place, event.to)
        for place, event in enumerate(events)
        if isinstance(event, ev.Move) and event.pusher is not None
    }
    moved_to = {to for _, to in pushes.values()}
    numbers: dict[int, int] = {}
    for first in pushes.keys() - moved_to:
        cell, number = first, 1
        while cell in pushes and pushes[cell][0] not in numbers:
            place, cell = pushes[cell]
            numbers[place], number = number, number + 1
    return numbers


def sentences_of(
    events: Sequence[rules.Event], documents: Sequence[Document], words: rules.Words = WORDS
) -> list[str]:
    """Return the captions of the events of an instant. Chains of pushes have numbers, and are in their order.

    The starts of phases, and missed shots, have no caption.
    """
    numbers = push_numbers(events)
    if max(numbers.values(), default=0) < 2:
        numbers = {}
    return [
        f"{CIRCLED[numbers[place]]} {sentence}" if place in numbers else sentence
        for place in sorted(range(len(events)), key=lambda place: numbers.get(place, 0))
        if not isinstance(event := events[place], ev.Phase)
        if not (isinstance(event, ev.Shot) and event.hit is None)
        for sentence in [rules.sentence(documents[place], words)]
    ]


def faces_of(seen: rules.View, event: rules.Event) -> dict[str, str]:
    """Return the faces that robots make at an event, by name. An empty face is the usual one.

    ``seen`` is the view before the event.
    """
    if isinstance(event, ev.Over):
        return {robot.name: "win" for robot in _winners(seen, event)}
    pushed = isinstance(event, ev.Move) and event.by in ("push", "arm")
    face = "pushed" if pushed else FACES.get(type(event))
    robot: int | None = getattr(event, "robot", None)
    return {} if robot is None or face is None else {seen.robots[robot].name: face}


def driver_of(seen: rules.View, events: Iterable[rules.Event]) -> str:
    """Return the name of the robot that moves by its own chip in an instant, or an empty string."""
    for event in events:
        if isinstance(event, (ev.Move, ev.Turn)) and event.by == "chip":
            return seen.robots[event.robot].name
    return ""
