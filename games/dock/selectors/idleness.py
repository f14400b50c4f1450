"""Prototypes that people do not play on: when they last did, and which ones are to be looked at."""

from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from games.dock.models import Prototype
from games.dock.models.prototypes import IDLE_AFTER, WARNING
from games.play.models import Game, Seat

TOGETHER: Final = 2
"""How many people play a game among people. Those count, too, whose seat a computer has by now."""


def idle_prototypes(*, now: datetime) -> QuerySet[Prototype]:
    """Return prototypes about which there is something to do, since they were not used for long.

    Their builder is to be warned, they are to leave their bay, or someone has played on them since that was
    last looked at. Those before the design committee are left alone.
    """
    old = Prototype.objects.filter(status=Prototype.Status.TESTING, used_at__lte=now - IDLE_AFTER)
    due = Q(warned_at=None) | Q(warned_at__lte=now - WARNING)
    played = played_together(now=now).filter(
        revision__starship=OuterRef("starship"), until__gt=OuterRef("used_at")
    )
    return old.filter(due | Exists(played)).order_by("used_at", "pk")


def played_together(*, now: datetime) -> QuerySet[Any]:
    """Return the games on prototypes that at least two people have played, with ``until`` when they did.

    That is now for games that are not over, and for those that wait for more players but have two.
    """
    sat = Q(user__isnull=False) | Q(replacements__was__isnull=False)
    seats = Seat.objects.filter(sat, game=OuterRef("pk")).order_by().values("game")
    together = seats.annotate(people=Count("pk", distinct=True)).filter(people__gte=TOGETHER)
    begun = Q(started_at__isnull=False) | Q(status=Game.Status.OPEN)
    games = Game.objects.filter(begun, Exists(together), revision__prototype=True)
    return games.annotate(until=Coalesce(F("ended_at"), Value(now)))


def last_played(*, prototype: Prototype, now: datetime) -> datetime | None:
    """Return when people last played on a prototype together, any version of it; None if they never did."""
    games = played_together(now=now).filter(revision__starship=prototype.starship_id)
    until: datetime | None = games.order_by("-until").values_list("until", flat=True).first()
    return until
