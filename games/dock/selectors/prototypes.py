"""Prototypes, as their builders and others see them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Prototype
from games.documents import written
from games.errors import Forbidden, NotFound
from games.fleet.models import Starship, StarshipRevision
from games.play.models import Game, Seat

BAYS: Final = 2
"""Prototypes that a person may have at a time."""


class PrototypeView(TypedDict):
    """A prototype of mine. As long as it is in a bay, it is a starship of the section `prototypes`."""

    id: Annotated[int, "That of its starship."]
    name: str
    status: Annotated[str, Prototype.Status]
    version: Annotated[int, "Which one people try, from 1: the revision of its starship."]
    ruleset: str
    players: Annotated[int, "How many it is for."]
    licence: Annotated[str, "What I agreed to when I published it."]
    draft: Annotated[int | None, "The draft that it was published from; null once that is deleted."]
    draft_version: Annotated[int, "The version of that draft."]
    flown: Annotated[int, "Games with other people than me that have started on it."]
    published_at: datetime
    leaves_at: Annotated[datetime | None, "When it leaves its bay, unless people play on it together."]
    ended_at: Annotated[datetime | None, "When it left its bay."]


def prototypes_of(*, builder: User) -> list[Prototype]:
    """Return the prototypes in a person's bays, the last published first."""
    return list(_with_ships().filter(starship__owner=builder, status__in=Prototype.IN_BAY))


def all_prototypes_of(*, builder: User) -> list[Prototype]:
    """Return all prototypes that a person ever published, the last published first."""
    return list(_with_ships().filter(starship__owner=builder))


def prototype_for(*, starship_id: int) -> Prototype:
    """Return what a starship is as a prototype, or was; raises NotFound for one that never was one."""
    prototype = _with_ships().filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype


def own_prototype_for(*, viewer: User, starship_id: int) -> Prototype:
    """Return what a starship of the viewer's is as a prototype; raises NotFound, and Forbidden for others."""
    prototype = prototype_for(starship_id=starship_id)
    if prototype.starship.owner_id != viewer.pk:
        raise Forbidden("not-builder", _("Only the builder of this ship can do that."))
    return prototype


def prototype_facts(*, starship: Starship) -> Prototype | None:
    """Return what a starship is as a prototype, or was, with what it was copied from; else None."""
    found = _with_ships().select_related("draft__parent_revision__starship")
    return found.filter(starship=starship).first()


def parent_in_library(prototype: Prototype) -> StarshipRevision | None:
    """Return the board of the library that a prototype was copied from, as long as its draft tells."""
    return prototype.draft.parent_revision if prototype.draft else None


def prototype_of_mine(*, user: User, starship_id: int) -> Prototype:
    """Return a prototype of a person's own, in its bay or not; raises NotFound for any other."""
    prototype = _with_ships().filter(starship=starship_id, starship__owner=user).first()
    if prototype is None:
        raise NotFound("no-prototype", _("You have no such prototype."))
    return prototype


def flown_by_people(prototypes: Iterable[Prototype]) -> dict[int, int]:
    """Return how many games with other people than its builder have started on each, by starship."""
    games = games_with_people().filter(revision__starship__in=[each.starship_id for each in prototypes])
    rows = games.order_by().values_list("revision__starship").annotate(times=Count("pk"))
    return dict(rows)


def games_with_people() -> QuerySet[Game]:
    """Return the games on prototypes that have started with other people than the builder."""
    others = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False)
    others = others.exclude(user=OuterRef("revision__starship__owner"))
    return Game.objects.filter(Exists(others), revision__prototype=True, started_at__isnull=False)


def view_of_prototype(prototype: Prototype, *, flown: int) -> PrototypeView:
    """Return a prototype as its builder sees it."""
    starship = prototype.starship
    assert starship.current
    return written(
        PrototypeView,
        prototype,
        id=starship.pk,
        name=starship.name,
        version=starship.current.number,
        draft=prototype.draft_id,
        flown=flown,
    )


def licence() -> str:
    """Return the licence that builders agree to when they publish a ship, as the operator named it."""
    return str(settings.STARSHIP_LICENCE)


def _with_ships() -> QuerySet[Prototype]:
    return Prototype.objects.select_related("starship__current", "starship__owner", "draft")
