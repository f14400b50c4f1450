"""Who may come into a game that asks for reliable players."""

from accounts.models import User
from games.absence.selectors.reliability import reliability_of
from games.errors import Forbidden
from games.play.models import Game


def refuse_unreliable(*, game: Game, user: User) -> None:
    """Raise Forbidden for someone less reliable than a game asks for, unless its host has invited them."""
    percent = reliability_of(user).percent
    if percent >= game.least_reliability:
        return
    if not game.invitations.filter(user=user, invited_by=game.host_id).exists():
        raise Forbidden(
            "unreliable",
            f"This game is for players who are reliable to {game.least_reliability} % at least, and you"
            f" are to {percent} %.",
        )
