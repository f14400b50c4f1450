"""Training missions, and how far somebody has come with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from games import lessons, stored
from games.errors import Invalid, NotFound
from games.models import Game, Mission
from games.selectors.viewers import Viewer


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
    return [_flight(mission, flown.get(mission.pk, [])) for mission in _offered()]


def flight_for(*, viewer: Viewer, slug: str) -> Flight:
    """Return one mission as the viewer has flown it; raises NotFound."""
    found = next((flight for flight in flights(viewer=viewer) if flight.mission.slug == slug), None)
    if found is None:
        raise NotFound("no-mission", f"There is no mission “{slug}”.")
    return found


def mission_after(*, mission: Mission) -> Mission | None:
    """Return the mission that follows, if there is one."""
    return _offered().filter(number__gt=mission.number).first()


def lesson_of(*, game: Game) -> lessons.Lesson | None:
    """Return the lesson of a mission, for the board of its game; None where it does not fit."""
    if game.mission is None:
        return None
    try:
        return lessons.read_lesson(game.mission.lesson, stored.ship_of(game))
    except Invalid:  # staff have given the mission another board since
        return None


def _offered() -> QuerySet[Mission]:
    offered = Mission.objects.filter(starship__retired=False).exclude(starship__current=None)
    return offered.select_related("starship__current").order_by("number")


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
