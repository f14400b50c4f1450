"""Selectors and services for lists of starships."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, Value, Window
from django.db.models.functions import Lower, RowNumber
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import (
    Conflict,
    DeadLink,
    Forbidden,
    Invalid,
    NotFound,
    ProblemDocument,
    new_token,
    refuse_guests,
    view_of_row,
)
from games.fleet.models import SHIPS_IN_LIST, Starship, StarshipList, StarshipListEntry
from games.fleet.selectors import starship_for, visible_starships
from games.play.viewers import Viewer, refuse_words

MOST_LISTS: Final = 20
"""The maximum number of lists per person."""

PICTURES_PER_LIST: Final = 4
"""The maximum number of ship pictures for each list on a page of lists."""

NEWEST: Final = "newest"

LIST_ORDERS: Final = (NEWEST, "ships")
"""The sort orders of public lists: most recently changed first, or most ships first."""

_TOKEN: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


class StarshipListFacts(TypedDict):
    """A person's list of starships."""

    id: int
    name: str
    text: Annotated[str, "The description, as plain text."]
    maker: Annotated[str, "The Robo Name of the player who made the list."]
    seen_by: Annotated[str, StarshipList.SeenBy]
    ships: Annotated[int, "The number of visible ships in the list."]
    changed_at: datetime


def visible_entries() -> QuerySet[StarshipListEntry]:
    """Return the entries of all lists, except entries for starships that players cannot see."""
    return StarshipListEntry.objects.filter(starship__in=visible_starships())


def counted_lists(lists: Iterable[StarshipList]) -> list[StarshipList]:
    """Set ``ships`` on each list to its number of visible ships, and return the lists."""
    rows = list(lists)
    number = visible_entries().filter(list__in=rows).order_by().values("list").annotate(number=Count("pk"))
    numbers = dict(number.values_list("list", "number"))
    for each in rows:
        each.ships = numbers.get(each.pk, 0)
    return rows


def lists_of(*, user: User) -> list[StarshipList]:
    """Return a person's lists with their numbers of ships, the most recently changed list first."""
    return counted_lists(StarshipList.objects.filter(user=user).select_related("user"))


def public_lists(*, text: str = "", sort: str = NEWEST) -> QuerySet[StarshipList]:
    """Return public lists with at least one ship.

    Pass the lists of a page to `counted_lists` before showing them. Each word of ``text`` must be in the name
    of the list or of its owner. If ``sort`` is “ships”, the largest list comes first. Otherwise, the most
    recently changed list comes first.
    """
    seen = StarshipList.objects.filter(
        seen_by=StarshipList.SeenBy.EVERYONE, size__gt=0, user__is_active=True
    ).select_related("user")
    for word in text.split():
        seen = seen.filter(Q(name__icontains=word) | Q(user__robo_name__icontains=word))
    return seen.order_by("-size", "-changed_at", "-pk") if sort == "ships" else seen


def list_for(*, viewer: Viewer, list_id: int) -> StarshipList:
    """Return a public list or one of the viewer's own lists. Raises NotFound for any other list."""
    found = StarshipList.objects.filter(pk=list_id).select_related("user").first()
    if found is None or not (found.user_id == viewer.pk or (found.is_public and found.user.is_active)):
        raise NotFound("no-list", _("There is no such list."))
    return counted_lists([found])[0]


def own_list(*, user: User, list_id: int) -> StarshipList:
    """Return one of the user's own lists of starships. Raises NotFound for any other list."""
    found = StarshipList.objects.filter(user=user, pk=list_id).select_related("user").first()
    if found is None:
        raise NotFound("no-list", _("There is no such list."))
    return counted_lists([found])[0]


def linked_list(*, link: str) -> StarshipList:
    """Return the list of starships shared by a link. ``link`` is the link's token.

    Raises DeadLink if no list has this link, and if the list's owner is deactivated.
    """
    lists = StarshipList.objects.filter(link_token=link, user__is_active=True).select_related("user")
    found = lists.first() if _TOKEN.fullmatch(link) else None
    if found is None:
        raise DeadLink("no-list")
    return counted_lists([found])[0]


def ships_in(made: StarshipList) -> QuerySet[Starship]:
    """Return the visible ships of a list, in the list's order, including retired ones."""
    found = visible_starships().filter(list_entries__list=made)
    return found.select_related("current", "facts", "rating").order_by("list_entries__place")


