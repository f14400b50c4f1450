"""Switching a robot on that was off in the turn before (AM-5.2, FA-5)."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Conflict
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.gathering import program_of
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.hands import switch_on
from games.play.services.orders import held_hand


def wake_robot(*, user: User, game_id: int, turn_number: int, now: datetime) -> Game:
    """Switch a player's robot on, and show its hand; that cannot be taken back (AM-5.2).

    No one else learns of it, so it is not announced. To do it twice is to do it once. Raises NotFound where
    the person may not know of the game, Forbidden without a seat, and Conflict as `wake` does.
    """
    game = game_for(viewer=user, game_id=game_id)
    wake(seat=own_seat(user=user, game=game), turn_number=turn_number, now=now)
    return game


def wake(*, seat: Seat, turn_number: int, now: datetime) -> rules.State:
    """Switch the robot of a seat on; return the turn's start with what it has drawn.

    Raises Conflict for a turn that is not the one under way, whose time is up, for a robot that was not off,
    and where it was ordered to stay off.
    """
    with transaction.atomic():
        game, turn, hand = held_hand(seat=seat, turn_number=turn_number, now=now)
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        if hand is None or not state.robots[seat.number - 1].was_down:
            raise Conflict("not-off", _("Your robot was not switched off, so you cannot switch it on."))
        if hand.face_down and program_of(hand) is not None:
            raise Conflict(
                "ordered",
                _("You have decided: your robot stays off in turn {number}.").format(number=turn.number),
            )
        return switch_on(game=game, turn=turn, hand=hand, setup=setup, state=state)
