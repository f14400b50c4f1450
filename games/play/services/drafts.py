"""Drafts: orders that their player is still at, kept so that they can be finished elsewhere."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

import rules
from accounts.models import User
from games.errors import Invalid
from games.play import stored
from games.play.models import Draft, Hand
from games.play.selectors.gathering import program_of
from games.play.selectors.orders import check_awake, check_sketch, read_orders, turn_under_way
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.locks import locked_game
from games.play.services.orders import held_hand

NOTHING = (rules.Orders(), rules.Orders(registers=(None,) * rules.REGISTERS))


def save_draft(
    *, user: User, game_id: int, turn_number: int, document: object, now: datetime
) -> Draft | None:
    """Keep what a player has laid so far; it replaces the draft before, and no one else learns of it.

    Registers may be empty. What says no more than the orders that were given, or nothing at all, is no
    draft: then there is none afterwards, and None is returned. Raises NotFound where the person may
    not know of the game, Forbidden without a seat, Malformed, Conflict for a turn that is not the one
    under way, whose time is up or whose orders are all in, and Invalid with every fault of what is laid.
    """
    seat = own_seat(user=user, game=game_for(viewer=user, game_id=game_id))
    orders = read_orders(document)
    with transaction.atomic():
        game, turn, hand = held_hand(seat=seat, turn_number=turn_number, now=now)
        setup = stored.setup_of(game)
        check_sketch(setup, stored.start_of(turn, setup.starship), seat.number, hand, orders)
        if hand is None:
            raise Invalid("orders", gettext("This robot takes no orders this turn."))
        check_awake(hand)
        written = stored.write_orders(orders)
        if written in _given(hand):
            Draft.objects.filter(hand=hand).delete()
            return None
        kept = {"game": game, "orders": written, "saved_at": now}
        draft, _ = Draft.objects.update_or_create(hand=hand, defaults=kept)
    return draft


def drop_draft(*, user: User, game_id: int, turn_number: int) -> None:
    """Throw a player's draft away, if there is one; the orders given, if any, stay as they are.

    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict for
    a turn that is not the one under way.
    """
    seat = own_seat(user=user, game=game_for(viewer=user, game_id=game_id))
    with transaction.atomic():
        turn = turn_under_way(locked_game(seat.game_id), turn_number)
        Draft.objects.filter(hand__turn=turn, hand__seat=seat).delete()


def _given(hand: Hand) -> list[stored.Document]:
    """Return what is no draft: the orders that were given for a hand, else what orders nothing."""
    program = program_of(hand)
    return [program.orders] if program else [stored.write_orders(nothing) for nothing in NOTHING]
