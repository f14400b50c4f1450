"""Lists of games: the Game Room, My Room, and what waits for a person."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypedDict

from django.db.models import (
    BooleanField,
    Case,
    Count,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from games.chat.selectors import unread_by
from games.clubs.models import Club
from games.clubs.selectors import open_to
from games.play.models import Game, Hand, Seat, Turn
from games.play.selectors.viewers import Viewer, known_games
from roborunner.postgres.queries import PreparedQuery


class Listing(TypedDict):
    """What a list knows of a game beyond its row."""

    waits_for_me: bool
    deadline: datetime | None
    waiting_since: datetime | None
    unread: int


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    ListedGame = WithAnnotations[Game, Listing]
else:
    ListedGame = Game

ListedGames = QuerySet[ListedGame]

CLUB_GAMES: Final = 20
"""Games on a club's page."""

URGENCY = (F("deadline").asc(nulls_last=True),)


def listed(games: QuerySet[Game], *, viewer: Viewer) -> ListedGames:
    """Return games with what a list shows of each, in a bounded number of queries.

    ``game.players.all()`` has each seat with ``.user`` and ``.waited_for``; board documents are left behind.
    ``unread`` counts the lines of its chat that the viewer, who plays in it, has not read.
    """
    waited_for = _missing(game="game").filter(seat=OuterRef("pk"))
    players = (
        Seat.objects.select_related("user__reliability")
        .annotate(waited_for=_any(waited_for))
        .order_by("number")
    )
    open_turn = Turn.objects.filter(game=OuterRef("pk"), status=Turn.Status.OPEN)
    return (
        games.defer("revision__document", "revision__starship__current", "course__document")
        .prefetch_related(Prefetch("players", queryset=players))
        .annotate(
            waits_for_me=_waits_for(viewer),
            deadline=_deadline(viewer, open_turn),
            waiting_since=Subquery(open_turn.values("opened_at")[:1]),
            unread=unread_by(viewer),
        )
    )


def _deadline(viewer: Viewer, open_turn: QuerySet[Turn]) -> Subquery | Coalesce:
    """Return until when the viewer has time where they are missing, else those who are."""
    latest = Subquery(open_turn.values("deadline")[:1])
    if not isinstance(viewer, User):
        return latest
    return Coalesce(Subquery(_missing().filter(seat__user=viewer).values("deadline")[:1]), latest)


def _waits_for(viewer: Viewer) -> Coalesce | Value:
    if not isinstance(viewer, User):
        return Value(False, output_field=BooleanField())
    return _any(_missing().filter(seat__user=viewer))


def _missing(game: str = "pk") -> QuerySet[Hand]:
    """Return, in a query of rows that are or have a game, the hands that the game under way waits for.

    They are found by way of its one open turn: anyone who has played for years has had thousands of hands.
    """
    return Hand.objects.filter(
        turn__game=OuterRef(game),
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
        seat__isnull=False,
        program=None,
    )


def _any(hands: QuerySet[Hand]) -> Coalesce:
    """Return, for each row, whether there is such a hand.

    Postgres looks for it row by row; instead of EXISTS it may as well gather all hands of a person first.
    """
    return Coalesce(Subquery(hands.order_by().annotate(there=Value(True)).values("there")[:1]), False)


def games_to_join(*, viewer: Viewer) -> ListedGames:
    """Return public games with a free seat that the viewer may take, the newest first.

    Games for members of a club are told to these alone.
    """
    games = known_games(viewer=viewer).filter(open_to(viewer), status=Game.Status.OPEN, private=False)
    if isinstance(viewer, User):
        games = games.exclude(players__user=viewer)
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    taken = seats.annotate(taken=Count("pk")).values("taken")
    games = games.alias(taken=Subquery(taken)).filter(taken__lt=F("seats"))
    return listed(games, viewer=viewer).order_by("-created_at", "-pk")


