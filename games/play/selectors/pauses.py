"""When the clocks of a game stand still for all."""

from datetime import datetime
from typing import Final

from games.clocks.clock import Span
from games.play.models import Game

PAUSED: Final = "pause"
"""The reason for which the clocks of a game stand still that its players have agreed to pause."""


def pause_of(game: Game) -> Span | None:
    """Return the last pause of a game, which may be over."""
    if game.paused_at is None or game.paused_until is None:
        return None
    return Span(game.paused_at, game.paused_until)


def is_paused(*, game: Game, now: datetime) -> bool:
    """Return whether the clocks of a game stand still for all."""
    pause = pause_of(game)
    return game.status == Game.Status.RUNNING and pause is not None and pause.end > now
