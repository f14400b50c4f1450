"""Reviews of starships by their players, answers by their builders, and ratings."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Annotated, Final, TypedDict

from django.db import transaction
from django.db.models import DecimalField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Abs, Round
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import MOST_STARS, REVIEWERS_FOR_STARS, Review, ShipRating, Tag
from games.dock.services import notify_of_answer, notify_of_review
from games.errors import Conflict, Forbidden, Gone, NotFound, Shape, refuse_guests, view_of_row
from games.fleet.models import Starship, StarshipRevision
from games.fleet.selectors import starship_for
from games.moderation.models import Moderation
from games.moderation.sanctions import refuse_muted
from games.play.models import Game, Seat
from games.play.viewers import Viewer, refuse_words
from games.rights import Right, may
from games.work import jobs

MEAN: Final = Shape({"type": "number", "minimum": 1, "maximum": MOST_STARS})


def is_builder(viewer: Viewer, starship: Starship) -> bool:
    return starship.owner_id is not None and starship.owner_id == viewer.pk


def reviewable_games() -> QuerySet[Game]:
    """Return the games that entitle their players to review the game's ship.

    These games ended according to the rules, had two or more robots, and used a library ship without changes.
    Training missions and games that began at a position are left out.
    """
    over = Game.objects.filter(
        status=Game.Status.OVER, ending="", mission=None, course=None, position__isnull=True
    )
    others = Seat.objects.filter(game=OuterRef("pk"), number__gt=1)
    return over.filter(Exists(others), revision__isnull=False).exclude(
        revision__starship__section=Starship.Section.MISSIONS
    )


def finished_versions(*, user: User, starship: Starship) -> QuerySet[StarshipRevision]:
    """Return the versions of a ship that a person may review after a finished game, newest first."""
    # In steps, since one query would read all games of a popular version.
    versions = list(starship.revisions.order_by().values_list("pk", flat=True))
    played = reviewable_games().filter(players__user=user, revision__in=versions).order_by()
    finished = list(played.values_list("revision", flat=True).distinct())
    return starship.revisions.filter(pk__in=finished).order_by("-number")


def review_of(*, author: User, starship: Starship, version: int | None = None) -> Review:
    """Return a person's review of a version of a ship.

    Without ``version``, returns the review of the newest version that the person reviewed. Raises NotFound if
    there is none.
    """
    found = Review.objects.filter(author=author, starship=starship).select_related("revision")
    if version is not None:
        found = found.filter(revision__number=version)
    review = found.order_by("-revision__number").first()
    if review is None:
        raise NotFound("no-review", _("You have not reviewed this ship."))
    return review


def own_review(*, viewer: Viewer, version: StarshipRevision) -> Review | None:
    """Return the viewer's review of a version of a ship, or None if the viewer has not reviewed it."""
    return Review.objects.filter(revision=version, author=viewer.pk).first()


def version_to_review(*, user: User, starship: Starship, version: int | None = None) -> StarshipRevision:
    """Return the version for a person's review: ``version``, or else the newest that they finished a game on.

    Raises NotFound for an unknown version, and Forbidden for the builder and for people without a finished
    game on the version.
    """
    if is_builder(user, starship):
        raise Forbidden("own-ship", _("You built this ship, so you can’t review it."))
    played = list(finished_versions(user=user, starship=starship))
    if version is None and played:
        return played[0]
    if version is not None and not starship.revisions.filter(number=version).exists():
        raise NotFound("no-version", _("This ship has no version {number}.").format(number=version))
    found = next((revision for revision in played if revision.number == version), None)
    if found is None:
        detail = _(
            "You haven’t finished a game on this version. Finish one with others or against"
            " computers, then review it."
        )
        raise Forbidden("not-played", detail)
    return found


def may_review(*, viewer: Viewer, starship: Starship) -> bool:
    if not isinstance(viewer, User) or viewer.is_guest or is_builder(viewer, starship):
        return False
    return finished_versions(user=viewer, starship=starship).exists()


