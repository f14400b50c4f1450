"""Who is new here: what a new account may do is limited, so that little can be spoilt with one."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden
from games.play.models import Game, Seat

PLAYED: Final = 3
"""Turns after which a game counts as played."""

MOST_GAMES: Final = 3
"""Games with others in which a newcomer may have a seat at once."""


def is_newcomer(*, user: User, now: datetime) -> bool:
    """Return whether a player signed up a short while ago, or has played few games with others."""
    days = timedelta(days=settings.NEWCOMER_DAYS)
    if days and now - user.date_joined < days:
        return True
    if not settings.NEWCOMER_GAMES:
        return False
    played = Q(game__turn__gt=PLAYED) | Q(game__status=Game.Status.OVER)
    known = Seat.objects.filter(played, _with_others(), user=user).order_by().values("pk")
    return known[: settings.NEWCOMER_GAMES].count() < settings.NEWCOMER_GAMES


def refuse_busy_newcomer(*, user: User) -> None:
    """Raise Forbidden for a newcomer who has as many games with others as newcomers may have at once."""
    if games_at_once(user=user) >= MOST_GAMES:
        raise Forbidden("newcomer", _limit_of_games())


def games_at_once(*, user: User) -> int:
    """Return how many games with others, or waiting for players, a person has a seat in."""
    shared = _with_others() | Q(game__status=Game.Status.OPEN)
    return Seat.objects.filter(shared, user=user, game__ended_at=None).count()


def newcomer_limit(*, user: User, now: datetime) -> tuple[str, int, int] | None:
    """Return the limit of a newcomer's games as a sentence, how many they have, and how many they may have.

    For all others there is no limit: None.
    """
    if not is_newcomer(user=user, now=now):
        return None
    return _limit_of_games(), games_at_once(user=user), MOST_GAMES


def _limit_of_games() -> str:
    return limits(_("At first you can play {most} games with others at once."))


def _with_others() -> Q:
    """Return what holds of a seat in a game in which another person sits as well."""
    others = Seat.objects.filter(game=OuterRef("game"), user__isnull=False).exclude(user=OuterRef("user"))
    return Q(Exists(others))


def limits(sentence: str) -> str:
    """Return a sentence about a limit with when it ends."""
    ends = _("This ends once you have played {games} games and your account is {days} days old.")
    sentence = sentence.format(most=MOST_GAMES)
    return f"{sentence} {ends.format(games=settings.NEWCOMER_GAMES, days=settings.NEWCOMER_DAYS)}"
