"""What orders would do."""

from typing import Any

import rules
from games import stored
from games.errors import Forbidden
from games.models import Game
from games.selectors.game import can_preview
from games.selectors.ordering import check_sketch, read_orders, turn_under_way
from games.selectors.viewers import Viewer, seat_of


def preview(*, viewer: Viewer, game: Game, turn_number: int, document: object) -> dict[str, Any]:
    """Return what the viewer's orders would do if no other robot were there; nothing is kept.

    Empty registers do nothing. Transporters that nobody has used lead nowhere. Raises Forbidden
    without a seat and in games without programming aid, Malformed, Conflict for a turn that is not
    under way, and Invalid.
    """
    seat = seat_of(viewer=viewer, game=game)
    if seat is None:
        raise Forbidden("no-seat", "You have no seat in this game.")
    if not can_preview(game):
        detail = "This game is played without programming aid: programs show what they do when they run."
        raise Forbidden("no-aid", detail)
    orders = read_orders(document)
    turn = turn_under_way(game, turn_number)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    index = seat.number - 1
    check_sketch(setup, state, seat.number, turn.hands.filter(seat=seat).first(), orders)
    outcome = rules.preview(setup, state, index, orders)
    terms = stored.terms_of(setup.starship, state)
    return {
        "events": rules.events_to_json(terms, outcome.events),
        "robot": rules.robot_to_json(terms, outcome.state.robots[index]),
    }
