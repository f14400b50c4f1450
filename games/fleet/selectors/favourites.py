"""Favourite starships of a person."""

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.fleet.models import Favourite, Starship
from games.fleet.selectors.starships import visible_starships

MOST_FAVOURITES: Final = 20
"""Favourites that a person may have."""


def favourites_of(*, user: User) -> QuerySet[Starship]:
    """Return a person's favourite starships with their current revisions, the last added first.

    Those that were retired since stay among them; those that were taken down are not shown.
    """
    found = visible_starships().filter(favourites__user=user)
    return found.select_related("current", "facts").order_by("-favourites__added_at", "-favourites__pk")


def favourite_ids(*, viewer: User | AnonymousUser) -> frozenset[int]:
    """Return which starships are among the favourites of someone; those without an account have none."""
    return frozenset(Favourite.objects.filter(user=viewer.pk).values_list("starship", flat=True))


def is_favourite(*, user: User, starship_id: int) -> bool:
    """Return whether a starship is among a person's favourites."""
    return Favourite.objects.filter(user=user, starship=starship_id).exists()
