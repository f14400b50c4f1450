"""Lists of games (Game Room, My Room, seats to take over, waiting games), and filters for these lists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict
from urllib.parse import urlencode

import django_filters
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
from django.db.models.functions import Coalesce, Greatest
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.absence.selectors import RETURN_REASONS
from games.chat.selectors import unread_by
from games.clubs.models import Club
from games.clubs.selectors import open_to
from games.play import stored
from games.play.models import Game, Hand, Seat, Turn
from games.play.viewers import Viewer, visible_games
from games.reading import read_safely
from roborunner.postgres.queries import PreparedQuery

Choices = Sequence[tuple[str, str | Promise]]
Games = QuerySet[Game]

RULESETS: Choices = [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()]
PACES: Choices = (
    ("live", _("Live")),
    ("fast", _("1 to 4 hours")),
    ("day", _("Up to a day")),
    ("slow", _("Over a day")),
    ("bank", _("Time bank")),
    ("none", _("No limit")),
)
SEATS: Choices = (("2", "2"), ("3-4", _("3 or 4")), ("5-8", _("5 to 8")))
FREE_SEATS: Choices = (
    ("1", _("1 or more")),
    ("2", _("2 or more")),
    ("3", _("3 or more")),
    ("4", _("4 or more")),
)
SIZES: Choices = (
    ("small", _("Small (up to 10 cells long)")),
    ("medium", _("Medium (11 to 13 cells long)")),
    ("large", _("Large (14 or more cells long)")),
)

PACE_RANGES = {"fast": (1, 4), "day": (5, 24), "slow": (25, None)}
"""The minimum and maximum hours for a turn, by key of `PACES`. A maximum of None means no limit."""

SIZE_RANGES = {"small": (1, 10), "medium": (11, 13), "large": (14, None)}
"""The minimum and maximum length of a board's longer side in cells, by key of `SIZES`.