def version_played(*, viewer: Viewer, game: Game) -> StarshipRevision | None:
    """Return the version that the viewer played in a game, or None if they may not review it."""
    over = game.status == Game.Status.OVER and not game.ending
    if not over or game.revision is None or not isinstance(viewer, User) or viewer.is_guest:
        return None
    seats = list(game.players.all())
    mine = any(seat.user_id == viewer.pk for seat in seats)
    if not mine or len(seats) < 2 or is_builder(viewer, game.revision.starship):
        return None
    return game.revision if reviewable_games().filter(pk=game.pk).exists() else None


def rating_of(*, starship: Starship) -> ShipRating | None:
    """Return the rating of a ship, or None if the ship has no reviews."""
    return ShipRating.objects.filter(starship=starship).first()


def reviews_of(*, viewer: Viewer, starship: Starship, version: int | None = None) -> QuerySet[Review]:
    """Return the reviews of a ship, newest first. With ``version``, return only reviews of this version.

    Withheld or hidden reviews are included only for their authors and staff.
    """
    found = Review.objects.filter(starship=starship).select_related("author", "revision")
    if version is not None:
        found = found.filter(revision__number=version)
    if not may(viewer, Right.SEE_REVIEWS):
        found = found.filter(Q(held_until=None, hidden_at=None) | Q(author=viewer.pk))
    return found.order_by("-written_at", "-id")


def reason_hidden(*, review: Review) -> str:
    """Return the reason why staff hid a review, or "" if it is not hidden."""
    if review.hidden_at is None:
        return ""
    hidden = Moderation.objects.filter(review=review, action=Moderation.Action.HIDE)
    return hidden.values_list("reason", flat=True).first() or ""


def review_for(*, viewer: Viewer, review_id: int) -> Review:
    """Return a review. Raises NotFound if there is none, or if the viewer may not see it."""
    found = Review.objects.filter(pk=review_id).select_related("author", "revision", "starship").first()
    if found is None or not (
        found.is_shown or found.author_id == viewer.pk or may(viewer, Right.SEE_REVIEWS)
    ):
        raise NotFound("no-review", _("There is no such review."))
    return found


class ReviewView(TypedDict):
    """A person's review of a ship. Only its author and staff see a withheld or hidden review."""

    id: int
    version: Annotated[int, "The reviewed revision of the ship."]
    author: Annotated[str, "A Robo Name."]
    mine: bool
    stars: Annotated[int, f"1 to {MOST_STARS}."]
    tags: list[Annotated[str, Tag]]
    text: str
    written_at: datetime
    changed_at: datetime | None
    answer: Annotated[str, "The builder's answer; empty before it."]
    answered_at: datetime | None
    held_until: Annotated[
        datetime | None, "The time until which it is held and does not count, after many reviews in a day."
    ]
    hidden: Annotated[bool, "Whether staff have hidden it."]


class RatingView(TypedDict):
    """The rating of a ship, from its reviews."""

    reviews: Annotated[int, "The number of reviewers. Each person's review of the newest version counts."]
    stars: Annotated[float | None, MEAN, f"The average; null for fewer than {REVIEWERS_FOR_STARS} people."]


def review_view(*, viewer: Viewer, review: Review) -> ReviewView:
    return view_of_row(
        ReviewView,
        review,
        version=review.revision.number,
        author=review.author.robo_name,
        mine=review.author_id == viewer.pk,
        hidden=review.hidden_at is not None,
    )


def rating_view(*, starship: Starship) -> RatingView:
    rating = rating_of(starship=starship)
    if rating is None:
        return {"reviews": 0, "stars": None}
    return {"reviews": rating.reviews, "stars": None if rating.stars is None else float(rating.stars)}


# --- Ratings ------------------------------------------------------------------------------------------------


AVERAGE_REVIEWS: Final = 10
"""The number of imaginary reviews to add to a ship's own reviews when ships are sorted.

Each has the site's mean number of stars. So a few reviews cannot move a ship to the top or the bottom.
"""

TOLERANCE: Final = Decimal("0.01")
"""The smallest error of `ShipRating.shrunk` that is corrected after the site's mean rating has changed."""


def locked_starship(starship_id: int) -> Starship:
    """Return a starship, locked until the transaction ends. Raises NotFound.

    With this lock, changes of the ship's reviews and rating run one after another. Ships that staff took down
    are returned too.
    """
    held = Starship.objects.select_for_update(no_key=True).filter(pk=starship_id).values_list("pk", flat=True)
    list(held.order_by())
    return starship_for(starship_id=starship_id, taken_down=True)


