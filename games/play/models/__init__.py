"""The tables of this room."""

from games.play.models.games import Game, Seat
from games.play.models.turns import Draft, Hand, LogEntry, Program, Turn

__all__ = [
    "Draft",
    "Game",
    "Hand",
    "LogEntry",
    "Program",
    "Seat",
    "Turn",
]
