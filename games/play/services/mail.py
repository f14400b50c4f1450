"""How a player hears about one game."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Frequency, User
from games.errors import Invalid, refuse_guests
from games.news.services import look_again
from games.play.models import Seat
from games.play.selectors.viewers import game_for, own_seat


def change_news_of_game(*, user: User, game_id: int, manner: str, now: datetime) -> Seat:
    """Tell a player of a game in another manner than of all others; empty for the same as of these.

    Raises NotFound, Forbidden for guests and without a seat, and Invalid for a manner that there is not.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if manner and manner not in Frequency.values:
        raise Invalid(
            "no-manner",
            _("There is no notification setting “{manner}”.").format(manner=manner),
        )
    seat = own_seat(user=user, game=game)
    seat.manner = manner
    seat.save(update_fields=["manner"])
    look_again(user=user, now=now)
    return seat


def stop_mail_of_game(*, seat: Seat) -> None:
    """Send the player on a seat no more mail about its game."""
    Seat.objects.filter(pk=seat.pk).update(manner=Frequency.NONE)