def first_ships(lists: Iterable[StarshipList]) -> dict[int, list[Starship]]:
    """Return the first `PICTURES_PER_LIST` visible ships of each list, by the list's ID."""
    found: dict[int, list[Starship]] = {each.pk: [] for each in lists}
    rank = Window(RowNumber(), partition_by=[F("list")], order_by="place")
    first = visible_entries().filter(list__in=found).annotate(rank=rank).filter(rank__lte=PICTURES_PER_LIST)
    ships = first.select_related("starship__current").defer("starship__current__document")
    for entry in ships.order_by("list", "place"):
        found[entry.list_id].append(entry.starship)
    return found


def lists_with(*, user: User, starship_id: int) -> set[int]:
    """Return the IDs of a person's lists containing a ship."""
    mine = StarshipListEntry.objects.filter(list__user=user, starship=starship_id)
    return set(mine.values_list("list", flat=True))


def list_facts(made: StarshipList) -> StarshipListFacts:
    return view_of_row(StarshipListFacts, made, maker=made.user.robo_name)


# --- Changes ------------------------------------------------------------------------------------------------


def create_list(
    *,
    user: User,
    name: str,
    text: str = "",
    seen_by: str = StarshipList.SeenBy.OWNER,
    starships: Iterable[int] = (),
    now: datetime,
) -> StarshipList:
    """Create a list of starships.

    Raises Forbidden for guests, Conflict if the person already has `MOST_LISTS` lists, and Invalid for
    unknown starships and if the person has another list with this name. Also raises the errors of
    `refuse_words`, unless only the owner can see the list.
    """
    with transaction.atomic():
        _lock_person(user)
        if StarshipList.objects.filter(user=user).count() >= MOST_LISTS:
            detail = _("You have {most} lists, which is the limit. Delete one first.")
            raise Conflict("too-many", detail.format(most=MOST_LISTS))
        made = StarshipList(user=user, created_at=now, changed_at=now)
        ships = _set_fields(made, name, text, seen_by, starships)
        _refuse_words(made, (), now)
        made.save()
        _write_entries(made, ships or [])
    return made


def change_list(
    *,
    user: User,
    list_id: int,
    name: str | None = None,
    text: str | None = None,
    seen_by: str | None = None,
    starships: Iterable[int] | None = None,
    now: datetime,
) -> StarshipList:
    """Change one of the user's lists. None leaves a value as it is.

    ``starships`` are the IDs of all ships of the list, in order. If ``seen_by`` changes from “link”, the old
    link stops working. Raises NotFound, Forbidden for guests, and the errors of `create_list` for names,
    ships and words.
    """
    with transaction.atomic():
        made = _locked_list(user, list_id)
        read = _words_read(made)
        ships = _set_fields(
            made,
            made.name if name is None else name,
            made.text if text is None else text,
            made.seen_by if seen_by is None else seen_by,
            starships,
        )
        _refuse_words(made, read, now)
        made.changed_at = now
        made.save()
        if ships is not None:
            _write_entries(made, ships)
    return made


def renew_link(*, user: User, list_id: int) -> StarshipList:
    """Replace the link of one of the user's lists. The old link stops working.

    Raises NotFound, Forbidden for guests, and Conflict for a list that is not shared by link.
    """
    with transaction.atomic():
        made = _locked_list(user, list_id)
        if made.seen_by != StarshipList.SeenBy.LINK:
            raise Conflict(
                "no-link", _("This list has no link. First make it visible to anyone with the link.")
            )
        made.link_token = new_token()
        made.save(update_fields=["link_token"])
    return made


def delete_list(*, user: User, list_id: int) -> None:
    """Delete one of the user's lists. Raises NotFound, and Forbidden for guests."""
    with transaction.atomic():
        _locked_list(user, list_id).delete()


def add_to_list(*, user: User, list_id: int, starship_id: int, now: datetime) -> StarshipList:
    """Add a starship at the end of one of the user's lists, unless the list contains it.

    Raises NotFound, Gone if staff took the ship down, Forbidden for guests, and Conflict for a full list.
    """
    with transaction.atomic():
        made, starship = _locked_list(user, list_id), starship_for(starship_id=starship_id)
        there = _ships_in_order(made)
        if starship.pk in there:
            return made
        if len(there) >= SHIPS_IN_LIST:
            detail = _("“{list}” has {most} ships, which is the limit. Remove one first.")
            raise Conflict("full", detail.format(list=made.name, most=SHIPS_IN_LIST))
        _change(made, [*there, starship.pk], now)
    return made


def remove_from_list(*, user: User, list_id: int, starship_id: int, now: datetime) -> StarshipList:
    """Remove a starship from one of the user's lists. Raises NotFound, and Forbidden for guests."""
    with transaction.atomic():
        made = _locked_list(user, list_id)
        there = _ships_in_order(made)
        if starship_id in there:
            _change(made, [each for each in there if each != starship_id], now)
    return made


