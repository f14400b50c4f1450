"""The API of the Space Dock: prototypes, promotion, and reviews."""

from typing import Annotated, Any, Final, TypedDict

from django.core.paginator import Paginator
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.dock import reviews, services
from games.dock.inputs import Answer, CommitteeVote, NewPrototype, NewReview
from games.dock.models import Prototype
from games.dock.reviews import RatingView, ReviewView, rating_view, review_for, review_view, reviews_of
from games.dock.selectors import (
    BAYS_PER_BUILDER,
    PromotionFacts,
    PromotionView,
    PrototypeView,
    ReadinessView,
    all_prototypes_of,
    decisions,
    flown_by_people,
    licence,
    open_promotion_of,
    open_promotions,
    own_prototype,
    promotion_facts,
    promotion_for,
    promotion_view,
    prototype_for_builder,
    readiness_of,
    readiness_view,
    refuse_others,
    view_of_prototype,
)
from games.dock.services import close_prototype, publish_draft
from games.errors import NotFound
from games.fleet.selectors import starship_for
from games.web.api import Answered, Values, call, person
from games.web.inputs import Number, Strict
from games.web.queries import LARGEST_CURSOR, ReviewPages, ReviewsQuery, VersionQuery


class PrototypesView(TypedDict):
    """All your prototypes, even if they have left their bays. The most recently published comes first."""

    results: list[PrototypeView]
    bays: Annotated[int, "The number of your bays."]
    licence: Annotated[str, "The licence that you agree to when you publish a prototype."]


@call("GET", "List your prototypes", PrototypesView)
def list_prototypes(request: Request) -> Answered:
    """Returns all your prototypes, and the licence for publishing."""
    found = all_prototypes_of(builder=person(request))
    flown = flown_by_people(found)
    views = [view_of_prototype(each, flown=flown.get(each.starship_id, 0)) for each in found]
    return {"results": views, "bays": BAYS_PER_BUILDER, "licence": licence()}


@call(
    "POST",
    "Publish a draft",
    PrototypeView,
    404,
    409,
    422,
    429,
    takes=NewPrototype,
    guests=False,
    example={"draft": 12, "agrees": True},
)
def create_prototype(request: Request, asked: Values) -> Answered:
    """Publishes a draft as a new prototype, or as the next version of your prototype with the same name.

    If nothing has changed, returns the current version, so it is safe to repeat the request.
    """
    return _view(publish_draft(user=person(request), draft_id=asked["draft"], now=timezone.now()))


@call("GET", "Get a prototype", PrototypeView)
def get_prototype(request: Request, starship_id: int) -> Answered:
    """Returns one of your prototypes."""
    return _view(own_prototype(user=person(request), starship_id=starship_id))


@call("DELETE", "Close a prototype", PrototypeView, 409)
def delete_prototype(request: Request, starship_id: int) -> Answered:
    """Takes a prototype out of its bay.

    Its running games continue, and you keep its draft.
    """
    return _view(close_prototype(user=person(request), starship_id=starship_id, now=timezone.now()))


def _view(prototype: Prototype) -> PrototypeView:
    flown = flown_by_people([prototype])
    return view_of_prototype(prototype, flown=flown.get(prototype.starship_id, 0))


PROMOTIONS_LISTED: Final = 100
"""The maximum number of requests for promotion in a list."""


class PromotionsView(TypedDict):
    """The first 100 open requests for promotion, oldest first."""

    results: list[PromotionFacts]


class DecisionsView(TypedDict):
    """Decisions of the design committee, newest first."""

    results: list[PromotionFacts]
    page: int
    pages: Annotated[int, "The number of pages, with 20 decisions each."]


class DecisionsQuery(Strict):
    """The requested page of decisions."""

    page = Number(
        default=1,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The number of the page. If there is none, returns the nearest.",
    )


@call("GET", "Get the requirements for promotion", ReadinessView, 403, group="promotions")
def get_readiness(request: Request, starship_id: int) -> Answered:
    """Returns the progress of your prototype towards promotion."""
    return _readiness(request, starship_id)


@call("POST", "Request promotion", ReadinessView, 409, status=201, group="promotions")
def submit_for_promotion(request: Request, starship_id: int) -> Answered:
    """Asks the design committee to promote your prototype.

    You cannot change the prototype until the committee decides. 409 `not-ready` lists the unmet requirements
    under `problems`.
    """
    services.ask_for_promotion(user=person(request), starship_id=starship_id, now=timezone.now())
    return Response(_readiness(request, starship_id), status=201)


@call("DELETE", "Withdraw a request for promotion", ReadinessView, 409, group="promotions")
def withdraw_from_promotion(request: Request, starship_id: int) -> Answered:
    """Withdraws your request for promotion. 409 if you have no open request."""
    services.take_back_promotion(user=person(request), starship_id=starship_id, now=timezone.now())
    return _readiness(request, starship_id)


