"""Boards under way, as documents that the rules write (`rules.view_to_json`)."""

from datetime import datetime
from typing import Annotated, Any, TypedDict, cast

import rules
from games.errors import Shape

CELL = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

Cell = Annotated[list[int], Shape(CELL)]
"""A cell: [x, y], from the top left [0, 0]."""

Heading = Annotated[str | None, Shape({"type": "string", "enum": [*rules.LETTERS, None]})]
Hull = Annotated[
    dict[str, int],
    Shape(
        {
            "type": "object",
            "description": "Repairs left, by the number of the inspection point.",
            "additionalProperties": {"type": "integer"},
        }
    ),
]
Links = Annotated[
    list[list[list[int]]],
    Shape(
        {
            "type": "array",
            "description": "Transporter links that have been used: [from, to].",
            "items": {
                "type": "array",
                "items": {"type": "array", "items": {"type": "integer"}},
                "minItems": 2,
                "maxItems": 2,
            },
        }
    ),
]
OrdersDocument = Annotated[dict[str, Any], Shape.named("Orders")]
Events = Annotated[list[dict[str, Any]], Shape({"type": "array", "items": Shape.named("Event").schema})]
Log = Annotated[list[dict[str, Any]], Shape({"type": "array", "items": Shape.named("LoggedEvent").schema})]


class ChipView(TypedDict):
    """A chip of a hand."""

    number: int
    kind: Annotated[str, ("1", "2", "3", "B", "L", "R", "U")]


class BoardRobot(TypedDict):
    """A robot, as all may see it."""

    name: str
    seat: Annotated[int, "Scanners come after the players."]
    at: Annotated[Cell | None, "[x, y]; null off the board."]
    heading: Heading
    damage: int
    lives: Annotated[
        int, "Lives left. In Robo Rally 1999 and Group 11 they are spares: a robot with 0 still plays."
    ]
    alive: bool
    virtual: bool
    down: bool
    was_down: Annotated[bool, "It was off in the turn before, and may have been ordered to stay off."]
    next: Annotated[int, "The number of its next inspection point."]
    archive: Annotated[Cell | None, "Where it comes back."]
    locked: Annotated[
        dict[str, str | None],
        "The kind of the chip in each locked register; null if it is empty, or only its player knows it yet.",
    ]
    rank: int | None
    squad: str | None
    model: str | None
    equipment: str | None
    ammo: int | None
    scanner: Annotated[bool, "A robot of the ship's own."]
    returned: Annotated[bool, "It has just come back, or starts, and may choose its heading."]
    place: int | None


class RobotDocument(BoardRobot):
    """A robot in the turn under way."""

    ready: Annotated[bool, "Nothing is waited for from its player."]
    deadline: Annotated[
        datetime | None, "Until when its player has time; null without limit, and once ready."
    ]
    away: Annotated[bool, "It is waited for, and its player has taken vacation in this turn."]
    look: Annotated[int | None, "Which of the eight robots; null for a scanner."]
    aside: Annotated[list[list[ChipView]], "The hands that were put aside in this turn."]


class BoardDocument(TypedDict):
    """The board's state between two turns, as all may see it."""

    turn: int
    robots: list[BoardRobot]
    hull: Hull
    links: Links
    crystal: Cell | None
    winner: str | None


def board_document(ship: rules.Starship, state: rules.State) -> BoardDocument:
    document: Any = rules.view_to_json(ship, rules.view(state))
    return cast("BoardDocument", document)
