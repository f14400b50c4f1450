"""How people are told of their games: for all of them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import mail
from accounts.models import ClosedAddress, User
from accounts.settings import change_preferences
from games.errors import Invalid, refuse_guests
from games.news.kinds import KINDS
from games.news.models import Notice


def change_news(
    *,
    user: User,
    manner: str,
    daily_hour: int,
    lobby_mail: bool | None = None,
    starship_mail: bool | None = None,
    silenced: Iterable[str] | None = None,
    now: datetime,
) -> None:
    """Tell someone of their games in another manner, where they have not chosen one for a game.

    ``lobby_mail`` says whether they get mail about games that have not started, also where they had asked for
    none before they had an account, and ``starship_mail`` whether they get mail about starships. Kinds of
    notification that are ``silenced`` come by no channel. None leaves that as it is.
    Raises Forbidden for guests, and Invalid for a manner, an hour or a kind that there is not.
    """
    refuse_guests(user)
    chosen: dict[str, Any] = {"manner": manner, "daily_hour": daily_hour}
    if lobby_mail is not None:
        chosen["lobby_mail"] = lobby_mail
    if starship_mail is not None:
        chosen["starship_mail"] = starship_mail
    if silenced is not None:
        chosen["silenced"] = sorted(set(silenced))
        if unknown := set(silenced) - KINDS.keys():
            known = ", ".join(sorted(KINDS))
            detail = _("There is no kind of notification “{kind}”. There are: {known}.")
            raise Invalid("no-kind", detail.format(kind=min(unknown)[:24], known=known))
    try:
        change_preferences(user=user, **chosen)
    except ValidationError:
        raise Invalid(
            "no-manner", _("This choice or hour does not exist. Choose one from the form.")
        ) from None
    if lobby_mail and mail.asked_for_none(user.email):
        mail.reopen_address(user.email)
    look_again(user=user, now=now)


def stop_mail_of_lobbies(*, whom: User | str, now: datetime) -> None:
    """Send someone no more mail about games that have not started: a person, or the hash of an address."""
    if isinstance(whom, User):
        change_preferences(user=whom, lobby_mail=False)
    else:
        mail.close_address(digest=whom, cause=ClosedAddress.Cause.ASKED, now=now)


def stop_mail_of_starships(*, user: User) -> None:
    """Send someone no more mail about starships."""
    change_preferences(user=user, starship_mail=False)


def look_again(*, user: User, now: datetime) -> None:
    """Have the sweeper look again at what is held back for a person."""
    Notice.objects.filter(user=user, status=Notice.Status.HELD).update(due_at=now)
