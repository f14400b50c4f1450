"""Lists of starships that people make."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils.translation import gettext as _

from accounts.models import User
from games.documents import written
from games.errors import NotFound
from games.fleet.models import Starship
from games.fleet.selectors.starships import visible_starships
from games.library.models import StarshipList, StarshipListEntry
from games.play.selectors.viewers import Viewer

MOST_LISTS: Final = 20
"""Lists that a person may have."""

PICTURES: Final = 4
"""Ships of which a list of lists shows pictures."""

NEWEST: Final = "newest"

LIST_ORDERS: Final = (NEWEST, "ships")
"""In which orders public lists come: the last changed first, or those with the most ships."""

_TOKEN: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


class StarshipListFacts(TypedDict):
    """A list of starships that a person made."""

    id: int
    name: str
    text: Annotated[str, "Plain text."]
    maker: Annotated[str, "The Robo Name of the person who made it."]
    seen_by: Annotated[str, StarshipList.SeenBy]
    ships: Annotated[int, "How many there are to be seen in it."]
    changed_at: datetime


def entries() -> QuerySet[StarshipListEntry]:
    """Return what there is to be seen in lists: a ship that people may not see is in none."""
    return StarshipListEntry.objects.filter(starship__in=visible_starships())


def lists_of(*, user: User) -> QuerySet[StarshipList]:
    """Return a person's lists, with the number of their ships as ``ships``, the last changed first."""
    return _counted(StarshipList.objects.filter(user=user))


def public_lists(*, text: str = "", sort: str = NEWEST) -> QuerySet[StarshipList]:
    """Return the lists that everyone sees, with the number of their ships as ``ships``, in an order.

    ``text`` is searched in names and makers, each of its words. Empty lists are left out.
    """
    seen = StarshipList.objects.filter(seen_by=StarshipList.SeenBy.EVERYONE, user__is_active=True)
    found = _counted(seen).filter(pk__in=entries().values("list"))
    for word in text.split():
        found = found.filter(name__icontains=word) | found.filter(user__robo_name__icontains=word)
    return found.order_by(F("ships").desc(), "-changed_at", "-pk") if sort == "ships" else found


def list_for(*, viewer: Viewer, list_id: int) -> StarshipList:
    """Return a list that someone may see without a link: a public one, or their own; raises NotFound."""
    found = _counted(StarshipList.objects.filter(pk=list_id)).first()
    if found is None or not (found.user_id == viewer.pk or (found.is_public and found.user.is_active)):
        raise NotFound("no-list", _("There is no such list."))
    return found


def linked_list(*, link: str) -> StarshipList:
    """Return the list that a link opens; raises NotFound where it opens nothing.

    The links of a person who is not active open nothing either.
    """
    lists = _counted(StarshipList.objects.filter(link_token=link, user__is_active=True))
    found = lists.first() if _TOKEN.fullmatch(link) else None
    if found is None:
        raise NotFound("no-list", _("This link opens no list any more. Ask its maker for a new one."))
    return found


def ships_in(made: StarshipList) -> QuerySet[Starship]:
    """Return the ships of a list that people may see, in its order, retired ones too."""
    found = visible_starships().filter(list_entries__list=made)
    return found.select_related("current", "facts", "rating").order_by("list_entries__place")


def first_ships(lists: Iterable[StarshipList]) -> dict[int, list[Starship]]:
    """Return the first ships of lists, by list, for their pictures."""
    found: dict[int, list[Starship]] = {each.pk: [] for each in lists}
    rank = Window(RowNumber(), partition_by=[F("list")], order_by="place")
    first = entries().filter(list__in=found).annotate(rank=rank).filter(rank__lte=PICTURES)
    ships = first.select_related("starship__current").defer("starship__current__document")
    for entry in ships.order_by("list", "place"):
        found[entry.list_id].append(entry.starship)
    return found


def lists_with(*, user: User, starship_id: int) -> set[int]:
    """Return which lists of a person have a ship."""
    mine = StarshipListEntry.objects.filter(list__user=user, starship=starship_id)
    return set(mine.values_list("list", flat=True))


def list_facts(made: StarshipList) -> StarshipListFacts:
    """Return what is told of a list that this module has found."""
    return written(StarshipListFacts, made, maker=made.user.robo_name)


def _counted(lists: QuerySet[StarshipList]) -> QuerySet[StarshipList]:
    number = entries().filter(list=OuterRef("pk")).order_by().values("list").values(number=Count("pk"))
    return lists.select_related("user").annotate(ships=Coalesce(Subquery(number), 0))
