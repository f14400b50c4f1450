"""Noting which turns a player has seen."""

from django.db.models import F, Q
from django.db.models.functions import Greatest

from accounts.models import User
from games.play.models import Game, Seat
from games.play.selectors.gathering import gather_seats
from games.play.selectors.log import played_turn
from games.play.selectors.viewers import no_seat, seat_of
from games.play.stored import edition_of


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
    note_seen(seats=Q(game=game, user=user), turn_number=turn_number)
    seat.seen_turn = max(turn_number, seat.seen_turn or 0)
    return seat


def note_seen(*, seats: Q, turn_number: int) -> None:
    """Note a turn as seen for some seats, where they have not seen a later one."""
    unseen = Q(seen_turn=None) | Q(seen_turn__lt=turn_number)
    Seat.objects.filter(seats & unseen).update(seen_turn=Greatest(F("seen_turn"), turn_number))
