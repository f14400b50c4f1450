"""What staff did about a game, for all who see it: the deed and the reason, and not who of them it was."""

from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _

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
    """Return what staff did about a game, the newest first."""
    rows = game.interventions.select_related("seat__user")[:SHOWN]
    return [
        {"at": row.at, "action": row.action, "turn": row.turn, "text": sentence_of(row), "reason": row.reason}
        for row in rows
    ]


def done_in(row: Intervention) -> dict[str, Any]:
    """Return what staff did, as parameters of the history."""
    robot = row.seat.robo_name if row.seat else ""
    return {"action": row.action, "turn": row.turn, "hours": row.hours, "robot": robot}


def sentence_of(row: Intervention) -> str:
    return deed(**done_in(row))


def deed(*, action: str, turn: int | None, hours: int | None, robot: str) -> str:
    """Say what staff did, by its parameters."""
    match action:
        case Intervention.Action.RESOLVE:
            return _("Staff had turn {number} tried again.").format(number=turn)
        case Intervention.Action.EXTEND:
            return _("Staff extended the deadline of turn {number} by {duration}.").format(
                number=turn, duration=duration(hours or 0)
            )
        case Intervention.Action.REPLACE:
            return _("Staff had a computer take over {robot}.").format(robot=robot)
    return _("Staff cancelled the game.")
