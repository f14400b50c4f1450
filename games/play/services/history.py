"""What is done in a lobby is noted there, for all who are in it to see."""

from datetime import datetime

from accounts.models import User
from games import announce
from games.play.models import Game, LobbyEntry


def note(*, game: Game, text: str, by: User | None, now: datetime) -> None:
    """Note a sentence in a game's lobby, and announce it; ``by`` did what it tells of."""
    LobbyEntry.objects.create(game=game, by=by, text=text, at=now)
    announce.change(game)
