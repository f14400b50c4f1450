"""Cancelling games."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.models import Game, Notice
from games.selectors import game_for
from games.services.ending import call_off
from games.services.locking import locked_game
from games.services.noting import note
from games.services.telling import tell_of_lobby


def cancel_game(*, user: User, game_id: int, now: datetime) -> Game:
    """End a game without a winner: its host may before it starts, staff at any time; players are told.

    The turn under way stays as it is, and is never resolved. Raises NotFound, Forbidden, and
    Conflict when the game has started (for its host) or ended.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        if not user.is_staff and game.host_id != user.pk:
            raise Forbidden("not-host", "Only the host may cancel this game.")
        if game.ended_at is not None:
            raise Conflict("finished", "This game has ended already.")
        if game.status == Game.Status.RUNNING and not user.is_staff:
            raise Conflict("started", "The game has started: only staff can cancel it now.")
        call_off(game=game, by=Game.Ending.STAFF, now=now)
        note(game=game, by=user, text=f"{user.robo_name} called the game off.", now=now)
        others = game.players.exclude(user=None).exclude(user=user).select_related("user")
        people = [seat.user for seat in others if seat.user]
        tell_of_lobby(users=people, kind=Notice.Kind.CANCELLED, game=game, now=now)
    return game
