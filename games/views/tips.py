"""What is said of a cell of the board to who points at it: its elements, robots, checkpoint, crystal.

The page gets all of it with the board. What moves is told from the drawing, with the words that stand
here; so the page's script has none of its own.
"""

from collections.abc import Mapping
from typing import Any, Final

import rules
from games.views.legend import meanings_in
from rules.drawing.cell_words import Part, parts_of
from rules.drawing.words import HEADINGS

Document = dict[str, Any]

WORDS: Final[Mapping[str, str]] = {
    "board": "Board: arrow keys lead from cell to cell",
    "cell": "Column {x}, row {y}",
    "hull": "Hull",
    "checkpoint": "Checkpoint",
    "facing": "facing {way}",
    "damage": "damage {count}",
    "virtual": "virtual, so in nobody’s way",
    "down": "switched off until it wakes",
    "next": "your next",
    "done": "done",
    "left": "repairs left: {count}",
    "crystal": "The power crystal",
}
"""What is said of robots, checkpoints and the crystal, in the state in which the drawing has them."""


def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> Document:
    """Return what is in each cell, as a ruleset has it; without one as most do.

    ``cells`` has for each cell, in reading order, the numbers of its ``parts``: pairs of what there is and
    what it does. Plain hull has none.
    """
    meanings = meanings_in(ruleset)
    numbers: dict[tuple[str, str], int] = {}
    cells = []
    for y in range(ship.height):
        for x in range(ship.width):
            said = [_said(part, meanings) for part in parts_of(ship, x, y) if part.kinds != ("Hull",)]
            cells.append([numbers.setdefault(each, len(numbers)) for each in said])
    return {
        "width": ship.width,
        "height": ship.height,
        "parts": [list(part) for part in numbers],
        "cells": cells,
        "headings": dict(zip(rules.LETTERS, HEADINGS, strict=True)),
        "words": dict(WORDS),
    }


def _said(part: Part, meanings: Mapping[str, str]) -> tuple[str, str]:
    return part.words, " ".join(dict.fromkeys(meanings[kind] for kind in part.kinds))
