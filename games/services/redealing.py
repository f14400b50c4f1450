"""Dealing a hand anew, for robots that may have it so."""

from datetime import datetime

from django.db import transaction

import rules
from accounts.models import User
from games import stored
from games.errors import Conflict, Forbidden
from games.models import Draft, Game, Hand, Program, Seat
from games.selectors import game_for
from games.selectors.ordering import turn_under_way
from games.services.locking import locked_game, touch
from games.services.submitting import check_seat, check_time


def redeal_hand(*, user: User, game_id: int, turn_number: int, now: datetime) -> Game:
    """Deal a player's hand anew, once a turn and before any orders are given (GR-1.2).

    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict
    for a turn that is not the one under way, after orders, a second time, and for a robot that may not.
    """
    game = game_for(viewer=user, game_id=game_id)
    seat = game.players.filter(user=user).first()
    if seat is None:
        raise Forbidden("no-seat", "You have no seat in this game.")
    return deal_anew(seat=seat, turn_number=turn_number, now=now).turn.game


def deal_anew(*, seat: Seat, turn_number: int, now: datetime) -> Hand:
    """Deal the hand of a seat anew, whoever plays it; raises Conflict as `redeal_hand` does."""
    with transaction.atomic():
        game = locked_game(seat.game_id)
        turn = turn_under_way(game, turn_number)
        check_seat(seat)
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        hands = {hand.robot - 1: hand for hand in turn.hands.select_related("seat", "program")}
        index = seat.number - 1
        check_time(turn, hands.get(index), now)
        if index not in hands or not rules.can_redeal(setup, state, index):
            raise Conflict("no-redeal", "The hand of this robot cannot be dealt anew.")
        mine = hands[index]
        if Program.objects.filter(hand=mine).exists():
            raise Conflict("ordered", "You have given your orders: a hand is dealt anew before that only.")
        if mine.redealt is not None:
            raise Conflict("redealt", "Your hand was dealt anew already: that may be once a turn.")
        before = sum(hand.redealt is not None for hand in hands.values())
        chips = {number: stored.chips_of(hand) for number, hand in hands.items()}
        dealt = rules.redeal(setup, state, chips, index, game.seed, before)
        mine.chips, mine.redealt = stored.write_hand(dealt), before + 1
        mine.save(update_fields=["chips", "redealt"])
        Draft.objects.filter(hand=mine).delete()
        touch(game, now)
        turn.game = game
        mine.turn = turn
    return mine
