"""What robots and winners are called, and how a game that its rules did not end was ended."""

from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf

import rules
from games.play.models import Game


def seat_name(path: str = "") -> Coalesce:
    """Return `Seat.robo_name` as an expression; ``path`` leads to the seat: ``"seat__"``."""
    return Coalesce(
        NullIf(F(f"{path}robot"), Value("")),
        F(f"{path}user__robo_name"),
        NullIf(F(f"{path}name"), Value("")),
    )


def winner_name(game: Game) -> str:
    """Return who has won a game: a robot, or a squad."""
    if game.winner in rules.ruleset(game.ruleset).squads:
        return f"the {game.winner} squad"
    return game.winner


def how_it_broke_off(game: Game) -> str:
    """Return a sentence that says what ended a game that its rules did not end."""
    match game.ending:
        case Game.Ending.CONCEDED:
            return f"The others have conceded: {winner_name(game)} wins."
        case Game.Ending.VOTED:
            return "Its players have called the game off by vote: nobody wins."
        case Game.Ending.RESIGNED if game.status == Game.Status.CANCELLED:
            return "The last player gave up before the first turn: the game counts for no player."
        case Game.Ending.RESIGNED if game.winner:
            return f"The game ended by resignation: {winner_name(game)} wins."
        case Game.Ending.RESIGNED:
            return "The last player gave up: the game is lost."
        case Game.Ending.DESERTED:
            return "Nobody was left who played this game: it was called off, and nobody wins."
    return "Staff have called the game off: nobody wins."
