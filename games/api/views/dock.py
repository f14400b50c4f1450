"""The Space Dock: prototypes that I publish."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.fields import LARGEST_ID, Flag, Strict, WholeNumber
from games.api.views.base import Answered, Values, call, person
from games.dock.models import Prototype
from games.dock.selectors.prototypes import (
    BAYS,
    PrototypeView,
    all_prototypes_of,
    flown_by_people,
    licence,
    prototype_of_mine,
    view_of_prototype,
)
from games.dock.services.bays import close_prototype
from games.dock.services.publishing import publish_draft


class PrototypesView(TypedDict):
    """My prototypes, the last published first: those in a bay, and those that have ended."""

    results: list[PrototypeView]
    bays: Annotated[int, "How many I may have at a time."]
    licence: Annotated[str, "What I agree to by publishing one."]


class NewPrototypeSerializer(Strict):
    """A draft of mine to be published."""

    draft = WholeNumber(min_value=1, max_value=LARGEST_ID, help_text="A draft of mine, as it was saved last.")
    agrees = Flag(default=False, help_text="That I agree to the `licence` in `GET shipyard/prototypes`.")


@call("GET", "List my prototypes", PrototypesView)
def list_prototypes(request: Request) -> Answered:
    """My prototypes, and the licence under which I publish them."""
    found = all_prototypes_of(builder=person(request))
    flown = flown_by_people(found)
    views = [view_of_prototype(each, flown=flown.get(each.starship_id, 0)) for each in found]
    return {"results": views, "bays": BAYS, "licence": licence()}


@call(
    "POST",
    "Publish a draft",
    PrototypeView,
    404,
    409,
    422,
    429,
    takes=NewPrototypeSerializer,
    example={"draft": 12, "agrees": True},
)
def create_prototype(request: Request, asked: Values) -> Answered:
    """Put a draft into a bay. A prototype of the same name gets its next version.

    If nothing has changed since its last version, that is the answer, so the request may be sent again.
    """
    made = publish_draft(
        user=person(request), draft_id=asked["draft"], agrees=asked["agrees"], now=timezone.now()
    )
    return _view(made)


@call("GET", "Get a prototype", PrototypeView)
def get_prototype(request: Request, starship_id: int) -> Answered:
    """One prototype of mine."""
    return _view(prototype_of_mine(user=person(request), starship_id=starship_id))


@call("DELETE", "Close a prototype", PrototypeView, 409)
def delete_prototype(request: Request, starship_id: int) -> Answered:
    """Take a prototype out of its bay. Games on it go on, and its draft stays."""
    return _view(close_prototype(user=person(request), starship_id=starship_id, now=timezone.now()))


def _view(prototype: Prototype) -> PrototypeView:
    flown = flown_by_people([prototype])
    return view_of_prototype(prototype, flown=flown.get(prototype.starship_id, 0))
