"""Holding a lobby, to change something in it."""

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.play.models import Game
from games.play.services.locks import locked_game


def held_lobby(*, game_id: int) -> Game:
    """Return a game that has not started, its row held; raises NotFound, and Conflict once it has."""
    game = locked_game(game_id)
    if game.status == Game.Status.CANCELLED:
        raise Conflict("cancelled", "This game was cancelled.")
    if game.status != Game.Status.OPEN:
        raise Conflict("started", "The game has started: it stays as it was set up.")
    return game


def hosted_lobby(*, user: User, game_id: int) -> Game:
    """Return a lobby for its host, its row held; raises Forbidden for everybody else."""
    game = held_lobby(game_id=game_id)
    if game.host_id != user.pk:
        raise Forbidden("not-host", "Only the host may do this.")
    return game
