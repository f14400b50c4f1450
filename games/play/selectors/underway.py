"""Turns that are under way, for those who look through all games for what is due."""

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from games.play.models import Game, Turn


def turns_under_way() -> QuerySet[Turn]:
    """Return the open turns of games that are being played.

    The game is asked turn by turn, and not joined: as most turns there ever were had all their orders in the
    end, Postgres expects that many open ones do, and would go through all games rather than ask for a few.
    """
    running = Game.objects.filter(pk=OuterRef("game"), status=Game.Status.RUNNING).order_by()
    asked = Subquery(running.annotate(there=Value(True)).values("there")[:1])
    return Turn.objects.filter(Coalesce(asked, False), status=Turn.Status.OPEN)
