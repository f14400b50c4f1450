"""How people hear about their games."""

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from accounts.models import User

if TYPE_CHECKING:
    from games.play.models import Seat


def told_otherwise(*, user: User) -> "QuerySet[Seat]":
    """Return a person's seats in games that are not over, if they chose something else for these games."""
    seats = user.seats.filter(game__status__in=["open", "running"])
    return seats.exclude(manner="").select_related("game").order_by("game__name", "pk")
