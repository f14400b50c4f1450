"""The coach of training missions: the best orders for the turn under way, after failed tries."""

from typing import Final

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Conflict
from games.play import stored
from games.play.models import Game, Seat, Turn
from games.play.orders import turn_under_way
from games.play.selectors import program_of
from games.play.viewers import own_seat
from rules.review import Choice, advise

FAILED_TRIES: Final = 2
"""The number of failed tries at a mission after which its player can ask the coach."""


def offers_coach(*, game: Game, seat: Seat | None) -> bool:
    """Return whether the player of a seat can ask the coach in this game, or in the next try at its mission.

    A try is a game of the mission in which at least one program was played. It failed if the game is over and
    the robot has not won.
    """
    if game.mission_id is None or seat is None or seat.user_id is None:
        return False
    played = Turn.objects.filter(game=OuterRef("pk"), number__gte=1, status=Turn.Status.RESOLVED)
    over = Game.objects.filter(host=seat.user_id, mission=game.mission_id, status=Game.Status.OVER)
    return over.filter(Exists(played), winner="")[:FAILED_TRIES].count() == FAILED_TRIES


def ask_coach(*, user: User, game: Game, turn_number: int) -> tuple[Choice, ...]:
    """Return the coach's first choice of orders for a turn of a mission, and the next best one if any.

    The coach knows only what the player knows. Raises Forbidden without a seat. Raises Conflict before enough
    tries have failed, if the turn is not under way, and if it needs no orders.
    """
    seat = own_seat(user=user, game=game)
    if not offers_coach(game=game, seat=seat):
        raise Conflict(
            "no-coach", _("The coach helps in training missions, after you have failed the same one twice.")
        )
    turn = turn_under_way(game, turn_number)
    hand = turn.hands.select_related("program").filter(seat=seat).first()
    if hand is None or program_of(hand) is not None:
        raise Conflict(
            "no-orders-needed", _("Turn {turn} no longer needs your orders.").format(turn=turn_number)
        )
    setup, index = stored.setup_of(game), seat.number - 1
    seen = rules.view(stored.start_of(turn, setup.starship), index)
    return advise(setup, seen, index, stored.chips_of(hand), f"coach of game {game.pk}", count=2)
