"""Submitting orders."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games import live
from games.errors import Conflict, Forbidden, Invalid, of_orders
from games.play import stored
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.models.turns import MISSED
from games.play.selectors.gathering import gather_for_orders, gather_hands, missing_hands, program_of
from games.play.selectors.orders import (
    check_awake,
    check_decided,
    faults,
    mark_of,
    read_orders,
    refusal_of,
    turn_under_way,
)
from games.play.selectors.viewers import game_for, seat_of
from games.play.services.clocks import halt_clock
from games.play.services.lateness import catch_up
from games.play.services.locks import locked_game
from games.play.services.programs import write_program
from games.play.services.seen import note_seen
from games.work import enqueue


def submit_orders(
    *,
    user: User,
    game_id: int,
    turn_number: int,
    document: object,
    instead_of: str | None = None,
    now: datetime,
) -> Turn:
    """Keep a player's orders for a turn; with the last missing ones the turn is resolved.

    Until then a player may submit again, and the new orders replace the old; with ``instead_of`` (a
    `mark_of` them) only those that the player has seen. The same orders again are taken, and change nothing,
    until the turn is played: a program that got no answer sends them once more. Returns the turn as it is
    then, with its game, seats and hands, of which `game_view` needs to read nothing again.

    Raises NotFound where the person may not know of the game, Forbidden without a seat, Malformed for a
    document that is none, Conflict for a turn that is not the one under way, whose time is up or whose
    orders are all in, for orders that would replace others than those seen, and for a hand that lies face
    down, and Invalid with every fault of orders that the rules do not allow.
    """
    with transaction.atomic(durable=True):
        game = locked_game(game_id)
        gather_for_orders(game=game)
        seat = seat_of(viewer=user, game=game)
        if seat is None:
            game_for(viewer=user, game_id=game_id)
            raise Forbidden("no-seat", _("You have no seat in this game."))
        return _keep(
            game=game,
            seat=seat,
            turn_number=turn_number,
            orders=read_orders(document),
            by=Program.Author.PLAYER,
            instead_of=instead_of,
            seen=turn_number - 1 if turn_number else None,  # what the orders follow from has been seen
            now=now,
        )


def give_orders(
    *,
    seat: Seat,
    turn_number: int,
    orders: rules.Orders,
    by: Program.Author,
    remark: str = "",
    now: datetime,
) -> Turn:
    """Keep the orders for a seat, a person's or a computer's; a computer's are never replaced.

    Raises Conflict and Invalid as `submit_orders` does.
    """
    with transaction.atomic(durable=True):
        game = locked_game(seat.game_id)
        check_seat(seat)
        return _keep(
            game=game, seat=seat, turn_number=turn_number, orders=orders, by=by, remark=remark, now=now
        )


def _keep(
    *,
    game: Game,
    seat: Seat,
    turn_number: int,
    orders: rules.Orders,
    by: Program.Author,
    remark: str = "",
    instead_of: str | None = None,
    seen: int | None = None,
    now: datetime,
) -> Turn:
    """Keep orders in a game whose row is held; where they are the last ones, have the turn resolved."""
    turn = turn_under_way(game, turn_number)
    hand = next((hand for hand in gather_hands(turn=turn) if hand.seat_id == seat.pk), None)
    document = stored.write_orders(orders)
    before = program_of(hand) if hand else None
    if hand and before and by == before.by == Program.Author.PLAYER and before.orders == document:
        hand.seat = seat
        _drop_draft(hand)
        if seen is not None and (seat.seen_turn is None or seat.seen_turn < seen):
            note_seen(seat=seat, turn_number=seen)
        return turn
    check_time(turn, hand, now)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    if hand is not None:
        check_awake(hand, orders)
        if by == Program.Author.PLAYER:
            check_decided(state, hand, orders)
    found = faults(setup, state, seat.number, hand, orders)
    if found or hand is None:
        raise Invalid("orders", refusal_of(found), of_orders(found))
    hand.seat = seat
    if seat.computer and before:
        return turn
    if before and instead_of is not None and before.orders != document:
        _check_seen(before, instead_of, turn)
    program = before or Program(game=game, hand=hand)
    program.orders, program.by, program.remark, program.submitted_at = document, by, remark, now
    _drop_draft(hand)
    if before is None and seat.bank is not None:
        catch_up(turn=turn, hands=[hand], now=now)  # a bank pays for what ran alone
    halt_clock(game=game, turn=turn, hand=hand, seat=seat, now=now)
    complete = not [other for other in missing_hands(turn) if other.pk != hand.pk]
    if complete:
        turn.ready_at, turn.offered_at = now, None
    write_program(game=game, turn=turn, hand=hand, seat=seat, program=program, seen=seen, now=now)
    live.announce_change(game)
    if complete:
        enqueue.resolve_turn(turn.pk)
    return turn


def _drop_draft(hand: Hand) -> None:
    draft: Draft | None = getattr(hand, "draft", None)
    if draft:
        draft.delete()
        Draft.hand.field.remote_field.set_cached_value(hand, None)  # the hand was gathered with it


def _check_seen(program: Program, seen: str, turn: Turn) -> None:
    if mark_of(stored.plain_orders(program)) != seen:
        detail = _("You submitted other orders for turn {number} in another window. Those count.").format(
            number=turn.number
        )
        raise Conflict("given-elsewhere", detail)


def held_hand(*, seat: Seat, turn_number: int, now: datetime) -> tuple[Game, Turn, Hand | None]:
    """Hold the row of a seat's game; return the game, the turn under way, and the seat's hand in it, if any.

    Raises Conflict for a turn that is not under way, for a seat that has passed on, and once time is up.
    """
    game = locked_game(seat.game_id)
    turn = turn_under_way(game, turn_number)
    check_seat(seat)
    hand = turn.hands.select_related("program").filter(seat=seat).first()
    check_time(turn, hand, now)
    return game, turn, hand


def check_seat(seat: Seat) -> None:
    """Raise Conflict where a seat of a game whose row is held has passed on since it was looked up."""
    if not Seat.objects.filter(pk=seat.pk, user=seat.user_id, computer=seat.computer).exists():
        raise Conflict("seat-passed-on", _("Another player has this seat now."))


def check_time(turn: Turn, hand: Hand | None, now: datetime) -> None:
    """Raise Conflict where it is too late to give orders for a turn, or for a hand of it.

    Who has given them in time may change them until the turn is played.
    """
    if turn.ready_at is not None:
        raise Conflict(
            "all-in",
            _("All orders for turn {number} are in, so it is about to be played.").format(number=turn.number),
        )
    program = program_of(hand) if hand else None
    missed = program is not None and program.by in MISSED
    if missed or (_is_late(turn, hand, now) and _is_late_after_all(turn, hand, now)):
        raise Conflict("too-late", _("The time for turn {number} is up.").format(number=turn.number))


def _is_late(turn: Turn, hand: Hand | None, now: datetime) -> bool:
    ends = [turn.deadline] if hand is None else [turn.deadline, hand.deadline]
    return any(end is not None and end <= now for end in ends)


def _is_late_after_all(turn: Turn, hand: Hand | None, now: datetime) -> bool:
    """Return whether it is too late although all is considered that has stopped the clock."""
    if hand is not None and program_of(hand) is None:
        catch_up(turn=turn, hands=[hand], now=now)
    return _is_late(turn, hand, now)
