"""Noting which turns a player has seen."""

from typing import Any, Final

from django.db import connections, router

from accounts.models import User
from games.play.models import Game, Seat
from games.play.selectors.gathering import gather_seats
from games.play.selectors.log import played_turn
from games.play.selectors.viewers import no_seat, seat_of
from games.play.stored import edition_of

_NOTE: Final = """
UPDATE games_seat SET seen_turn = %s
WHERE id = %s AND user_id = %s AND (seen_turn IS NULL OR seen_turn < %s)
"""


def see_turn(*, user: User, game: Game, turn_number: int) -> Seat:
    """Note that a player has seen what came of a turn, and return their seat.

    It never goes back: turns before it count as seen as well. Raises NotFound for a turn that was not
    played (yet), and Forbidden without a seat.
    """
    gather_seats(game=game)
    seat = seat_of(viewer=user, game=game)
    if seat is None:
        raise no_seat()
    first = 0 if edition_of(game).opening else 1
    if not first <= turn_number == game.last_played:
        played_turn(game, turn_number)
    note_seen(seat=seat, turn_number=turn_number)
    seat.seen_turn = max(turn_number, seat.seen_turn or 0)
    return seat


def note_seen(*, seat: Seat, turn_number: int) -> None:
    """Note a turn as seen by who has a seat, as far as they still have it and have not seen a later one."""
    connection: Any = connections[router.db_for_write(Seat)]
    with connection.prepared_cursor() as cursor:
        cursor.execute(_NOTE, (turn_number, seat.pk, seat.user_id, turn_number))
