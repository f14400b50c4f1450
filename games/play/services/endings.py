"""Ending games that their rules have not ended: no one wins, or the others let someone win.

What was played by then stays, and is proved like any game (`selectors.game_file`); the turn under way stays
open, and is never resolved.
"""

from datetime import datetime

from games import live
from games.play import moments
from games.play.models import Game, Hand
from games.play.services.clocks import stop_clocks


def call_off(*, game: Game, by: Game.Ending, now: datetime) -> None:
    """End a game whose row is held without a winner; ``by`` is told of one that had started."""
    _break_off(game, Game.Status.CANCELLED, by if game.started_at else None, now)


def concede(*, game: Game, winner: str, now: datetime) -> None:
    """End a game under way, whose row is held, with a winner: a robot's name, or a squad."""
    game.winner = winner
    _break_off(game, Game.Status.OVER, Game.Ending.CONCEDED, now)


def resign(*, game: Game, winner: str, now: datetime) -> None:
    """End a game under way, whose row is held, since all players have resigned, or all but the winner."""
    game.winner = winner
    _break_off(game, Game.Status.OVER, Game.Ending.RESIGNED, now)


def _break_off(game: Game, status: Game.Status, ending: Game.Ending | None, now: datetime) -> None:
    game.status = status
    game.ending = ending or ""
    game.ended_at = game.moved_at = now
    game.save()
    stop_clocks(game=game)
    moments.follow.game_ended(game=game, now=now)
    Hand.objects.filter(turn__game=game, remind_at__isnull=False).update(remind_at=None)
    live.announce_change(game)