def move_in_list(*, user: User, list_id: int, starship_id: int, by: int, now: datetime) -> StarshipList:
    """Move a visible starship one place down a list (``by`` is 1) or up (``by`` is -1).

    Places of invisible ships are skipped. Nothing happens if the ship is not in the list, or is already first
    or last. Raises NotFound, and Forbidden for guests.
    """
    with transaction.atomic():
        made = _locked_list(user, list_id)
        there = _ships_in_order(made)
        seen = set(visible_starships().filter(pk__in=there).values_list("pk", flat=True))
        shown = [each for each in there if each in seen]
        if starship_id in shown and 0 <= (new := shown.index(starship_id) + by) < len(shown):
            place = there.index(shown[new])
            there.remove(starship_id)
            there.insert(place, starship_id)
            _change(made, there, now)
    return made


def _lock_person(user: User) -> None:
    refuse_guests(user)
    held = User.objects.select_for_update(no_key=True).filter(pk=user.pk, deleted_at=None)
    if not held.values_list("pk"):
        raise Forbidden("deleted", _("This account has been deleted."))


def _locked_list(user: User, list_id: int) -> StarshipList:
    """Lock and return a person's list. Also lock the person, so that names of lists stay unique."""
    _lock_person(user)
    held = StarshipList.objects.select_for_update(no_key=True).filter(user=user, pk=list_id)
    made = held.order_by().first()
    if made is None:
        raise NotFound("no-list", _("There is no such list."))
    return made


def _ships_in_order(made: StarshipList) -> list[int]:
    return list(made.entries.order_by("place").values_list("starship", flat=True))


def _change(made: StarshipList, starships: list[int], now: datetime) -> None:
    _write_entries(made, starships)
    made.changed_at = now
    made.save(update_fields=["changed_at"])


def _write_entries(made: StarshipList, starships: list[int]) -> None:
    """Store the ships of a list, in order. The caller must hold the list's row lock."""
    there = {entry.starship_id: entry for entry in made.entries.all()}
    made.entries.exclude(starship__in=starships).delete()
    new, moved = [], []
    for place, starship in enumerate(starships):
        entry = there.get(starship)
        if entry is None:
            new.append(StarshipListEntry(list=made, starship_id=starship, place=place))
        elif entry.place != place:
            entry.place = place
            moved.append(entry)
    StarshipListEntry.objects.bulk_update(moved, ["place"])
    StarshipListEntry.objects.bulk_create(new)
    if made.size != len(starships):
        made.size = len(starships)
        made.save(update_fields=["size"])


def _set_fields(
    made: StarshipList, name: str, text: str, seen_by: str, starships: Iterable[int] | None
) -> list[int] | None:
    """Set new values on a list without saving it.

    Return the new IDs of its ships, or None if the ships do not change. Raises Invalid for a taken name and
    for unknown ships.
    """
    made.name, made.text = name, text
    ships = None if starships is None else list(dict.fromkeys(starships))
    if problems := [*_problem_of_name(made), *_problem_of_ships(ships or [])]:
        raise Invalid("list", _("Couldn’t save the list. Fix the marked fields."), problems)
    if seen_by != StarshipList.SeenBy.LINK:
        made.link_token = ""
    elif not made.link_token:
        made.link_token = new_token()
    made.seen_by = seen_by
    return ships


def _words_read(made: StarshipList) -> tuple[str, ...]:
    """Return the name and description of a list if other people can read them, or an empty tuple."""
    return () if made.seen_by == StarshipList.SeenBy.OWNER else (made.name, made.text)


def _refuse_words(made: StarshipList, before: tuple[str, ...], now: datetime) -> None:
    refuse_words(user=made.user, words=_words_read(made), before=before, now=now)


def _problem_of_name(made: StarshipList) -> Iterator[ProblemDocument]:
    mine = StarshipList.objects.filter(user=made.user_id).exclude(pk=made.pk)
    if mine.annotate(lower=Lower("name")).filter(lower=Lower(Value(made.name))).exists():
        yield {"code": "name", "detail": _("You have another list with this name. Choose a different name.")}


def _problem_of_ships(ships: list[int]) -> Iterator[ProblemDocument]:
    known = set(visible_starships().filter(pk__in=ships).values_list("pk", flat=True))
    if unknown := next((each for each in ships if each not in known), None):
        detail = _("There is no starship {number}.").format(number=unknown)
        yield {"code": "starships", "detail": detail}
