"""Training missions, and how far a player has come with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound
from games.fleet.missions import offered_missions
from games.fleet.models import Mission
from games.play.models import Game
from games.play.selectors.viewers import Viewer


@dataclass(frozen=True, slots=True)
class Flight:
    """A mission, and how its viewer has done in it.

    ``under_way`` is the number of the game that goes on, ``best`` the fewest turns in which it was done, and
    ``lost`` says whether the last try was.
    """

    mission: Mission
    under_way: int | None = None
    best: int | None = None
    lost: bool = False

    @property
    def done(self) -> bool:
        """Whether the mission was done at least once."""
        return self.best is not None


def flights(*, viewer: Viewer) -> list[Flight]:
    """Return all missions in their order, as the viewer has flown them."""
    flown: dict[int, list[Game]] = {}
    if isinstance(viewer, User):
        games = Game.objects.filter(host=viewer, mission__isnull=False).order_by("pk")
        for game in games.only("mission_id", "status", "winner", "turn"):
            flown.setdefault(game.mission_id or 0, []).append(game)
    return [_flight(mission, flown.get(mission.pk, [])) for mission in offered_missions()]


def next_flight(flights: Sequence[Flight]) -> Flight | None:
    """Return the mission to fly next: one that is under way, else the first that is not done."""
    started = next((flight for flight in flights if flight.under_way), None)
    return started or next((flight for flight in flights if not flight.done), None)


def offered_to(*, user: User) -> Flight | None:
    """Return the mission to fly next, as `next_flight` has it, with one query."""
    flown = Game.objects.filter(host=user, mission=OuterRef("pk"))
    missions = offered_missions().annotate(
        under_way=Subquery(flown.filter(status=Game.Status.RUNNING).order_by("-pk").values("pk")[:1]),
        tried=Exists(flown.filter(status=Game.Status.OVER)),
    )
    wanted = missions.filter(Q(under_way__isnull=False) | ~Exists(won_by(user)))
    started_first = Case(When(under_way__isnull=False, then=0), default=1)
    mission = wanted.order_by(started_first, "number").first()
    if mission is None:
        return None
    return Flight(mission, mission.under_way, lost=mission.tried and mission.under_way is None)


def won_by(user: User) -> QuerySet[Game]:
    """Return, in a query of missions, the games in which a player has done them."""
    return Game.objects.filter(host=user, mission=OuterRef("pk"), status=Game.Status.OVER).exclude(winner="")


def flight_for(*, viewer: Viewer, slug: str) -> Flight:
    """Return one mission as the viewer has flown it; raises NotFound."""
    found = next((flight for flight in flights(viewer=viewer) if flight.mission.slug == slug), None)
    if found is None:
        raise NotFound("no-mission", _("There is no mission “{slug}”.").format(slug=slug))
    return found


def _flight(mission: Mission, games: Iterable[Game]) -> Flight:
    under_way = best = None
    lost = False
    for game in games:
        if game.status == Game.Status.RUNNING:
            under_way = game.pk
        elif game.status == Game.Status.OVER:
            lost = not game.winner
            if game.winner and game.turn is not None:
                best = game.turn if best is None else min(best, game.turn)
    return Flight(mission, under_way, best, lost and best is None)
