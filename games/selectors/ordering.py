"""Whether orders can be given: for those that are kept and for previews alike."""

import rules
from games import stored
from games.errors import Conflict, Malformed, of_document
from games.models import Game, Hand, Turn


def read_orders(document: object) -> rules.Orders:
    """Read orders as they were sent; raises Malformed with every fault of the form."""
    try:
        return rules.read_orders(document)
    except rules.NotationError as error:
        detail = "These are no orders: " + "; ".join(problem.message for problem in error.problems) + "."
        raise Malformed("no-orders", detail, of_document("orders", error.problems)) from None


def turn_under_way(game: Game, number: int) -> Turn:
    """Return the turn under way if it is the one meant; raises Conflict with the reason why not."""
    match game.status:
        case Game.Status.OPEN:
            raise Conflict("not-started", "The game has not started yet.")
        case Game.Status.CANCELLED:
            raise Conflict("cancelled", "This game was cancelled.")
        case Game.Status.OVER:
            raise Conflict("finished", "This game is over.")
    turn = game.turns.filter(status=Turn.Status.OPEN).first()
    if turn is None or turn.number != number:
        raise Conflict("stale-turn", f"Turn {number} is not under way: the game is in turn {game.turn}.")
    return turn


def faults(
    setup: rules.Setup, state: rules.State, seat: int, hand: Hand | None, orders: rules.Orders
) -> tuple[rules.OrderProblem, ...]:
    """Return all that the rules have against the orders of a seat."""
    return rules.problems(setup, state, seat - 1, stored.chips_of(hand) if hand else (), orders)
