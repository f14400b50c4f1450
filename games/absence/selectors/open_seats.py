"""Seats of games under way that a computer holds for anyone who takes them over."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

import rules
from accounts.models import User
from games.alone import alone
from games.lobby.selectors.rooms import ListedGames, listed
from games.play import stored
from games.play.models import Game, Replacement, Seat, Turn
from games.play.selectors.viewers import Viewer, known_games

LEFT = frozenset({Replacement.Reason.MISSED, Replacement.Reason.LEFT})
"""Why someone may have been replaced who may come back: whom others have replaced may not."""

SENT_AWAY = "Others have had you replaced in this game: you cannot come back to it."
RESIGNED = "You resigned from this game: you cannot come back to it."
"""What those are told who may not."""


class Lineup(NamedTuple):
    """The robots of a game under way as its turn began, by seat, and what they are judged by."""

    setup: rules.Setup
    robots: Sequence[dict[str, Any]]


def seat_to_return_to(*, user: User, game: Game) -> Seat | None:
    """Return the seat that a person had and may come back to: no one else has taken it over since."""
    if game.status != Game.Status.RUNNING:
        return None
    last = Replacement.objects.filter(seat__game=game, was=user).select_related("seat").last()
    if last is None or last.reason not in LEFT or last.seat.user_id is not None:
        return None
    latest = last.seat.replacements.last()
    return last.seat if latest == last and is_offered(last.seat) else None


def seats_to_return_to(*, user: User) -> list[Seat]:
    """Return the seats that a person may come back to, each with its game, the last lost first."""
    latest = Replacement.objects.filter(seat=OuterRef("seat")).order_by("-pk").values("pk")[:1]
    later = Replacement.objects.filter(was=user, seat__game=OuterRef("seat__game"), pk__gt=OuterRef("pk"))
    lost = Replacement.objects.filter(was=user, reason__in=LEFT, pk=Subquery(latest))
    held = lost.filter(seat__user=None, seat__offered_at__isnull=False, seat__out=False, seat__place=None)
    open_to_them = held.filter(~Exists(later), seat__game__status=Game.Status.RUNNING).exclude(
        Exists(Seat.objects.filter(game=OuterRef("seat__game"), user=user))
    )
    return [row.seat for row in open_to_them.select_related("seat__game").order_by("-pk")]


def why_not_back(*, user: User, game: Game) -> str:
    """Return why someone may not play on in a game: they resigned, or others have had them replaced."""
    last = Replacement.objects.filter(seat__game=game, was=user).last()
    if last is None or last.reason in LEFT:
        return ""
    return RESIGNED if last.reason == Replacement.Reason.RESIGNED else SENT_AWAY


def seats_offered(*, seats: Iterable[Seat], game: Game) -> list[Seat]:
    """Return the seats of a game that may be taken over, of all its ``seats``."""
    return [seat for seat in seats if game.status == Game.Status.RUNNING and is_offered(seat)]


def is_offered(seat: Seat) -> bool:
    """Return whether a computer holds a seat for others; whose robot is out or has finished plays no more."""
    return seat.offered_at is not None and seat.user_id is None and not seat.out and seat.place is None


def games_to_take_over(*, viewer: Viewer) -> ListedGames:
    """Return public games with a seat to be taken over, the last offered first.

    None of the viewer's own are among them, and none that others have sent them away from. ``offered_at``
    says since when the latest of them is offered.
    """
    offered = Seat.objects.filter(offered_at__isnull=False, user=None, out=False, place=None)
    latest = offered.filter(game=OuterRef("pk")).order_by("-offered_at").values("offered_at")[:1]
    games = known_games(viewer=viewer).filter(
        pk__in=offered.values("game"),
        status=Game.Status.RUNNING,
        private=False,
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
    for turn in turns.select_related("game__revision", "game__course").defer("outcome"):
        if lineup := alone(partial(_lineup_of, turn), turn.game_id):
            found[turn.game_id] = lineup
    return found


def _lineup_of(turn: Turn) -> Lineup:
    setup = stored.setup_of(turn.game)
    view = rules.view(stored.start_of(turn, setup.starship))
    return Lineup(setup, rules.view_to_json(setup.starship, view)["robots"])
