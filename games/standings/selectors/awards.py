"""Leaders of a month, awards and ranks of players, and players' figures in a game."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, TypedDict

from django.conf import settings
from django.db.models import F, Sum

from accounts.models import Audience, User
from games.errors import player_named
from games.people.models import Share, Tally
from games.play import stored
from games.play.models import Game, Program, Seat, Turn
from games.play.selectors import seat_history, tested_prototypes
from games.play.stored import TurnRecord, each_played
from games.play.viewers import Audiences, Viewer
from games.standings.awards import AWARDS, PLACES_AWARDED, POINTS_BY_PLACE, month_of, rank_after, rank_for
from games.standings.models import OVERALL, Award, MonthClose, PlayerMonth, RatingChange, Result
from games.standings.ratings import points
from games.standings.selectors.results import leavers_of, outcome_in
from rules.statistics import COUNTERS

# --- Figures of a game --------------------------------------------------------------------------------------


FIGURES: Final = ("games", "won", "turns", "checkpoints", "in_time", "tested", "gained", *COUNTERS)
"""The names of all figures in a `PlayerMonth`."""


def figures_of(game: Game) -> dict[int, PlayerMonth]:
    """Return unsaved `PlayerMonth` rows with each player's figures in a finished game.

    Only rated games among people count. A game on a prototype counts only as a test of it. Deleted accounts
    get no row. Raises ValueError or LookupError if the game's log cannot be read.
    """
    assert game.ended_at
    month = month_of(game.ended_at)
    if game.prototype_version:
        return {person: PlayerMonth(user_id=person, month=month, tested=1) for person in _testers(game)}
    result = Result.objects.filter(of_game=game.pk).order_by("-revision").first()
    finishes = outcome_in(result).finishes if result else ()
    if not finishes or any(member.computer for side in finishes for member in side.members):
        return {}
    leaders = sum(side.rank == 1 for side in finishes)
    left = leavers_of(game)
    gained = _gained(result)
    seats = {seat_history(seat)[0].user: seat for seat in _seats(game)}
    played = _Turns(game)
    rows: dict[int, PlayerMonth] = {}
    for side in finishes:
        for person in sorted(member.person for member in side.members if member.person is not None):
            if person not in gained:
                continue
            seat = seats[person]
            rows[person] = PlayerMonth(
                user_id=person,
                month=month,
                games=1,
                won=int(side.rank == 1 and leaders == 1 and seat.user_id == person and person not in left),
                gained=gained[person],
                **played.of(seat, person),
                **_counters(seat, person),
            )
    return rows


def _testers(game: Game) -> list[int]:
    """Return the players who tested the prototype of a game for the first time in this game."""
    people = [seat.user_id for seat in _seats(game) if seat.user and seat.user.deleted_at is None]
    return [
        person
        for person in people
        if person is not None and any(each.game == game.pk for each in tested_prototypes(person=person))
    ]


def _seats(game: Game) -> list[Seat]:
    return list(game.players.select_related("user", "tally").prefetch_related("replacements", "shares"))


def _gained(result: Result | None) -> dict[int, int]:
    """Return the change in overall rating of each player with an account, in points."""
    changes = RatingChange.objects.filter(result=result, pool=OVERALL, user__deleted_at=None)
    return {change.user_id: points(change.mu) - points(change.mu_before) for change in changes}


def _counters(seat: Seat, person: int) -> dict[str, int]:
    """Return the statistics of a seat's robot while a person controlled it."""
    shares: dict[int, Share] = {share.user_id: share for share in seat.shares.all()}
    tally: Tally | None = getattr(seat, "tally", None)
    source = shares.get(person) if seat.shared else tally
    return {counter: getattr(source, counter) if source else 0 for counter in COUNTERS}


class _Turns:
    """Reads the resolved turns of a game once, for the figures of all its players."""

    def __init__(self, game: Game) -> None:
        turns = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
        self.by: list[tuple[int, Mapping[int, str]]] = []
        self.inspected = [0] * game.seats
        last = None
        for turn, last in each_played(turns):
            if turn.number > 0:
                self.by.append((turn.number, _authors(last)))
        if last is not None:  # a player can resign before the first turn
            state = stored.end_in(last, stored.ship_of(game))
            self.inspected = [max(0, robot.next - 1) for robot in state.players]

    def of(self, seat: Seat, person: int) -> dict[str, int]:
        """Return a person's figures from playing a seat: ``turns``, ``checkpoints`` and ``in_time``.

        ``in_time`` is 1 if they missed no turn and kept the seat to the end, and 0 otherwise. ``checkpoints``
        is 0 if they lost the seat.
        """
        terms = [term for term in seat_history(seat) if term.user == person]
        mine = [by.get(seat.number) for number, by in self.by if any(term.has(number) for term in terms)]
        kept = seat.user_id == person
        authors = Counter(author for author in mine if author is not None)
        return {
            "turns": authors[Program.Author.PLAYER],
            "checkpoints": self.inspected[seat.number - 1] if kept else 0,
            "in_time": int(kept and set(authors) == {Program.Author.PLAYER}),
        }


def _authors(kept: TurnRecord) -> Mapping[int, str]:
    return {hand.robot: hand.program.by for hand in kept.hands if hand.program}


# --- Months -------------------------------------------------------------------------------------------------


PLAYERS_LISTED: Final = 50
"""The maximum number of players on the page of an award."""

