"""What staff did about a game, for all who see it: the deed and the reason, and not who of them it was."""

from datetime import datetime
from typing import Annotated, TypedDict

from games.clocks.paces import duration
from games.play.models import Game, Intervention

SHOWN = 50
"""Interventions that are shown, the newest."""


class Intervened(TypedDict):
    """Something that staff did about the game."""

    at: datetime
    action: Annotated[str, tuple(Intervention.Action.values)]
    turn: Annotated[int | None, "The turn under way then."]
    text: Annotated[str, "A sentence: what was done."]
    reason: Annotated[str, "Why, as staff wrote it."]


def interventions_of(game: Game) -> list[Intervened]:
    """Return what staff did about a game, the newest first: with no query where they did nothing."""
    if not game.intervened:
        return []
    rows = game.interventions.select_related("seat__user")[:SHOWN]
    return [
        {"at": row.at, "action": row.action, "turn": row.turn, "text": sentence_of(row), "reason": row.reason}
        for row in rows
    ]


def sentence_of(row: Intervention) -> str:
    """Say what staff did."""
    match row.action:
        case Intervention.Action.RESOLVE:
            return f"Staff had turn {row.turn} tried again."
        case Intervention.Action.EXTEND:
            return f"Staff put the deadline of turn {row.turn} off by {duration(row.hours or 0)}."
        case Intervention.Action.REPLACE:
            assert row.seat is not None
            return f"Staff had a computer take over {row.seat.robo_name}."
    return "Staff cancelled the game."
