"""Lists of starships that people make."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from accounts.models import User
from games.documents import written
from games.errors import DeadLink, NotFound
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


def counted(lists: Iterable[StarshipList]) -> list[StarshipList]:
    """Return lists with the number of their ``ships``."""
    rows = list(lists)
    number = entries().filter(list__in=rows).order_by().values("list").annotate(number=Count("pk"))
    numbers = dict(number.values_list("list", "number"))
    for each in rows:
        each.ships = numbers.get(each.pk, 0)
    return rows


def lists_of(*, user: User) -> list[StarshipList]:
    """Return a person's lists, counted, the last changed first."""
    return counted(StarshipList.objects.filter(user=user).select_related("user"))


def public_lists(*, text: str = "", sort: str = NEWEST) -> QuerySet[StarshipList]:
    """Return the lists that everyone sees, but for empty ones, in an order: to be `counted` page by page.

    ``text`` is searched in names and makers, each of its words.
    """
    seen = StarshipList.objects.filter(
        seen_by=StarshipList.SeenBy.EVERYONE, size__gt=0, user__is_active=True
    ).select_related("user")
    for word in text.split():
        seen = seen.filter(Q(name__icontains=word) | Q(user__robo_name__icontains=word))
    return seen.order_by("-size", "-changed_at", "-pk") if sort == "ships" else seen


def list_for(*, viewer: Viewer, list_id: int) -> StarshipList:
    """Return a list that someone may see without a link: a public one, or their own; raises NotFound."""
    found = StarshipList.objects.filter(pk=list_id).select_related("user").first()
    if found is None or not (found.user_id == viewer.pk or (found.is_public and found.user.is_active)):
        raise NotFound("no-list", _("There is no such list."))
    return counted([found])[0]


def own_list(*, user: User, list_id: int) -> StarshipList:
    """Return a list of a person's own; raises NotFound."""
    found = StarshipList.objects.filter(user=user, pk=list_id).select_related("user").first()
    if found is None:
        raise NotFound("no-list", _("There is no such list."))
    return counted([found])[0]


def linked_list(*, link: str) -> StarshipList:
    """Return the list of a link. Raises DeadLink if the link opens nothing.

    The links of a person who is not active open nothing either.
    """
    lists = StarshipList.objects.filter(link_token=link, user__is_active=True).select_related("user")
    found = lists.first() if _TOKEN.fullmatch(link) else None
    if found is None:
        raise DeadLink("no-list")
    return counted([found])[0]


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
    """Return what is told of a list, which is counted."""
    return written(StarshipListFacts, made, maker=made.user.robo_name)
