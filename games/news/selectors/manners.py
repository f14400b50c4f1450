"""How people are told of their games."""

from django.db.models import QuerySet

from accounts.models import User
from games.play.models import Game, Seat


def told_otherwise(*, user: User) -> QuerySet[Seat]:
    """Return the seats in games that are not over of which somebody is told otherwise than of others."""
    seats = Seat.objects.filter(user=user, game__status__in=[Game.Status.OPEN, Game.Status.RUNNING])
    return seats.exclude(manner="").select_related("game").order_by("game__name", "pk")
