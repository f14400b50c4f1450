"""Noting which turns a player has seen."""

from django.db.models import F, Q
from django.db.models.functions import Greatest

from accounts.models import User
from games.play.models import Game, Seat
from games.play.selectors.log import played_turn
from games.play.selectors.viewers import own_seat


def see_turn(*, user: User, game: Game, turn_number: int) -> Seat:
    """Note that a player has seen what came of a turn, and return their seat.

    It never goes back: turns before it count as seen as well. Raises NotFound for a turn that was not
    played (yet), and Forbidden without a seat.
    """
    seat = own_seat(user=user, game=game)
    played_turn(game, turn_number)
    note_seen(seats=Q(game=game, user=user), turn_number=turn_number)
    seat.refresh_from_db()
    return seat


def note_seen(*, seats: Q, turn_number: int) -> None:
    """Note a turn as seen for some seats, where they have not seen a later one."""
    unseen = Q(seen_turn=None) | Q(seen_turn__lt=turn_number)
    Seat.objects.filter(seats & unseen).update(seen_turn=Greatest(F("seen_turn"), turn_number))
