"""What is said of things to who points at them: of cells of the board, of chips, meters and lamps.

Of cells the page gets all that there is to say with the board. What moves is told from the drawing, with the
words that stand here; so the page's script has none of its own.
"""

from collections.abc import Mapping
from typing import Any, Final

import rules
from games.fleet.pages.legend import meanings_in
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
    "virtual": "virtual: robots pass through it",
    "down": "switched off until it wakes",
    "next": "your next",
    "done": "done",
    "left": "repairs left: {count}",
    "crystal": "The power crystal",
}
"""What is said of robots, checkpoints and the crystal, in the state in which the drawing has them."""

CHIPS: Final[Mapping[str, str]] = {
    "1": "Forward 1: one cell ahead.",
    "2": "Forward 2: two cells ahead.",
    "3": "Forward 3: three cells ahead.",
    "B": "Back 1: one cell back, without turning.",
    "L": "Turn left: a quarter turn on the spot.",
    "R": "Turn right: a quarter turn on the spot.",
    "U": "Turn about: a half turn on the spot.",
    "P": "Pause: nothing is done in this phase.",
}
"""What each kind of chip has a robot do."""

PIECES: Final[Mapping[str, str]] = {
    "welded": "Locked: damage has welded it into its register, where it stays until repairs free it.",
    "health": "Health: damage takes it, repairs bring it back. With none left the robot is destroyed.",
    "lives": "Lives left, this one included. Who loses the last is out of the game.",
    "rank": "In each phase robots move in this order. It follows from what each did in the turn before.",
    "next": "The checkpoint that it has to reach next, and how many there are.",
    "lamp": "Ready lamp: a tick when the orders are in, a ring while they are not, a cross for who is out.",
    "reliability": "How many of their last turns were ordered in time, where others waited for them.",
    "agrees": "Ready lamp: a tick for who agrees to the game as it is set up, a ring for who has not yet.",
    "register": "A register that damage has locked: it does the same every turn until repairs free it.",
    "equipment": "Its equipment, and the ammunition left for it.",
    "model": "The model, which says what equipment it has.",
    "virtual": "Virtual: robots pass through it. It becomes real when it ends a turn alone in its cell.",
    "down": "Switched off: it rests and is repaired, and does nothing until it wakes.",
    "scanner": "A scanner: one of the game’s own robots, which shoots at whoever it sees.",
    "off the board": "It comes back before the next turn.",
    "out": "It has lost its last life.",
    "orders in": "How many have given their orders: the turn is played when all have.",
    "socket": "What your robot does in this phase. A chip that lies here goes back to your hand by a click.",
    "run": "Gives these orders (Enter). They may be changed until the last player is ready.",
    "clear": "Takes all chips back that are not locked (Delete).",
    "aid": "A ghost shows where your robot stands after each phase, if no other robot gets in the way.",
    "redeal": "Once a turn: gives the hand back for another one.",
    "vacation": "What its player has planned: days are spent only when their time would be up.",
    "on vacation": "Its player has taken days of vacation: they have that much more time.",
    "time left": "Until when its player has time. A player’s days off and nights do not count.",
    "paused": "No clock runs until then, and deadlines are that much later. You may play all the same.",
    "deadline": "When your time is up, or that of the last who is missing, chance fills empty registers.",
}
"""What the things around a board are."""


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