A maximum of None means no limit.
"""


def by_pace(games: Games, pace: str) -> Games:
    """Filter games by their time for a turn. ``pace`` is a key of `PACES`."""
    banked = Q(pace__bank__gte=1)
    if pace == "bank":
        return games.filter(banked)
    live = Q(pace__has_key="minutes")
    if pace == "live":
        return games.filter(live)
    if pace == "none":
        return games.filter(pace__hours=None).exclude(banked).exclude(live)
    return games.filter(_between("pace__hours", *PACE_RANGES[pace]))


def by_seats(games: Games, seats: str) -> Games:
    """Filter games by their number of players. ``seats`` is a key of `SEATS`."""
    least, _dash, most = seats.partition("-")
    return games.filter(seats__range=(int(least), int(most or least)))


def by_free(games: Games, free: str) -> Games:
    """Filter games by a minimum number of free seats. ``free`` is a key of `FREE_SEATS`."""
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    sitting = Coalesce(Subquery(seats.annotate(sitting=Count("pk")).values("sitting")), 0)
    found: Games = games.alias(sitting=sitting).filter(
        status=Game.Status.OPEN, sitting__lte=F("seats") - int(free)
    )
    return found


def by_size(games: Games, size: str) -> Games:
    """Filter games by the size of their board. ``size`` is a key of `SIZES`."""
    width = Coalesce("course__width", "revision__width")
    height = Coalesce("course__height", "revision__height")
    found: Games = games.alias(side=Greatest(width, height)).filter(_between("side", *SIZE_RANGES[size]))
    return found


def _between(field: str, least: int, most: int | None) -> Q:
    """Return the condition for a field in a range. Empty fields never match, as every range has a minimum."""
    return Q(**{f"{field}__gte": least}) & (Q() if most is None else Q(**{f"{field}__lte": most}))


def _choice(
    label: str | Promise, choices: Choices, narrow: Callable[[Games, str], Games] | None = None
) -> Any:
    more = {} if narrow is None else {"method": lambda games, name, value: narrow(games, value)}
    return django_filters.ChoiceFilter(label=label, choices=choices, empty_label=_("Any"), **more)


class GameFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for a list of games, from a URL query. Filters with unknown choices have no effect."""

    ruleset = _choice(_("Ruleset"), RULESETS)
    pace = _choice(_("Time per turn"), PACES, by_pace)
    seats = _choice(pgettext_lazy("number", "Players"), SEATS, by_seats)
    free = _choice(_("Free seats"), FREE_SEATS, by_free)
    size = _choice(_("Ship size"), SIZES, by_size)

    class Meta:
        model = Game
        fields: Sequence[str] = ()

    @property
    def chosen(self) -> Mapping[str, str]:
        self.form.is_valid()
        return {name: value for name, value in self.form.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """The active filters, as a URL query string."""
        return urlencode(self.chosen)

    @property
    def faults(self) -> list[str]:
        """A message for each filter with an unknown choice. These filters have no effect."""
        return [
            gettext("“{value}” is not a choice for “{filter}”, so that filter was ignored.").format(
                value=_shortened(self.form.data.get(name, "")), filter=self.filters[name].label
            )
            for name in self.form.errors
        ]


def _shortened(value: str) -> str:
    """Shorten a value to 24 characters and an ellipsis if it is longer.

    >>> _shortened("x" * 50)
    'xxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    return value if len(value) <= 24 else f"{value[:24]}…"


class Listing(TypedDict):
    """The annotations added to each game by `listed`."""

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
"""The maximum number of games on a club's page."""

URGENCY = (F("deadline").asc(nulls_last=True),)


def listed(games: QuerySet[Game], *, viewer: Viewer) -> ListedGames:
    """Return games with the data for lists, in a bounded number of queries.

    ``game.players.all()`` has the taken seats, each with ``user`` and ``waited_for`` (whether the game waits
    for this player). Board documents are not loaded. ``unread`` is the number of unread chat lines, if the
    viewer plays in the game.
    """
    waited_for = _missing(game="game").filter(seat=OuterRef("pk"))
    players = (
        Seat.objects.select_related("user__reliability")
        .annotate(waited_for=_has_row(waited_for))
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
    """Return an SQL expression for the viewer's deadline, or else the deadline of the open turn."""
    latest = Subquery(open_turn.values("deadline")[:1])
    if not isinstance(viewer, User):
        return latest
    return Coalesce(Subquery(_missing().filter(_played_by(viewer)).values("deadline")[:1]), latest)


def _waits_for(viewer: Viewer) -> Coalesce | Value:
    if not isinstance(viewer, User):
        return Value(False, output_field=BooleanField())
    return _has_row(_missing().filter(_played_by(viewer)))


def _missing(game: str = "pk") -> QuerySet[Hand]:
    """Return the hands without submitted orders in the open turn of a running game, for a subquery.

    ``game`` is the lookup of the game in the outer query. The subquery starts from the one open turn, since
    players may have had thousands of hands.
    """
    return Hand.objects.filter(
        turn__game=OuterRef(game),
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
        seat__isnull=False,
        program=None,
    )


def _played_by(person: User) -> Q:
    """Return a query condition for hands of a person, and of companions at their screen."""
    return Q(seat__user=person) | Q(seat__user=None, seat__computer="", turn__game__host=person)


def _has_row(hands: QuerySet[Hand]) -> Coalesce:
    """Return a subquery with the value True if the query ``hands`` has a row, and False otherwise.

    Postgres evaluates it row by row. With EXISTS, Postgres might collect all hands of a person first.
    """
    return Coalesce(Subquery(hands.order_by().annotate(there=Value(True)).values("there")[:1]), False)


def games_to_join(*, viewer: Viewer) -> ListedGames:
    """Return public games with a free seat for the viewer, the newest first.

    Only members of a club see its games.
    """
    games = visible_games(viewer=viewer).filter(open_to(viewer), status=Game.Status.OPEN, private=False)
    if isinstance(viewer, User):
        games = games.exclude(players__user=viewer)
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    taken = seats.annotate(taken=Count("pk")).values("taken")
    games = games.alias(taken=Subquery(taken)).filter(taken__lt=F("seats"))
    return listed(games, viewer=viewer).order_by("-created_at", "-pk")


def games_of_club(*, viewer: Viewer, club: Club) -> list[ListedGame]:
    """Return the open and running games of a club as far as the viewer may see them, at most `CLUB_GAMES`."""
    going_on = Q(status=Game.Status.OPEN) | Q(status=Game.Status.RUNNING)
    games = visible_games(viewer=viewer).filter(going_on, club_game__club=club)
    return list(listed(games, viewer=viewer).order_by("status", "-moved_at", "-pk")[:CLUB_GAMES])


def games_to_watch(*, viewer: Viewer) -> ListedGames:
    """Return running public games except the viewer's own, the latest move first."""
    games = visible_games(viewer=viewer).filter(status=Game.Status.RUNNING, private=False)
    if isinstance(viewer, User):
        games = games.exclude(players__user=viewer)
    return listed(games, viewer=viewer).order_by("-moved_at", "-pk")


def my_games(*, user: User) -> ListedGames:
    """Return a person's games. Games waiting for the person's orders come first, by deadline.

    Then come the other running games, the open games, and the ended games. In each of these groups, the game
    with the latest move comes first.
    """
    progress = Case(
        When(status=Game.Status.RUNNING, then=0), When(status=Game.Status.OPEN, then=1), default=2
    )
    return (
        listed(_games_with_seat(user), viewer=user)
        .alias(progress=progress)
        .order_by("-waits_for_me", "progress", *URGENCY, "-moved_at", "-pk")
    )


def waiting_games(*, user: User) -> ListedGames:
    """Return the games waiting for a person's orders, by deadline, then by the start of the turn."""
    return (
        listed(_games_with_seat(user), viewer=user)
        .filter(waits_for_me=True)
        .order_by(*URGENCY, "waiting_since", "pk")
    )


def _games_with_seat(user: User) -> QuerySet[Game]:
    return Game.objects.filter(players__user=user).select_related("host", "revision__starship", "course")


def next_waiting(*, user: User, after: Game | int | None = None) -> ListedGame | None:
    """Return the next game waiting for a person's orders, or None if no other game waits.

    Returns the game with the earliest deadline. If ``after`` (a game or its ID) is also waiting, returns the
    game with the next later deadline, or the first game if there is no later one. Never returns ``after``.
    """
    here = after.pk if isinstance(after, Game) else after
    waiting: list[Any] = _WAITING(user.pk)
    places = [game.pk for game in waiting]
    ahead = places.index(here) + 1 if here in places else 0
    return next((game for game in waiting[ahead:] + waiting[:ahead] if game.pk != here), None)


def _waiting(person: int) -> QuerySet[Game]:
    """Return the games of `waiting_games` in the same order, without the data for lists."""
    user, open_turn = User(pk=person), Turn.objects.filter(game=OuterRef("pk"), status=Turn.Status.OPEN)
    games = waiting_for(user).annotate(
        deadline=_deadline(user, open_turn), waiting_since=Subquery(open_turn.values("opened_at")[:1])
    )
    return games.order_by(*URGENCY, "waiting_since", "pk")


_WAITING: Final = PreparedQuery(_waiting, int)


def waiting_count(*, user: User) -> int:
    return waiting_for(user).count()


def waiting_for(user: User) -> QuerySet[Game]:
    """Return the games waiting for a person's orders, unordered, without the data for lists."""
    playing = Game.objects.filter(players__user=user, status=Game.Status.RUNNING)
    return playing.filter(_has_row(_missing().filter(_played_by(user))))


def games_for(
    *, viewer: Viewer, status: str | None = None, mine: bool = False, club: str = ""
) -> ListedGames:
    """Return the public games and the viewer's own games, the newest first.

    Other people's private games are left out, even for staff. ``mine`` returns only the viewer's games,
    ``status`` only games with this status, and ``club`` (a slug) only games of this club.
    """
    games = visible_games(viewer=viewer)
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


class Lineup(NamedTuple):
    """The setup of a running game, with its robots by seat at the start of the turn."""

    setup: rules.Setup
    robots: Sequence[dict[str, Any]]


def games_to_take_over(*, viewer: Viewer) -> ListedGames:
    """Return public games with a seat for a person to take over. The game with the latest offer comes first.

    Leaves out competitions, the viewer's own games, and games from which other people removed the viewer.
    ``offered_at`` is the time when a seat of the game was last offered.
    """
    offered = Seat.objects.filter(offered_at__isnull=False, user=None, out=False, place=None)
    latest = offered.filter(game=OuterRef("pk")).order_by("-offered_at").values("offered_at")[:1]
    games = visible_games(viewer=viewer).filter(
        pk__in=offered.values("game"),
        status=Game.Status.RUNNING,
        private=False,
        at_table=None,
        ladder_game=None,
    )
    if isinstance(viewer, User):
        last = Replacement.objects.filter(seat__game=OuterRef("pk"), was=viewer).order_by("-pk")
        games = games.exclude(players__user=viewer).alias(lost_by=Subquery(last.values("reason")[:1]))
        games = games.filter(Q(lost_by=None) | Q(lost_by__in=RETURN_REASONS))
    return listed(games, viewer=viewer).annotate(offered_at=Subquery(latest)).order_by("-offered_at", "-pk")


def lineups_of(*, games: Iterable[Game]) -> dict[int, Lineup]:
    """Return the lineups of running games by game ID, with one query.

    All viewers of a game may see its lineup. Games that cannot be read are left out.
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
