"""What people say about starships."""

from typing import Annotated, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.api.fields import Items, Strict, Text, WholeNumber
from games.api.pagination import ReviewPages
from games.api.queries import LARGEST, ReviewsQuery, VersionQuery
from games.api.views.base import Answered, Values, call, person
from games.dock.models.reviews import LONGEST_REVIEW, MOST_STARS, MOST_TAGS, Tag
from games.dock.selectors.reviews import (
    RatingView,
    ReviewView,
    rating_view,
    review_for,
    review_view,
    reviews_of,
)
from games.dock.services import reviews
from games.errors import NotFound
from games.fleet.selectors import starship_for


class ReviewsView(TypedDict):
    """A page of the reviews of a starship, and what all of them come to."""

    next: Annotated[str | None, "The address of the next page."]
    previous: Annotated[str | None, "The address of the page before."]
    rating: RatingView
    results: list[ReviewView]


class NewReviewSerializer(Strict):
    """What I say about a starship."""

    stars = WholeNumber(help_text=f"1 to {MOST_STARS}.")
    tags = Items(
        child=Text(),
        default=list,
        help_text=f"Up to {MOST_TAGS} of {', '.join(f'`{tag}`' for tag in Tag.values)}.",
    )
    text = Text(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of at most {LONGEST_REVIEW} characters.",
    )
    version = WholeNumber(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=LARGEST,
        help_text="Which version it is about; else the newest that I finished a game on.",
    )


class AnswerSerializer(Strict):
    """What the builder answers."""

    text = Text(
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of 1 to {LONGEST_REVIEW} characters.",
    )


@call("GET", "List the reviews of a starship", ReviewsView, 410, query=ReviewsQuery, strangers=True)
def list_reviews(request: Request, starship_id: int, asked: Values) -> Answered:
    """Reviews, the newest first, of all versions or of one."""
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
    takes=NewReviewSerializer,
    example={"stars": 4, "tags": ["clever-routes"], "text": "Two ways to each checkpoint."},
)
def set_my_review(request: Request, starship_id: int, asked: Values) -> Answered:
    """Write my review of a version, or change it. Others see it, and the builder may answer.

    It takes a game on that version, with others or against computers, that is over by its rules and in which
    I had a seat to its end: else 403 `not-played`. 403 `own-ship` for the builder. A review beyond ten within
    a day is `held_until` two days later, uncounted. 409 `hidden` for a review that staff have hidden.
    """
    review = reviews.write_review(user=person(request), starship_id=starship_id, now=timezone.now(), **asked)
    return review_view(viewer=request.user, review=review)


@call("DELETE", "Take my review back", RatingView, 409, query=VersionQuery)
def delete_my_review(request: Request, starship_id: int, asked: Values) -> Answered:
    """Delete my review of a version, with the answer to it. The rating without it is answered."""
    reviews.take_back_review(user=person(request), starship_id=starship_id, version=asked.get("version"))
    return rating_view(starship=starship_for(starship_id=starship_id, taken_down=True))


@call(
    "POST",
    "Answer a review",
    ReviewView,
    409,
    422,
    takes=AnswerSerializer,
    example={"text": "Thank you! The next version has a second airlock."},
)
def send_answer(request: Request, starship_id: int, review_id: int, asked: Values) -> Answered:
    """Answer a review of my ship, for all to see, once and for good: after that 409 `answered`."""
    if review_for(viewer=request.user, review_id=review_id).starship_id != starship_id:
        raise NotFound("no-review", _("There is no such review."))
    review = reviews.answer_review(
        user=person(request), review_id=review_id, text=asked["text"], now=timezone.now()
    )
    return review_view(viewer=request.user, review=review)
