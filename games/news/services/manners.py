"""How people are told of their games: for all of them, and for one."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError

from accounts.addresses import closures
from accounts.models import ClosedAddress, Manner, User
from accounts.settings.services import change_preferences
from games.errors import Invalid, refuse_guests
from games.news.models import Notice
from games.play.models import Seat
from games.play.selectors.viewers import game_for, own_seat


def change_manner(
    *, user: User, manner: str, daily_hour: int, lobby_mail: bool | None = None, now: datetime
) -> None:
    """Tell somebody of their games in another manner, where they have not chosen one for a game.

    ``lobby_mail`` says whether they get mail about games that have not started, also where they had asked for
    none before they had an account; None leaves that as it is.
    Raises Forbidden for guests, and Invalid for a manner or an hour that there is not.
    """
    refuse_guests(user)
    chosen: dict[str, Any] = {"manner": manner, "daily_hour": daily_hour}
    if lobby_mail is not None:
        chosen["lobby_mail"] = lobby_mail
    try:
        change_preferences(user=user, **chosen)
    except ValidationError:
        raise Invalid("no-manner", "There is no such manner, or no such hour.") from None
    if lobby_mail and closures.asked_for_none(user.email):
        closures.reopen(user.email)
    _look_again(user, now)


def change_manner_of_game(*, user: User, game_id: int, manner: str, now: datetime) -> Seat:
    """Tell a player of a game in another manner than of all others; empty for the same as of these.

    Raises NotFound, Forbidden for guests and without a seat, and Invalid for a manner that there is not.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if manner and manner not in Manner.values:
        raise Invalid("no-manner", f"There is no manner “{manner}” in which to be told of a game.")
    seat = own_seat(user=user, game=game)
    seat.manner = manner
    seat.save(update_fields=["manner"])
    _look_again(user, now)
    return seat


def stop_mail_of_game(*, seat: Seat) -> None:
    """Send the player on a seat no more mail about its game."""
    Seat.objects.filter(pk=seat.pk).update(manner=Manner.NONE)


def stop_mail_of_lobbies(*, whom: User | str, now: datetime) -> None:
    """Send somebody no more mail about games that have not started: a person, or the hash of an address."""
    if isinstance(whom, User):
        change_preferences(user=whom, lobby_mail=False)
    else:
        closures.close(digest=whom, cause=ClosedAddress.Cause.ASKED, now=now)


def _look_again(user: User, now: datetime) -> None:
    """Have the sweeper look anew at what is held back for somebody."""
    Notice.objects.filter(user=user, status=Notice.Status.HELD).update(due_at=now)