def games_of_club(*, viewer: Viewer, club: Club) -> list[ListedGame]:
    """Return the games of a club that are open or being played, as far as the viewer may know of them."""
    going_on = Q(status=Game.Status.OPEN) | Q(status=Game.Status.RUNNING)
    games = known_games(viewer=viewer).filter(going_on, club_game__club=club)
    return list(listed(games, viewer=viewer).order_by("status", "-moved_at", "-pk")[:CLUB_GAMES])


def games_to_watch(*, viewer: Viewer) -> ListedGames:
    """Return public games of others that are being played, those that moved last first."""
    games = known_games(viewer=viewer).filter(status=Game.Status.RUNNING, private=False)
    if isinstance(viewer, User):
        games = games.exclude(players__user=viewer)
    return listed(games, viewer=viewer).order_by("-moved_at", "-pk")


def my_games(*, user: User) -> ListedGames:
    """Return the games that a person has a seat in: those that wait for them first, by urgency.

    Then come the running, the open, and those that have ended, each the last moved first.
    """
    progress = Case(
        When(status=Game.Status.RUNNING, then=0), When(status=Game.Status.OPEN, then=1), default=2
    )
    return (
        listed(_seated(user), viewer=user)
        .alias(progress=progress)
        .order_by("-waits_for_me", "progress", *URGENCY, "-moved_at", "-pk")
    )


def waiting_games(*, user: User) -> ListedGames:
    """Return the games that wait for a person's move, most urgent first: by deadline, then by age."""
    return (
        listed(_seated(user), viewer=user).filter(waits_for_me=True).order_by(*URGENCY, "waiting_since", "pk")
    )


def _seated(user: User) -> QuerySet[Game]:
    return Game.objects.filter(players__user=user).select_related("host", "revision__starship", "course")


def next_waiting(*, user: User, after: Game | int | None = None) -> ListedGame | None:
    """Return the game to go to next among those that wait for a person's move; None where there is none.

    It is the most urgent one; after a game that waits itself, the one that follows it in urgency, so that
    all come up in turn. It is never the game ``after`` which one goes on.
    """
    here = after.pk if isinstance(after, Game) else after
    waiting: list[Any] = _WAITING(user.pk)
    places = [game.pk for game in waiting]
    ahead = places.index(here) + 1 if here in places else 0
    return next((game for game in waiting[ahead:] + waiting[:ahead] if game.pk != here), None)


def _waiting(person: int) -> QuerySet[Game]:
    """Return `waiting_games` without what stands in lists alone."""
    user, open_turn = User(pk=person), Turn.objects.filter(game=OuterRef("pk"), status=Turn.Status.OPEN)
    games = waiting_for(user).annotate(
        deadline=_deadline(user, open_turn), waiting_since=Subquery(open_turn.values("opened_at")[:1])
    )
    return games.order_by(*URGENCY, "waiting_since", "pk")


_WAITING: Final = PreparedQuery(_waiting, int)


def waiting_count(*, user: User) -> int:
    """Return how many games wait for a person's move."""
    return waiting_for(user).count()


def waiting_for(user: User) -> QuerySet[Game]:
    """Return the games that wait for a person's move, to be counted."""
    playing = Game.objects.filter(players__user=user, status=Game.Status.RUNNING)
    return playing.filter(_any(_missing().filter(seat__user=user)))


def games_for(
    *, viewer: Viewer, status: str | None = None, mine: bool = False, club: str = ""
) -> ListedGames:
    """Return all games that the viewer may find, the newest first; those of a ``club``, if one is named.

    Other people's private games are not found, staff or not.
    """
    games = known_games(viewer=viewer)
    if isinstance(viewer, User):
        own = Seat.objects.filter(user=viewer).values("game")
        games = games.filter(pk__in=own) if mine else games.filter(Q(private=False) | Q(pk__in=own))
    elif mine:
        games = games.none()
    else:
        games = games.filter(private=False)
    if status is not None:
        games = games.filter(status=status)
    if club:
        games = games.filter(club_game__club__slug=club)
    return listed(games, viewer=viewer).order_by("-created_at", "-pk")
