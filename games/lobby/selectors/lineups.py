"""Games under way with seats that a computer holds for anyone who takes them over, and how these stand."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, Subquery

import rules
from accounts.models import User
from games.absence.selectors import LEFT
from games.lobby.selectors.rooms import ListedGames, listed
from games.play import stored
from games.play.models import Game, Replacement, Seat, Turn
from games.play.selectors.viewers import Viewer, known_games
from games.reading import read_safely


class Lineup(NamedTuple):
    """The robots of a game under way as its turn began, by seat, and what they are judged by."""

    setup: rules.Setup
    robots: Sequence[dict[str, Any]]


def games_to_take_over(*, viewer: Viewer) -> ListedGames:
    """Return public games with a seat to be taken over, the last offered first; none of a competition.

    None of the viewer's own are among them, and none that others have sent them away from. ``offered_at``
    says since when the latest of them is offered.
    """
    offered = Seat.objects.filter(offered_at__isnull=False, user=None, out=False, place=None)
    latest = offered.filter(game=OuterRef("pk")).order_by("-offered_at").values("offered_at")[:1]
    games = known_games(viewer=viewer).filter(
        pk__in=offered.values("game"),
        status=Game.Status.RUNNING,
        private=False,
        at_table=None,
        ladder_game=None,
    )
    if isinstance(viewer, User):
        last = Replacement.objects.filter(seat__game=OuterRef("pk"), was=viewer).order_by("-pk")
        games = games.exclude(players__user=viewer).alias(lost_by=Subquery(last.values("reason")[:1]))
        games = games.filter(Q(lost_by=None) | Q(lost_by__in=LEFT))
    return listed(games, viewer=viewer).annotate(offered_at=Subquery(latest)).order_by("-offered_at", "-pk")


def lineups_of(*, games: Iterable[Game]) -> dict[int, Lineup]:
    """Return how the robots of games under way stand, by the games' keys, in one query for all of them.

    All who see a game see that. A game that cannot be read is left out.
    """
    turns = Turn.objects.filter(game__in=[game.pk for game in games], status=Turn.Status.OPEN)
    found = {}
    for turn in turns.select_related("game__revision", "game__course"):
        if lineup := read_safely(partial(_lineup_of, turn), turn.game_id):
            found[turn.game_id] = lineup
    return found


def _lineup_of(turn: Turn) -> Lineup:
    setup = stored.setup_of(turn.game)
    view = rules.view(stored.start_of(turn, setup.starship))
    return Lineup(setup, rules.view_to_json(setup.starship, view)["robots"])
