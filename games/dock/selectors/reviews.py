"""Reviews of starships, and who may write one."""

from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Moderation, Rating, Review
from games.dock.models.reviews import MOST_STARS, SHOWN_FROM, Tag
from games.documents import Shape, written
from games.errors import Forbidden, NotFound
from games.fleet.models import Starship, StarshipRevision
from games.play.models import Game, Seat
from games.play.selectors.viewers import Viewer
from games.rights import Right, may

MEAN: Final = Shape({"type": "number", "minimum": 1, "maximum": MOST_STARS})


def is_builder(viewer: Viewer, starship: Starship) -> bool:
    """Return whether a ship is the viewer's own."""
    return starship.owner_id is not None and starship.owner_id == viewer.pk


def reviewable_games() -> QuerySet[Game]:
    """Return the games after which their players may review the ship.

    They are over by their rules, were played on the ship as it is in the library, by two robots or more, and
    were no training missions.
    """
    over = Game.objects.filter(status=Game.Status.OVER, ending="", mission=None, course=None)
    others = Seat.objects.filter(game=OuterRef("pk"), number__gt=1)
    return over.filter(Exists(others), revision__isnull=False).exclude(
        revision__starship__section=Starship.Section.MISSIONS
    )


def finished_versions(*, user: User, starship: Starship) -> QuerySet[StarshipRevision]:
    """Return the versions of a ship on which a person played such a game to its end, the newest first."""
    # In steps: in one, Postgres looks at all games of a version that was played very often.
    versions = list(starship.revisions.order_by().values_list("pk", flat=True))
    played = reviewable_games().filter(players__user=user, revision__in=versions).order_by()
    finished = list(played.values_list("revision", flat=True).distinct())
    return starship.revisions.filter(pk__in=finished).order_by("-number")


def review_of(*, author: User, starship: Starship, version: int | None = None) -> Review:
    """Return what a person wrote about a version of a ship, by default the newest that they wrote about.

    Raises NotFound.
    """
    found = Review.objects.filter(author=author, starship=starship).select_related("revision")
    if version is not None:
        found = found.filter(revision__number=version)
    review = found.order_by("-revision__number").first()
    if review is None:
        raise NotFound("no-review", _("You have not reviewed this ship."))
    return review


def own_review(*, viewer: Viewer, version: StarshipRevision) -> Review | None:
    """Return the viewer's review of a version of a ship; None if they have written none."""
    return Review.objects.filter(revision=version, author=viewer.pk).first()


def version_to_review(*, user: User, starship: Starship, version: int | None = None) -> StarshipRevision:
    """Return the version that a person may review, by default the newest that they finished a game on.

    Raises Forbidden for the builder and for people without such a game, and NotFound.
    """
    if is_builder(user, starship):
        raise Forbidden("own-ship", _("You built this ship: its reviews are for the others who fly it."))
    played = list(finished_versions(user=user, starship=starship))
    if version is None and played:
        return played[0]
    if version is not None and not starship.revisions.filter(number=version).exists():
        raise NotFound("no-version", _("This ship has no version {number}.").format(number=version))
    found = next((revision for revision in played if revision.number == version), None)
    if found is None:
        detail = _(
            "Only people who have played a game on this version to its end can review it. Finish a game with"
            " others or against computers first."
        )
        raise Forbidden("not-played", detail)
    return found


def may_review(*, viewer: Viewer, starship: Starship) -> bool:
    """Return whether the viewer may review a ship in any version."""
    if not isinstance(viewer, User) or viewer.is_guest or is_builder(viewer, starship):
        return False
    return finished_versions(user=viewer, starship=starship).exists()


def version_played(*, viewer: Viewer, game: Game) -> StarshipRevision | None:
    """Return the version of a ship that the viewer may review after a game, which they played to its end."""
    over = game.status == Game.Status.OVER and not game.ending
    if not over or game.revision is None or not isinstance(viewer, User) or viewer.is_guest:
        return None
    seats = list(game.players.all())
    mine = any(seat.user_id == viewer.pk for seat in seats)
    if not mine or len(seats) < 2 or is_builder(viewer, game.revision.starship):
        return None
    return game.revision if reviewable_games().filter(pk=game.pk).exists() else None


def rating_of(*, starship: Starship) -> Rating | None:
    """Return what the reviews of a ship come to; None without reviews."""
    return Rating.objects.filter(starship=starship).first()


def reviews_of(*, viewer: Viewer, starship: Starship, version: int | None = None) -> QuerySet[Review]:
    """Return the reviews of a ship, or of one version, the newest first.

    Those that wait or are hidden are among them for their authors and for staff alone.
    """
    found = Review.objects.filter(starship=starship).select_related("author", "revision")
    if version is not None:
        found = found.filter(revision__number=version)
    if not may(viewer, Right.SEE_REVIEWS):
        found = found.filter(Q(held_until=None, hidden_at=None) | Q(author=viewer.pk))
    return found.order_by("-written_at", "-id")


def reason_hidden(*, review: Review) -> str:
    """Return why staff have hidden a review; empty for one that is not hidden."""
    if review.hidden_at is None:
        return ""
    hidden = Moderation.objects.filter(review=review, action=Moderation.Action.HIDE)
    return hidden.values_list("reason", flat=True).first() or ""


def review_for(*, viewer: Viewer, review_id: int) -> Review:
    """Return a review that the viewer sees; raises NotFound."""
    found = Review.objects.filter(pk=review_id).select_related("author", "revision", "starship").first()
    if found is None or not (
        found.is_shown or found.author_id == viewer.pk or may(viewer, Right.SEE_REVIEWS)
    ):
        raise NotFound("no-review", _("There is no such review."))
    return found


class ReviewView(TypedDict):
    """What a person says about a ship. Those that are held or hidden are shown to their authors and staff."""

    id: int
    version: Annotated[int, "The revision of the ship that it is about."]
    author: Annotated[str, "A Robo Name."]
    mine: bool
    stars: Annotated[int, f"1 to {MOST_STARS}."]
    tags: list[Annotated[str, Tag]]
    text: str
    written_at: datetime
    changed_at: datetime | None
    answer: Annotated[str, "What the builder answered; empty if nothing yet."]
    answered_at: datetime | None
    held_until: Annotated[datetime | None, "Until when it waits, uncounted, as one of many in a day."]
    hidden: Annotated[bool, "Whether staff have hidden it."]


class RatingView(TypedDict):
    """What the reviews of a ship come to."""

    reviews: Annotated[int, "How many people have reviewed it; of each the newest version counts."]
    stars: Annotated[float | None, MEAN, f"Their mean; null for fewer than {SHOWN_FROM} people."]


def review_view(*, viewer: Viewer, review: Review) -> ReviewView:
    """Return a review as the viewer sees it."""
    return written(
        ReviewView,
        review,
        version=review.revision.number,
        author=review.author.robo_name,
        mine=review.author_id == viewer.pk,
        hidden=review.hidden_at is not None,
    )


def rating_view(*, starship: Starship) -> RatingView:
    """Return what the reviews of a ship come to."""
    rating = rating_of(starship=starship)
    if rating is None:
        return {"reviews": 0, "stars": None}
    return {"reviews": rating.reviews, "stars": None if rating.stars is None else float(rating.stars)}
