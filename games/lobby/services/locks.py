"""Holding a lobby, to change something in it."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.play.models import Game
from games.play.services.locks import locked_game


def held_lobby(*, game_id: int) -> Game:
    """Return a game that has not started, its row held; raises NotFound, and Conflict once it has."""
    game = locked_game(game_id)
    if game.status == Game.Status.CANCELLED:
        raise Conflict("cancelled", _("This game was cancelled."))
    if game.status != Game.Status.OPEN:
        raise Conflict("started", _("The game has started. Its settings can no longer change."))
    return game


def hosted_lobby(*, user: User, game_id: int) -> Game:
    """Return a lobby for its host, its row held; raises Forbidden for everybody else."""
    game = held_lobby(game_id=game_id)
    if game.host_id != user.pk:
        raise Forbidden("not-host", _("Only the host may do this."))
    return game
