"""What is said of things to who points at them: of cells of the board, of chips, meters and lamps.

Of cells the page gets all that there is to say with the board. What moves is told from the drawing, with the
words that stand here; so the page's script has none of its own.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import rules
from games import wording
from games.fleet.pictures import meanings_in
from games.kept import text_of
from rules.drawing.words import Part, parts_by_cell

Document = dict[str, Any]

WORDS: Final[Mapping[str, str | Promise]] = {
    "board": _("Board: arrow keys lead from cell to cell"),
    "cell": _("Column {x}, row {y}"),
    "hull": _("Hull"),
    "checkpoint": _("Checkpoint"),
    "facing": _("facing {way}"),
    "damage": _("damage {count}"),
    "virtual": _("virtual: robots pass through it"),
    "down": _("switched off until it wakes"),
    "next": _("your next"),
    "done": _("done"),
    "left": _("repairs left: {count}"),
    "crystal": _("The power crystal"),
}
"""What is said of robots, checkpoints and the crystal, in the state in which the drawing has them."""

CHIPS: Final[Mapping[str, str | Promise]] = {
    "1": _("Forward 1: one cell ahead."),
    "2": _("Forward 2: two cells ahead."),
    "3": _("Forward 3: three cells ahead."),
    "B": _("Back 1: one cell back, without turning."),
    "L": _("Turn left: a quarter turn on the spot."),
    "R": _("Turn right: a quarter turn on the spot."),
    "U": _("Turn about: a half turn on the spot."),
    "P": _("Pause: do nothing in this phase."),
}
"""What each kind of chip has a robot do."""

PIECES: Final[Mapping[str, str | Promise]] = {
    "welded": _("Locked: damage has welded it into its register, where it stays until repairs free it."),
    "health": _("Health: damage takes it, repairs bring it back. With none left the robot is destroyed."),
    "lives": _("Lives left, including this one. A robot that loses its last life is out of the game."),
    "spare lives": _(
        "Each spare life brings a robot back once. A robot that is destroyed without any is out of the game."
    ),
    "rank": _("In each phase robots move in this order. It follows from what each did in the turn before."),
    "next": _("The checkpoint that it must reach next, and how many there are."),
    "lamp": _(
        "Ready lamp: a tick when the orders are in, a ring while they are not, a cross when the robot is out."
    ),
    "reliability": _("How many of the player’s last turns had orders in time, where others waited for them."),
    "agrees": _("Ready lamp: a tick for a player who agrees to the game as it is set up, a ring for others."),
    "register": _("A register that damage has locked: it does the same every turn until repairs free it."),
    "equipment": _("Its equipment, and the ammunition left for it."),
    "virtual": _("Virtual: robots pass through it. It becomes real when it ends a turn alone in its cell."),
    "down": _("Switched off: it rests and is repaired, and does nothing until it wakes."),
    "scanner": _("A scanner: one of the game’s own robots, which shoots at any robot it sees."),
    "off the board": _("It comes back before the next turn."),
    "not placed yet": _("It is placed on checkpoint 1 in phase 1 of this turn."),
    "out": _("It has lost its last life."),
    "orders in": _("How many players have submitted orders. The turn is played when all have."),
    "socket": _("What your robot does in this phase. Click a chip here to take it back into your hand."),
    "run": _("Submits these orders (Enter). You can change them until the last player is ready."),
    "clear": _("Takes back all chips that are not locked (Delete)."),
    "aid": _("A ghost shows where your robot stands after each phase, if no other robot gets in the way."),
    "redeal": _("Once a turn: swaps your hand for another one."),
    "vacation": _(
        "The vacation that the player has planned. Days are spent only when their time would run out."
    ),
    "on vacation": _("The player has taken days of vacation, which gives them more time."),
    "time left": _("How much time the player has left. Their days off and nights do not count."),
    "paused": _("No clock runs until then, and deadlines move by as much. You can still play."),
    "deadline": _("When your time is up, or that of the last player who is missing, the turn is played."),
}
"""What the things around a board are."""


def tips_script(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return `board_tips` as an element of a page, for its script."""
    meanings = [str(each) for each in meanings_in(ruleset).values()]
    return SafeString(
        text_of(
            "tips",
            ship.fingerprint,
            meanings,
            get_language(),
            make=lambda: json_script(board_tips(ship, ruleset), "board-tips"),
        )
    )


def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> Document:
    """Return what is in each cell, as a ruleset has it; without one as most do.

    ``cells`` has for each cell, in reading order, the numbers of its ``parts``: pairs of what there is and
    what it does. Plain hull has none.
    """
    meanings = meanings_in(ruleset)
    cells = _parts(ship)
    said = {
        part: (part.words, " ".join(dict.fromkeys(str(meanings[kind]) for kind in part.kinds)))
        for part in dict.fromkeys(part for parts in cells for part in parts)
    }
    numbers = {each: number for number, each in enumerate(dict.fromkeys(said.values()))}
    return {
        "width": ship.width,
        "height": ship.height,
        "parts": [list(part) for part in numbers],
        "cells": [[numbers[said[part]] for part in parts] for parts in cells],
        "headings": {letter: wording.way(letter) for letter in rules.LETTERS},
        "words": {key: str(words) for key, words in WORDS.items()},
    }


def _parts(ship: rules.Starship) -> tuple[tuple[Part, ...], ...]:
    """Return what is in each cell of a board, in reading order. Plain hull is left out."""
    told = parts_by_cell(ship, wording.WORDS)
    return tuple(tuple(part for part in parts if part.kinds != ("Hull",)) for parts in told)
