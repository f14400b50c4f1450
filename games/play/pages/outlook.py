"""Where a program leads if no other robot gets in the way: ghosts and a line on the board, and sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import rules
from games.fleet.pictures import lay_over
from games.play.selectors.preview import ForeseenTurn, Ghost
from games.wording import sentence_of, way
from rules.drawing import CELL, ghost

Document = Mapping[str, Any]
Cell = tuple[int, int]

QUIET = frozenset({"phase", "rank"})
"""Events of which nothing is said: the panel shows the chips, and ranks are for the end of the turn."""


@dataclass(frozen=True, slots=True)
class ForeseenWay:
    """What `selectors.foresee` tells of a program: the way that its robot takes, and what is said of it.

    ``way`` are the cells that it comes through, ``stands`` where it is at the end of each phase.
    """

    look: int
    size: Cell
    way: tuple[Cell, ...]
    stands: tuple[Ghost, ...]
    sentences: tuple[str, ...]

    @property
    def drawing(self) -> SafeString:
        """The way and the ghosts as a part of a board's drawing: ``g.outlook``, the last ghost on top."""
        points = [f"{_middle(x)} {_middle(y)}" for x, y in self.way]
        parts = [f'<path class="outlook-way" d="M{"L".join(points)}"/>'] if len(points) > 1 else []
        parts += _ghosts(self.look, self.stands, self.size)
        return SafeString(f'<g class="outlook" aria-hidden="true">{"".join(parts)}</g>')

    @property
    def summary(self) -> str:
        """Where it ends, in a sentence; nothing where no chip is laid, or where there is a warning."""
        if not self.stands or self.warning:
            return ""
        end = self.stands[-1]
        place = {"phase": end.phase, "column": end.at[0] + 1, "row": end.at[1] + 1}
        if end.heading is None:
            said = _(
                "If no other robot gets in the way, you stand in column {column}, row {row} after"
                " phase {phase}."
            )
            return said.format(**place)
        said = _(
            "If no other robot gets in the way, you stand in column {column}, row {row} after"
            " phase {phase}, facing {way}."
        )
        return said.format(**place, way=way(rules.LETTERS[end.heading]))

    @property
    def warning(self) -> str:
        """Where and when the robot is destroyed; nothing where it is not."""
        lost = next((stand for stand in self.stands if stand.lost), None)
        if lost is None:
            return ""
        where = self._inside(lost.at)
        if where == lost.at:
            said = _(
                "Destroyed in phase {phase}, in column {column}, row {row}, if no other robot gets in"
                " the way."
            )
        else:
            said = _(
                "Destroyed in phase {phase}, off the edge at column {column}, row {row}, if no other robot"
                " gets in the way."
            )
        return said.format(phase=lost.phase, column=where[0] + 1, row=where[1] + 1)

    def _inside(self, at: Cell) -> Cell:
        """Return the cell of the board that is nearest to one that may be beyond its edge."""
        x, y = (min(max(place, 0), length - 1) for place, length in zip(at, self.size, strict=True))
        return x, y


def outlook_of(foresight: ForeseenTurn) -> ForeseenWay:
    """Return what is to be shown and said of where a program leads."""
    mine = [event for event in foresight.documents if event.get("robot") == foresight.name]
    said = tuple(sentence_of(event) for event in mine if event["type"] not in QUIET and _tells(event))
    return ForeseenWay(
        foresight.look, foresight.size, tuple(_way(mine, foresight.origin)), foresight.stands, said
    )


def with_outlook(board: SafeString, outlook: ForeseenWay) -> SafeString:
    """Return a board's drawing with the outlook on it."""
    return lay_over(board, outlook.drawing)


def _way(mine: Sequence[Document], origin: Cell | None) -> Iterator[Cell]:
    """Yield the cells that a robot comes through, up to where it is destroyed."""
    if origin:
        yield origin
    for event in mine:
        match event["type"]:
            case "move":
                yield event["to"][0], event["to"][1]
            case "enter":
                yield event["at"][0], event["at"][1]
            case "destroyed":
                return


def _ghosts(look: int, stands: Sequence[Ghost], size: Cell) -> Iterator[str]:
    """Draw a ghost for each cell in which phases end, with all of their numbers.

    One that is lost beyond the board's edge is drawn half over it, where it can be seen.
    """
    cells: dict[Cell, list[Ghost]] = {}
    for stand in stands:
        cells.setdefault(stand.at, []).append(stand)
    last = stands[-1].at if stands else None
    for at, there in sorted(cells.items(), key=lambda item: (item[0] == last, item[1][-1].phase)):
        end = there[-1]
        phases = [stand.phase for stand in there]
        drawn = ghost(look, at, end.heading, phases, lost=end.lost, last=at == last)
        x, y = (_inwards(place, length) for place, length in zip(at, size, strict=True))
        yield f'<g transform="translate({x} {y})">{drawn}</g>' if (x, y) != (0, 0) else drawn


def _inwards(place: int, length: int) -> int:
    """Return how far to move what is beyond the edge of a board so long."""
    return CELL // 2 if place < 0 else -CELL // 2 if place >= length else 0


def _tells(event: Document) -> bool:
    return event["type"] != "shot" or event["hit"] is not None


def _middle(number: int) -> int:
    return number * CELL + CELL // 2
