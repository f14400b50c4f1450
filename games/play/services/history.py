"""Noting what is done in a game besides playing, for all who see it."""

from datetime import datetime
from typing import Any

from accounts.models import User
from games import live
from games.play import history
from games.play.models import Game, LobbyEntry


def note(*, game: Game, kind: str, by: User | None, now: datetime, **parameters: Any) -> None:
    """Note something in a game's history, and announce it; ``by`` did it.

    Raises KeyError for a kind that no room can tell, and where a parameter is missing.
    """
    history.tell(kind, parameters)
    noted = {"format": history.FORMAT, **parameters}
    LobbyEntry.objects.create(game=game, by=by, kind=kind, parameters=noted, at=now)
    live.announce_change(game)