def rate(starship: Starship) -> None:
    """Recalculate the rating of a starship from its reviews.

    The caller must hold the starship's row lock.
    """
    stars = list(_counted(starship.pk))
    if not stars:
        ShipRating.objects.filter(starship=starship).delete()
        return
    others = ShipRating.objects.exclude(starship=starship).aggregate(
        total=Sum("total", default=0), reviews=Sum("reviews", default=0)
    )
    mean = Decimal(others["total"] + sum(stars)) / (others["reviews"] + len(stars))
    ShipRating.objects.update_or_create(
        starship=starship,
        defaults={
            "reviews": len(stars),
            "total": sum(stars),
            "stars": _rounded(Decimal(sum(stars)) / len(stars), "0.01")
            if len(stars) >= REVIEWERS_FOR_STARS
            else None,
            "shrunk": _rounded(
                (sum(stars) + AVERAGE_REVIEWS * mean) / (len(stars) + AVERAGE_REVIEWS), "0.001"
            ),
        },
    )


def adjust_ratings() -> int:
    """Correct each `ShipRating.shrunk` that is wrong by at least `TOLERANCE`.

    Return the number of corrections.
    """
    site = ShipRating.objects.aggregate(total=Sum("total"), reviews=Sum("reviews"))
    if not site["reviews"]:
        return 0
    # Decimals, since SQL would round a quotient of integers.
    added = Value(_rounded(Decimal(AVERAGE_REVIEWS * site["total"]) / site["reviews"], "0.000001"))
    exact = DecimalField(max_digits=12, decimal_places=9)
    shrunk = ExpressionWrapper((F("total") + added) / (F("reviews") + AVERAGE_REVIEWS), exact)
    off = Abs(ExpressionWrapper(F("shrunk") - shrunk, exact))
    return (
        ShipRating.objects.alias(off=off).filter(off__gte=TOLERANCE).update(shrunk=Round(shrunk, precision=3))
    )


def rate_all() -> int:
    """Recalculate all ratings, and return the number of wrong ratings. Safe to repeat."""
    wrong = 0
    reviewed = Starship.objects.filter(reviews__isnull=False) | Starship.objects.filter(rating__isnull=False)
    for starship_id in reviewed.distinct().order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            try:
                starship = locked_starship(starship_id)
            except NotFound:
                continue  # deleted meanwhile
            before = _own_values(starship)
            rate(starship)
            wrong += before != _own_values(starship)
    adjust_ratings()
    return wrong


def _own_values(starship: Starship) -> tuple[int, int, Decimal | None] | None:
    """Return the values of a ship's rating from its own reviews only, or None if it has no rating.

    The values are the number of reviewers, the sum of stars, and the mean.
    """
    return ShipRating.objects.filter(starship=starship).values_list("reviews", "total", "stars").first()


def _counted(starship_id: int) -> list[int]:
    """Return the stars that count for a ship, one number for each reviewer.

    If a person has reviewed several versions, only the review of the newest version counts.
    """
    shown = Review.objects.filter(starship=starship_id, held_until=None, hidden_at=None)
    newest = shown.order_by("author_id", "-revision__number").distinct("author_id")
    return list(newest.values_list("stars", flat=True))


def _rounded(number: Decimal, to: str) -> Decimal:
    return number.quantize(Decimal(to), ROUND_HALF_UP)


# --- Writing and answering ----------------------------------------------------------------------------------


BURST_SIZE: Final = 10
"""The number of a ship's reviews within `BURST_PERIOD` that are shown without delay. More are withheld."""

BURST_PERIOD: Final = timedelta(hours=24)

BURST_DELAY: Final = timedelta(hours=48)
"""How long reviews beyond `BURST_SIZE` are withheld, unless staff release them sooner."""

REVIEWS_PER_PASS: Final = 200
"""The maximum number of withheld reviews to release in one pass of the sweeper."""


