"""Whether orders can be given: for those that are kept, for drafts and for previews alike."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import gettext as _

import rules
from games.errors import Conflict, Invalid, Malformed, of_document, of_orders
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.wording import told
from roborunner.postgres.queries import PreparedQuery

UNFINISHED = frozenset({"empty", "too-few", "heading-missing"})
"""Faults that drafts and previews may have: an empty register does nothing."""

_UNDER_WAY: Final = PreparedQuery(
    lambda game_id: Turn.objects.filter(game=game_id, status=Turn.Status.OPEN).order_by(), int
)


def read_orders(document: object) -> rules.Orders:
    """Read orders as they were sent; raises Malformed with every fault of the form."""
    try:
        return rules.read_orders(document)
    except rules.NotationError as error:
        problems = "; ".join(told(problem.message) for problem in error.problems)
        detail = _("These orders cannot be read: {problems}.").format(problems=problems)
        raise Malformed("no-orders", detail, of_document("invalid", error.problems)) from None


def mark_of(orders: Mapping[str, Any] | None) -> str:
    """Return a few letters by which orders, as the rules write them, are told from others; none for none."""
    return sha256(json.dumps(orders, sort_keys=True).encode()).hexdigest()[:12] if orders is not None else ""


def turn_under_way(game: Game, number: int) -> Turn:
    """Return the turn under way if it is the one meant; raises Conflict with the reason why not."""
    match game.status:
        case Game.Status.OPEN:
            raise Conflict("not-started", _("The game has not started yet."))
        case Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        case Game.Status.OVER:
            raise Conflict("finished", _("This game is over."))
    turn = _UNDER_WAY.first(game.pk)
    if turn is None or turn.number != number:
        raise Conflict(
            "stale-turn",
            _("Turn {number} is not under way: the game is in turn {turn}.").format(
                number=number, turn=game.turn
            ),
        )
    turn.game = game
    return turn


def check_awake(hand: Hand, orders: rules.Orders | None = None) -> None:
    """Raise Conflict where a hand lies face down, but for orders to stay off (AM-5.2)."""
    if hand.face_down and orders != rules.Orders(stay_down=True):
        detail = _("Your robot was switched off. Order it to stay off, or switch it on to see your hand.")
        raise Conflict("asleep", detail)


def check_decided(state: rules.State, hand: Hand, orders: rules.Orders) -> None:
    """Raise Conflict for orders to stay off, once a robot was switched on: that cannot be taken back."""
    if orders.stay_down and state.robots[hand.robot - 1].was_down and not hand.face_down:
        raise Conflict("awake", _("You have switched your robot on: it cannot stay off this turn."))


def faults(
    setup: rules.Setup, state: rules.State, seat: int, hand: Hand | None, orders: rules.Orders
) -> tuple[rules.OrderProblem, ...]:
    return rules.problems(setup, state, seat - 1, stored.chips_of(hand) if hand else (), orders)


def refusal_of(found: Iterable[rules.OrderProblem]) -> str:
    """Say that orders are refused: those that are only unfinished, by what is left to do."""
    if all(problem.code == "empty" for problem in found):
        return _("Every register needs a chip.")
    return _("These orders are not allowed.")


def check_sketch(
    setup: rules.Setup, state: rules.State, seat: int, hand: Hand | None, orders: rules.Orders
) -> None:
    """Raise Invalid with every fault of orders that would not go away by finishing them.

    Raises Conflict for a hand that lies face down, but for orders to stay off.
    """
    if hand is not None:
        check_awake(hand, orders)
        check_decided(state, hand, orders)
    found = faults(setup, state, seat, hand, orders)
    if found := tuple(problem for problem in found if problem.code not in UNFINISHED):
        raise Invalid("orders", refusal_of(found), of_orders(found))
