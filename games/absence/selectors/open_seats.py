"""Seats of games under way that a computer holds for anyone who takes them over."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.play.models import Game, Replacement, Seat

LEFT = frozenset({Replacement.Reason.MISSED, Replacement.Reason.LEFT})
"""Why someone may have been replaced who may come back: whom others have replaced may not."""

SENT_AWAY = _("Others had you replaced in this game, so you cannot come back to it.")
RESIGNED = _("You resigned from this game, so you cannot come back to it.")
"""What those are told who may not."""


def seat_to_return_to(*, user: User, game: Game) -> Seat | None:
    """Return the seat that a person had and may come back to: no one else has taken it over since."""
    if game.status != Game.Status.RUNNING:
        return None
    last = Replacement.objects.filter(seat__game=game, was=user).select_related("seat").last()
    if last is None or last.reason not in LEFT or last.seat.user_id is not None:
        return None
    latest = last.seat.replacements.last()
    return last.seat if latest == last and last.seat.is_offered else None


def seats_to_return_to(*, user: User) -> list[Seat]:
    """Return the seats that a person may come back to, each with its game, the last lost first."""
    latest = Replacement.objects.filter(seat=OuterRef("seat")).order_by("-pk").values("pk")[:1]
    later = Replacement.objects.filter(was=user, seat__game=OuterRef("seat__game"), pk__gt=OuterRef("pk"))
    lost = Replacement.objects.filter(was=user, reason__in=LEFT, pk=Subquery(latest))
    held = lost.filter(seat__user=None, seat__offered_at__isnull=False, seat__out=False, seat__place=None)
    open_to_them = held.filter(~Exists(later), seat__game__status=Game.Status.RUNNING).exclude(
        Exists(Seat.objects.filter(game=OuterRef("seat__game"), user=user))
    )
    return [row.seat for row in open_to_them.select_related("seat__game").order_by("-pk")]


def why_not_back(*, user: User, game: Game) -> str:
    """Return why someone may not play on in a game: they resigned, or others have had them replaced."""
    last = Replacement.objects.filter(seat__game=game, was=user).last()
    if last is None or last.reason in LEFT:
        return ""
    return str(RESIGNED if last.reason == Replacement.Reason.RESIGNED else SENT_AWAY)


def seats_offered(*, seats: Iterable[Seat], game: Game) -> list[Seat]:
    if game.status != Game.Status.RUNNING or game.in_competition:
        return []
    return [seat for seat in seats if seat.is_offered]