def write_review(
    *,
    user: User,
    starship_id: int,
    stars: int,
    tags: Sequence[str] = (),
    text: str = "",
    version: int | None = None,
    now: datetime,
) -> Review:
    """Create or change a person's review of a version of a starship.

    The default version is the newest that the person finished a game on. If the ship got many reviews
    recently, a new review is withheld and does not count yet.

    Raises NotFound; Forbidden for guests, muted players, the builder, and people without a finished game;
    Gone if staff took the ship down; Conflict if staff have hidden the review; and the errors of
    `refuse_words`.
    """
    refuse_guests(user)
    refuse_muted(user=user, now=now)
    refuse_words(user=user, words=[text], now=now)
    with transaction.atomic():
        starship = locked_starship(starship_id)
        if starship.taken_down_at:
            raise Gone("taken-down", _("Staff took this ship down, so you can’t review it."))
        revision = version_to_review(user=user, starship=starship, version=version)
        review = Review.objects.filter(revision=revision, author=user).first()
        if review is None:
            held_until = now + BURST_DELAY if _is_burst(starship, now) else None
            review = Review(
                starship=starship, revision=revision, author=user, written_at=now, held_until=held_until
            )
        else:
            _refuse_hidden(review)
            if (review.stars, review.tags, review.text) == (stars, [*tags], text):
                return review
            review.changed_at = now
        review.stars, review.tags, review.text = stars, list(tags), text
        review.save()
        rate(starship)
        if review.changed_at is None:
            notify_of_review(review=review, now=now)
    return review


def take_back_review(*, user: User, starship_id: int, version: int | None = None) -> None:
    """Delete a person's review of a version of a starship. The default is the newest reviewed version.

    Raises NotFound if there is no review, and Conflict if staff have hidden it.
    """
    with transaction.atomic():
        starship = locked_starship(starship_id)
        review = review_of(author=user, starship=starship, version=version)
        _refuse_hidden(review)
        review.delete()
        rate(starship)


def answer_review(*, user: User, review_id: int, text: str, now: datetime) -> Review:
    """Answer a review, as the builder of the ship. The answer cannot be changed later.

    Raises NotFound for unknown, withheld and hidden reviews, and if staff took the ship down; Forbidden for
    anyone except the builder; Conflict if the review already has an answer; and the errors of `refuse_words`.
    """
    refuse_words(user=user, words=[text], now=now)
    with transaction.atomic():
        found = Review.objects.select_for_update(no_key=True, of=("self",)).select_related(
            "starship", "author"
        )
        review = found.filter(pk=review_id, held_until=None, hidden_at=None).first()
        if review is None or review.starship.taken_down_at:
            raise NotFound("no-review", _("There is no such review."))
        if not is_builder(user, review.starship):
            raise Forbidden("not-builder", _("Only the builder of this ship can answer its reviews."))
        if review.answer:
            raise Conflict("answered", _("You already answered this review. You can’t change your answer."))
        review.answer, review.answered_at = text, now
        review.save(update_fields=["answer", "answered_at"])
        notify_of_answer(review=review, now=now)
    return review


def release_reviews(*, now: datetime) -> int:
    """Show withheld reviews after their delay, and correct ratings. Return the number of shown reviews."""
    due = Review.objects.filter(held_until__lte=now).order_by("held_until", "pk")
    released = jobs.for_each_row("reviews", due, partial(release, now=now), most=REVIEWS_PER_PASS, now=now)
    adjust_ratings()
    return released


def release(review_id: int, *, now: datetime) -> int:
    """Show a withheld review to everyone. Return 1, or 0 if the review was not withheld. Raises NotFound."""
    with transaction.atomic():
        starship_id = Review.objects.filter(pk=review_id).values_list("starship", flat=True).first()
        if starship_id is None:
            raise NotFound("no-review", _("There is no such review."))
        starship = locked_starship(starship_id)
        review = starship.reviews.filter(pk=review_id, held_until__isnull=False).first()
        if review is None:
            return 0
        review.held_until = None
        review.save(update_fields=["held_until"])
        rate(starship)
        notify_of_review(review=review, now=now)
    return 1


def _refuse_hidden(review: Review) -> None:
    if review.hidden_at is not None:
        detail = _("Staff hid this review. You can’t change it while it is hidden.")
        raise Conflict("hidden", detail)


def _is_burst(starship: Starship, now: datetime) -> bool:
    lately = starship.reviews.filter(written_at__gt=now - BURST_PERIOD, held_until=None)
    return lately.count() >= BURST_SIZE
