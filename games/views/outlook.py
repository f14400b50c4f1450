"""Where a program would lead, were its robot alone: a line on the board, and sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.safestring import SafeString

import rules
from rules.drawing import CELL

Document = Mapping[str, Any]

QUIET = frozenset({"phase", "rank"})
"""Events of which nothing is said: the panel shows the chips, and ranks are for the end of the turn."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What `selectors.preview` tells of a program: the way that its robot takes, and what is said of it.

    ``stops`` are the cells in which it is at the end of each phase, ``heading`` is where it faces at the
    end, None where it is lost on the way.
    """

    way: tuple[tuple[int, int], ...]
    stops: tuple[tuple[int, int], ...]
    heading: str | None
    sentences: tuple[str, ...]

    @property
    def drawing(self) -> SafeString:
        """The way as a part of a board's drawing."""
        points = [f"{_middle(x)} {_middle(y)}" for x, y in self.way]
        parts = [f'<path class="outlook-way" d="M{"L".join(points)}"/>'] if len(points) > 1 else []
        parts += [
            f'<circle class="outlook-stop" cx="{_middle(x)}" cy="{_middle(y)}" r="3.5"/>'
            for x, y in self.stops
        ]
        if points:
            x, y = self.way[-1]
            place = f'transform="translate({_middle(x)} {_middle(y)})'
            if self.heading is None:
                parts.append(f'<path class="outlook-lost" {place}" d="M-8-8L8 8M8-8L-8 8"/>')
            else:
                turn = f'rotate({rules.LETTERS.index(self.heading) * 90})"'
                parts.append(f'<path class="outlook-end" {place}{turn} d="M0-12L9 9L0 4L-9 9z"/>')
        return SafeString(f'<g class="outlook" aria-hidden="true">{"".join(parts)}</g>')


def outlook_of(preview: Document, origin: Sequence[int] | None) -> Outlook:
    """Return what a preview tells of its robot, which starts in the cell ``origin`` if it is on the board."""
    robot = preview["robot"]
    mine = [event for event in preview["events"] if event.get("robot") == robot["name"]]
    way = [(origin[0], origin[1])] if origin else []
    stops = []
    lost = False
    for _, phase in groupby(mine, key=lambda event: event["phase"]):
        moved = False
        for event in phase:
            if lost := lost or event["type"] == "destroyed":
                break
            cell = event.get("to") if event["type"] == "move" else None
            cell = event["at"] if event["type"] == "enter" else cell
            if cell:
                way.append((cell[0], cell[1]))
                moved = True
        if lost:
            break
        if moved:
            stops.append(way[-1])
    said = tuple(rules.sentence(event) for event in mine if event["type"] not in QUIET and _tells(event))
    return Outlook(tuple(way), tuple(stops), None if lost else robot["heading"], said)


def with_outlook(board: SafeString, outlook: Outlook) -> SafeString:
    """Return a board's drawing with the way on it."""
    return SafeString(board.removesuffix("</svg>") + outlook.drawing + "</svg>")


def _tells(event: Document) -> bool:
    return event["type"] != "shot" or event["hit"] is not None


def _middle(number: int) -> int:
    return number * CELL + CELL // 2
