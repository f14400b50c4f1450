"""What robots, computers and winners are called, and how a game that its rules did not end was ended."""

from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext as _

import rules
from games.play.models import Game

NAMES = ("Rivet", "Sprocket", "Gasket", "Widget", "Ratchet", "Piston", "Cog", "Solder")
"""What computers are called after their strength, by their looks."""


def computer_name(strength: str, look: int) -> str:
    """Return what a computer is called, for readers of all languages: the name stays in the game's file.

    No Robo Name has a space, and no two robots of a game have one look.
    """
    return f"{strength.capitalize()} {NAMES[look - 1]}"


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
        return _("the {squad} squad").format(squad=game.winner)
    return game.winner


def how_it_broke_off(game: Game) -> str:
    """Return a sentence that says what ended a game that its rules did not end."""
    match game.ending:
        case Game.Ending.CONCEDED:
            return _("The others have conceded: {winner} wins.").format(winner=winner_name(game))
        case Game.Ending.VOTED:
            return _("The players called the game off by vote. There is no winner.")
        case Game.Ending.RESIGNED if game.status == Game.Status.CANCELLED:
            return _("The player gave up before the first turn, so the game does not count.")
        case Game.Ending.RESIGNED if game.winner:
            return _("The game ended by resignation: {winner} wins.").format(winner=winner_name(game))
        case Game.Ending.RESIGNED:
            return _("The last player gave up: the game is lost.")
        case Game.Ending.DESERTED:
            return _("No player was left in this game, so it was called off. There is no winner.")
    return _("Staff called the game off. There is no winner.")
