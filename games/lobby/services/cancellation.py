"""Calling games off: hosts do so before they start, staff at any time (`intervening`)."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.lobby.selectors.invitations import people_in_lobby
from games.news.services import tell_of_lobby
from games.play.models import Game
from games.play.selectors.viewers import game_for
from games.play.services.endings import call_off
from games.play.services.history import note
from games.play.services.locks import locked_game


def cancel_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Call a game off that has not started, as its host; its players are told.

    Raises NotFound, Forbidden for everybody else, and Conflict when the game has started or ended.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        if game.host_id != user.pk:
            raise Forbidden("not-host", _("Only the host may cancel this game."))
        if game.status == Game.Status.RUNNING:
            raise Conflict("started", _("The game has started. Now only staff can cancel it."))
        cancel(game=game, by=user, now=now)
        note(game=game, by=user, kind="cancelled", player=user.robo_name, now=now)
    return game


def cancel(*, game: Game, by: User, now: datetime) -> None:
    """End a game, whose row is held, without a winner, and tell its players but the one who does it.

    The turn under way stays as it is, and is never resolved. Raises Conflict for a game that has ended.
    """
    if game.ended_at is not None:
        raise Conflict("finished", _("This game has ended already."))
    call_off(game=game, by=Game.Ending.STAFF, now=now)
    people = [each for each in people_in_lobby(game) if each.pk != by.pk]
    tell_of_lobby(users=people, kind="cancelled", game=game, now=now)