LEADERS_SHOWN: Final = 3
"""The number of leaders to show for each award."""


class BoardLineView(TypedDict):
    """A player's line in an award."""

    place: Annotated[int, "Tied players share a place."]
    robo_name: str
    look: int | None
    value: float
    games: Annotated[int, "Number of rated games in the month. 0 if the player only tested prototypes."]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A player's line in an award. Tied players share a place."""

    place: int
    user_id: int
    robo_name: str
    look: int | None
    value: float
    games: int


def board(*, key: str, month: date, most: int = 4 * PLAYERS_LISTED) -> Iterator[BoardLine]:
    """Yield the leaders of an award in a month, best first, up to ``most`` players.

    Leaves out players with private statistics. Also leaves out players with fewer than `settings.AWARD_GAMES`
    games, unless the award has ``any_games``, and players with the value 0, unless the smallest value wins
    (``fewest``).
    """
    award = AWARDS[key]
    rows = PlayerMonth.objects.filter(
        month=month, user__shows_statistics=Audience.EVERYBODY, user__deleted_at=None
    )
    rows = rows.filter(award.takes_part(settings.AWARD_GAMES)).annotate(value=award.value)
    if not award.fewest:
        rows = rows.filter(value__gt=0)
    order = F("value").asc() if award.fewest else F("value").desc()
    place, before = 0, None
    found = rows.select_related("user").order_by(order, "-games", "user_id")
    for number, row in enumerate(found[:most], 1):
        mark = (row.value, row.games)
        if mark != before:
            place, before = number, mark
        yield BoardLine(place, row.user_id, row.user.robo_name, row.user.look, row.value, row.games)


def top(*, key: str, month: date, most: int = PLAYERS_LISTED) -> list[BoardLine]:
    """Return the leaders of an award in a month, best first."""
    return list(board(key=key, month=month, most=most))


def winners(*, key: str, month: date) -> list[BoardLine]:
    """Return the winners of an award in a month: all players in the first three places.

    Tied players share a place, so there can be more than three winners.
    """
    return [line for line in board(key=key, month=month) if line.place <= PLACES_AWARDED]


def closed_months() -> list[date]:
    """Return the months whose awards were made, newest first."""
    return list(MonthClose.objects.values_list("month", flat=True))


def awards_of_month(month: date) -> dict[str, list[Award]]:
    """Return the awards won in a month, best place first, by the key of the award.

    Returns an empty dict if the month's awards were not made yet.
    """
    found: dict[str, list[Award]] = {}
    awards = Award.objects.filter(close__month=month, user__deleted_at=None).select_related("user")
    for award in awards.order_by("place", "pk"):
        found.setdefault(award.key, []).append(award)
    return found


# --- Ranks --------------------------------------------------------------------------------------------------


class RankView(TypedDict):
    """A player's rank, and the points needed for the next rank."""

    key: str
    points: Annotated[int, "Points from all awards so far."]
    next: Annotated[str | None, "The next rank. Null at the highest rank."]
    missing: Annotated[int, "Points needed for the next rank."]


class WonAwardView(TypedDict):
    """An award won by a player."""

    key: str
    month: date
    place: int
    value: float


class FiguresView(TypedDict):
    """A player's figures in rated games among people, for a month or overall."""

    month: Annotated[date | None, "The first day of the month. Null for all time."]
    games: int
    figures: dict[str, int]


class PlayerAwardsView(TypedDict):
    """A player's rank, awards and monthly figures. The figures are null if they are private."""

    robo_name: str
    rank: RankView
    awards: list[WonAwardView]
    months: list[FiguresView] | None


def rank_of(*, user: User) -> RankView:
    places = Award.objects.filter(user=user, key__in=AWARDS).values_list("place", flat=True)
    points = sum(POINTS_BY_PLACE[place] for place in places)
    rank = rank_for(points)
    after = rank_after(rank)
    return {
        "key": rank.key,
        "points": points,
        "next": after.key if after else None,
        "missing": after.points - points if after else 0,
    }


def player_awards(*, viewer: Viewer, robo_name: str) -> PlayerAwardsView:
    """Return a player's rank, awards and monthly figures, newest first.

    The figures are None if the viewer may not see them. Raises NotFound for an unknown player.
    """
    person = player_named(robo_name)
    shown = Audiences(viewer=viewer, person=person).sees(person.shows_statistics)
    awards = Award.objects.filter(user=person, key__in=AWARDS).select_related("close")
    return {
        "robo_name": person.robo_name,
        "rank": rank_of(user=person),
        "awards": [
            {"key": each.key, "month": each.close.month, "place": each.place, "value": each.value}
            for each in awards.order_by("-close__month", "place", "key")
        ],
        "months": _months(person) if shown else None,
    }


def _months(person: User) -> list[FiguresView]:
    """Return a player's monthly figures: first the sum of all months, then each month, newest first."""
    rows = PlayerMonth.objects.filter(user=person)
    if not rows.exists():
        return []
    whole = rows.aggregate(**{name: Sum(name) for name in FIGURES})
    months = [
        {name: getattr(row, name) for name in FIGURES} | {"month": row.month}
        for row in rows.order_by("-month")
    ]
    return [_figures(None, whole), *(_figures(each["month"], each) for each in months)]


def _figures(month: date | None, sums: dict[str, int]) -> FiguresView:
    return {
        "month": month,
        "games": sums["games"],
        "figures": {name: sums[name] for name in FIGURES if name != "games"},
    }
