"""Keeping favourite starships."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, refuse_guests
from games.fleet.models import Favourite
from games.fleet.selectors.favourites import MOST_FAVOURITES
from games.fleet.selectors.starships import starship_for


def add_favourite(*, user: User, starship_id: int, now: datetime) -> None:
    """Put a starship among a person's favourites; one that is there already stays as it is.

    Raises Forbidden for guests, NotFound, and Conflict for a retired ship, and for a person who has as many
    favourites as one may have.
    """
    refuse_guests(user)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)
        starship = starship_for(starship_id=starship_id)
        mine = Favourite.objects.filter(user=user)
        if mine.filter(starship=starship).exists():
            return
        if starship.retired:
            raise Conflict("retired", _("This starship is retired, so it cannot become a favourite."))
        if mine.filter(starship__taken_down_at=None).count() >= MOST_FAVOURITES:
            detail = _("You have {most} favourites, and no room for another. Remove one first.")
            raise Conflict("too-many", detail.format(most=MOST_FAVOURITES))
        Favourite.objects.create(user=user, starship=starship, added_at=now)


def remove_favourite(*, user: User, starship_id: int) -> None:
    """Take a starship from a person's favourites, if it is there; raises Forbidden and NotFound."""
    refuse_guests(user)
    starship = starship_for(starship_id=starship_id, taken_down=True)
    Favourite.objects.filter(user=user, starship=starship).delete()
