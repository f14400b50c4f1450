"""Prototypes on their way into the fleet: asking for it, and what the design committee decides."""

from typing import Annotated, Any, Final, TypedDict

from django.core.paginator import Paginator
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.fields import Choice, Number, Strict, Text
from games.api.queries import LARGEST
from games.api.views.base import Answered, Values, call, person
from games.dock.models import PromotionVote
from games.dock.selectors.committee import (
    PromotionFacts,
    PromotionView,
    ReadinessView,
    decisions,
    open_promotion_of,
    open_promotions,
    promotion_facts,
    promotion_for,
    promotion_view,
    readiness_view,
    refuse_others,
)
from games.dock.selectors.prototypes import own_prototype_for
from games.dock.selectors.readiness import readiness_of
from games.dock.services import promotion

MOST: Final = 100
"""Requests for promotion that are listed."""


class PromotionsView(TypedDict):
    """What waits for the design committee, what has waited longest first: the first 100."""

    results: list[PromotionFacts]


class DecisionsView(TypedDict):
    """What the design committee has decided, the last first."""

    results: list[PromotionFacts]
    page: int
    pages: Annotated[int, "How many there are, of 20 each."]


class DecisionsQuery(Strict):
    """Which page of the decisions."""

    page = Number(
        default=1, min_value=1, max_value=LARGEST, help_text="The nearest, if there is no such page."
    )


class PromotionVoteSerializer(Strict):
    """What I vote for, and why."""

    vote = Choice(PromotionVote.Choice.values)
    words = Text(
        default="",
        allow_blank=True,
        help_text="Needed for `send-back` and `close`; everyone can read it once it is decided.",
    )


@call("GET", "See what a prototype needs", ReadinessView, 403)
def get_readiness(request: Request, starship_id: int) -> Answered:
    """What a prototype of mine has of what it needs before I may ask for promotion."""
    return _readiness(request, starship_id)


@call("POST", "Ask for promotion", ReadinessView, 409, status=201)
def submit_for_promotion(request: Request, starship_id: int) -> Answered:
    """Put a prototype of mine before the design committee. Until it decides, I cannot change it.

    409 `not-ready` tells under `problems` what it lacks.
    """
    promotion.ask_for_promotion(user=person(request), starship_id=starship_id, now=timezone.now())
    return Response(_readiness(request, starship_id), status=201)


@call("DELETE", "Take a prototype back", ReadinessView, 409)
def withdraw_from_promotion(request: Request, starship_id: int) -> Answered:
    """Take a prototype back from the design committee, to change it. 409 if it is not there."""
    promotion.take_back(user=person(request), starship_id=starship_id, now=timezone.now())
    return _readiness(request, starship_id)


@call("GET", "List what waits for the committee", PromotionsView, 403)
def list_promotions(request: Request) -> Answered:
    """Requests for promotion that are open. For members of the design committee alone."""
    refuse_others(person(request))
    return {"results": [promotion_facts(each) for each in open_promotions()[:MOST]]}


@call("GET", "Get a request for promotion", PromotionView, 403, 410)
def get_promotion(request: Request, promotion_id: int) -> Answered:
    """A request with what to judge it by. For members of the design committee alone."""
    return promotion_view(promotion_for(viewer=person(request), promotion_id=promotion_id))


@call(
    "PUT",
    "Vote about a prototype",
    PromotionView,
    409,
    422,
    takes=PromotionVoteSerializer,
    example={"vote": "send-back", "words": "Start 3 is too far behind."},
)
def cast_promotion_vote(request: Request, promotion_id: int, asked: Values) -> Answered:
    """Vote as a member of the design committee, or change my vote. Two votes for the same decide.

    403 about a ship of my own; 409 `decided` or `taken-back` where there is nothing to decide any more.
    """
    user = person(request)
    promotion.vote_about(
        user=user,
        promotion_id=promotion_id,
        choice=asked["vote"],
        words=asked["words"],
        now=timezone.now(),
    )
    return promotion_view(promotion_for(viewer=user, promotion_id=promotion_id))


@call("GET", "List decisions", DecisionsView, query=DecisionsQuery, strangers=True)
def list_decisions(request: Request, asked: Values) -> Answered:
    """What the design committee has decided, with the reasons."""
    page = Paginator(decisions(), 20).get_page(asked["page"])
    return {
        "results": [promotion_facts(each) for each in page],
        "page": page.number,
        "pages": page.paginator.num_pages,
    }


def _readiness(request: Request, starship_id: int) -> dict[str, Any]:
    prototype = own_prototype_for(viewer=person(request), starship_id=starship_id)
    told = readiness_view(
        prototype, readiness_of(prototype=prototype), open_promotion_of(prototype=prototype)
    )
    return {**told}