@call("GET", "List requests for promotion", PromotionsView, 403, group="promotions")
def list_promotions(request: Request) -> Answered:
    """Returns undecided requests for promotion. Only for members of the design committee."""
    refuse_others(person(request))
    return {"results": [promotion_facts(each) for each in open_promotions()[:PROMOTIONS_LISTED]]}


@call("GET", "Get a request for promotion", PromotionView, 403, 410, group="promotions")
def get_promotion(request: Request, promotion_id: int) -> Answered:
    """Returns a request for promotion with its facts. Only for members of the design committee."""
    return promotion_view(promotion_for(viewer=person(request), promotion_id=promotion_id))


@call(
    "PUT",
    "Vote on a prototype",
    PromotionView,
    409,
    422,
    takes=CommitteeVote,
    example={"vote": "send-back", "words": "Start 3 is too far behind."},
    group="promotions",
)
def cast_promotion_vote(request: Request, promotion_id: int, asked: Values) -> Answered:
    """Casts or changes your vote as a member of the design committee.

    Two matching votes decide. 403 for your own ship. 409 `decided` or `taken-back` if the request has ended.
    """
    user = person(request)
    services.vote_about(user=user, promotion_id=promotion_id, **asked, now=timezone.now())
    return promotion_view(promotion_for(viewer=user, promotion_id=promotion_id))


@call("GET", "List decisions", DecisionsView, query=DecisionsQuery, strangers=True, group="promotions")
def list_decisions(request: Request, asked: Values) -> Answered:
    """Returns the decisions of the design committee, with the reasons."""
    page = Paginator(decisions(), 20).get_page(asked["page"])
    return {
        "results": [promotion_facts(each) for each in page],
        "page": page.number,
        "pages": page.paginator.num_pages,
    }


def _readiness(request: Request, starship_id: int) -> dict[str, Any]:
    prototype = prototype_for_builder(viewer=person(request), starship_id=starship_id)
    readiness = readiness_view(
        prototype, readiness_of(prototype=prototype), open_promotion_of(prototype=prototype)
    )
    return {**readiness}


class ReviewsView(TypedDict):
    """A page of the reviews of a starship, with its rating."""

    next: Annotated[str | None, "The address of the next page."]
    previous: Annotated[str | None, "The address of the previous page."]
    rating: RatingView
    results: list[ReviewView]


@call(
    "GET",
    "List the reviews of a starship",
    ReviewsView,
    410,
    query=ReviewsQuery,
    strangers=True,
    group="reviews",
)
def list_reviews(request: Request, starship_id: int, asked: Values) -> Answered:
    """Returns the reviews of all versions of a starship, or of one version, newest first."""
    ship = starship_for(starship_id=starship_id)
    pages = ReviewPages()
    found = reviews_of(viewer=request.user, starship=ship, version=asked.get("version"))
    page = [review_view(viewer=request.user, review=each) for each in pages.page_of(found, request)]
    return pages.in_answer({"rating": rating_view(starship=ship), "results": page})


@call(
    "PUT",
    "Review a starship",
    ReviewView,
    409,
    410,
    422,
    takes=NewReview,
    guests=False,
    example={"stars": 4, "tags": ["clever-routes"], "text": "Two ways to each checkpoint."},
    group="reviews",
)
def set_my_review(request: Request, starship_id: int, asked: Values) -> Answered:
    """Publishes or changes your review of a version of a starship.

    403 `not-played` unless you finished a game on that version, with others or against computers. You must
    have kept your seat to the end, and the game must have ended by the rules. 403 `own-ship` if you are the
    builder. If the ship has received ten reviews within a day, your new review is withheld for two days (see
    `held_until`): until then, only you and staff see it, and it does not count. 409 `hidden` if staff hid
    your review.
    """
    review = reviews.write_review(user=person(request), starship_id=starship_id, now=timezone.now(), **asked)
    return review_view(viewer=request.user, review=review)


@call("DELETE", "Delete your review", RatingView, 409, query=VersionQuery, group="reviews")
def delete_my_review(request: Request, starship_id: int, asked: Values) -> Answered:
    """Deletes your review of a version of a starship, and the answer to it. Returns the ship's new rating."""
    reviews.take_back_review(user=person(request), starship_id=starship_id, version=asked.get("version"))
    return rating_view(starship=starship_for(starship_id=starship_id, taken_down=True))


@call(
    "POST",
    "Answer a review",
    ReviewView,
    409,
    422,
    takes=Answer,
    example={"text": "Thank you! The next version has a second airlock."},
    group="reviews",
)
def send_answer(request: Request, starship_id: int, review_id: int, asked: Values) -> Answered:
    """Publishes your answer to a review of your ship. 409 `answered` if the review already has an answer."""
    if review_for(viewer=request.user, review_id=review_id).starship_id != starship_id:
        raise NotFound("no-review", _("There is no such review."))
    review = reviews.answer_review(user=person(request), review_id=review_id, **asked, now=timezone.now())
    return review_view(viewer=request.user, review=review)
