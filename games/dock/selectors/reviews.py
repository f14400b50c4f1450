"""Reviews of starships, and who may write one."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Review
from games.errors import NotFound
from games.fleet.models import Starship, StarshipRevision
from games.play.models import Game, Seat
from games.play.selectors.viewers import Viewer


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
    played = reviewable_games().filter(revision=OuterRef("pk"), players__user=user)
    return starship.revisions.filter(Exists(played)).order_by("-number")


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
