"""Standing orders as people settle them, for all their games and for one."""

from django.core.exceptions import ValidationError

from accounts.models import Standing, User
from accounts.settings.services import change_preferences
from games.errors import Invalid, refuse_guests
from games.play.models import Game
from games.play.selectors.viewers import game_for, own_seat


def change_standing(*, user: User, standing: str) -> None:
    """Settle what is played for a person who misses turns, in all games that have standing orders.

    Raises Forbidden for guests, and Invalid for standing orders that there are not.
    """
    refuse_guests(user)
    try:
        change_preferences(user=user, standing=standing)
    except ValidationError:
        raise _none_such(standing) from None


def change_standing_of_game(*, user: User, game_id: int, standing: str) -> Game:
    """Settle it for one game; empty for the same as in all others.

    Raises Forbidden for guests and without a seat, NotFound where the person may not know of the game, and
    Invalid.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if standing and standing not in Standing.values:
        raise _none_such(standing)
    seat = own_seat(user=user, game=game)
    seat.standing = standing
    seat.save(update_fields=["standing"])
    return game


def _none_such(standing: str) -> Invalid:
    detail = f"There are no standing orders “{standing}”; there are: {', '.join(Standing.values)}."
    return Invalid("no-standing", detail, [{"code": "standing", "detail": detail}])
