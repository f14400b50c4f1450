"""Players' profiles (their seats, games, results and ratings), and the search for players."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict, cast

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    When,
)
from django.db.models.functions import Lower
from django.utils import timezone

import rules
from accounts.models import Audience, User
from accounts.robo_names import MAX_LENGTH
from games.absence.reliability import ReliabilityView, reliability_view
from games.absence.selectors import played_by
from games.analysis.selectors import AccuracyView, accuracy_of
from games.errors import Shape, player_named, view_of_row
from games.people.selectors.records import (
    PROTOTYPES_TESTED,
    AchievementView,
    ShownNumbersView,
    achievements_of,
    shown_numbers,
)
from games.play.models import Game, Seat
from games.play.selectors import COMPUTERS, PEOPLE, WON, class_of, class_of_seat, tested_prototypes
from games.play.viewers import Audiences, Viewer
from games.standings.models import OVERALL
from games.standings.selectors.ratings import (
    PlayerRatingView,
    Rival,
    Rivals,
    Step,
    ratings_of,
    rivals_of,
    steps_of,
)
from rules.statistics import COUNTERS

Sums = Annotated[
    dict[str, dict[str, int]],
    Shape(
        {
            "type": "object",
            "description": "The total and the best single game for each counter.",
            "properties": {
                counter: {
                    "type": "object",
                    "properties": {"sum": {"type": "integer"}, "best": {"type": "integer"}},
                }
                for counter in COUNTERS
            },
        }
    ),
]


class PlayedSeatView(TypedDict):
    """A seat of a game on a player's page, with the seat's player."""

    seat: int
    name: str
    computer: str | None
    companion: Annotated[bool, "Whether it is for a person without an account, at the host's screen."]
    look: int
    place: int | None


class PlayedGameView(TypedDict):
    """A game on a player's page."""

    id: int
    name: str
    ruleset: str
    board: str
    prototype: Annotated[int | None, "The version of the prototype, if the game is on one."]
    status: str
    private: bool
    counts_as: Annotated[str, "`people`, `computers`, `solo`, `prototype`, `test` or `played-on`."]
    turn: int | None
    started_at: datetime | None
    ended_at: datetime | None
    seats: list[PlayedSeatView]
    seat: Annotated[int, "The person's."]
    place: int | None
    won: bool
    winner: str | None


class RulesetResultsView(TypedDict):
    """A player's results in one ruleset: games, wins, and how often the player took each place."""

    ruleset: Annotated[str, tuple(rules.RULESETS)]
    games: int
    won: int
    places: dict[int, int]


class SumsView(TypedDict):
    """A player's results and counters in all games of one class: among people, or with computers."""

    games: int
    over: int
    won: int
    counters: Sums
    rulesets: list[RulesetResultsView]


class PersonStatisticsView(TypedDict):
    """A player's statistics in games among people, and in games with computers."""

    people: SumsView
    computers: SumsView


class PersonView(TypedDict):
    """A player's page. Parts that you may not see are null."""

    robo_name: str
    look: Annotated[int | None, "Their favourite robot, 1 to 8."]
    since: datetime
    mine: Annotated[bool, "Whether this is you."]
    reliability: ReliabilityView
    ratings: Annotated[list[PlayerRatingView], "The rating for all rulesets comes first."]
    games: Annotated[list[PlayedGameView] | None, "Running games."]
    history: Annotated[list[PlayedGameView] | None, "Games that are over, latest first."]
    history_next: Annotated[int | None, "The `start` of the next page."]
    numbers: ShownNumbersView | None
    statistics: PersonStatisticsView | None
    achievements: list[AchievementView] | None
    accuracy: Annotated[AccuracyView | None, "In analysed games; also null without such a game."]


GAMES_PER_PAGE = 20
"""The maximum number of games in one part of a player's history of ended games."""


def person_page(*, viewer: Viewer, robo_name: str, start: int = 0) -> PersonView:
    """Return a player's page. Parts that the viewer may not see are None.

    ``games`` are running games. ``history`` lists games that are over, latest first, without the first
    ``start`` games. ``history_next`` is the ``start`` for the next games, or None if there are no more.
    Private games appear only to people who may see them, and sums only include visible games. Raises
    NotFound for an unknown name.
    """
    person = player_named(robo_name, among=User.objects.players().select_related("reliability"))
    audiences = Audiences(viewer=viewer, person=person)
    document: PersonView = {
        "robo_name": person.robo_name,
        "look": person.look,
        "since": person.date_joined,
        "mine": audiences.is_own_profile,
        "reliability": reliability_view(person),
        "ratings": ratings_of(user=person, now=timezone.now()),
        "games": None,
        "history": None,
        "history_next": None,
        "numbers": None,
        "statistics": None,
        "achievements": None,
        "accuracy": None,
    }
    if audiences.sees(person.shows_games):
        document["games"] = [
            _row(seat, person) for seat in _seats(audiences, Game.Status.RUNNING, "-game__moved_at")
        ]
    if audiences.sees(person.shows_history):
        document["history"], document["history_next"] = _history(audiences, max(0, start))
    if audiences.sees(person.shows_accuracy):
        document["accuracy"] = accuracy_of(user=person, games=audiences.games())
    shows_statistics = audiences.sees(person.shows_statistics)
    shows_achievements = audiences.sees(person.shows_achievements)
    if shows_statistics or shows_achievements:
        sums = _sums(audiences)
        tested = len(tested_prototypes(person=person.pk, games=audiences.games()))
        if shows_statistics:
            document["numbers"] = shown_numbers(audiences, tested=tested)
            document["statistics"] = _statistics(audiences, sums)
        if shows_achievements:
            totals = {counter: sum(each[counter] for each in sums.values()) for counter in COUNTERS}
            document["achievements"] = achievements_of(
                audiences, totals={**totals, PROTOTYPES_TESTED: tested}
            )
    return document


# Games


def _seats(audiences: Audiences, status: str, order: str) -> QuerySet[Seat]:
    """Return a person's seats in games with a given status, each with its game and all seats of the game.

    For games that are over, the seats that the person gave up are included, because these games count as
    lost.
    """
    own = played_by(audiences.person) if status == Game.Status.OVER else Q(user=audiences.person)
    players = Prefetch("game__players", queryset=Seat.objects.select_related("user").order_by("number"))
    return (
        Seat.objects.filter(own, game__in=audiences.games(), game__status=status)
        .select_related("user", "game__revision__starship", "game__course")
        .defer("game__revision__document", "game__course__document")
        .prefetch_related(players)
        .order_by(order, "-game__pk")
    )


def _history(audiences: Audiences, start: int) -> tuple[list[PlayedGameView], int | None]:
    seats = list(_seats(audiences, Game.Status.OVER, "-game__ended_at")[start : start + GAMES_PER_PAGE + 1])
    rows = [_row(seat, audiences.person) for seat in seats[:GAMES_PER_PAGE]]
    return rows, start + GAMES_PER_PAGE if len(seats) > GAMES_PER_PAGE else None


def _row(seat: Seat, person: User) -> PlayedGameView:
    game, kept = seat.game, seat.user_id == person.pk
    players = list(game.players.all())
    return view_of_row(
        PlayedGameView,
        game,
        board=game.board_name,
        prototype=game.prototype_version,
        counts_as=class_of(game, players),
        seats=[
            view_of_row(
                PlayedSeatView,
                other,
                seat=other.number,
                name=other.robo_name,
                computer=other.computer or None,
                companion=other.is_companion,
            )
            for other in players
        ],
        seat=seat.number,
        place=seat.place if kept else None,
        won=kept and game.winner != "" and game.winner == (seat.squad or seat.robo_name),
        winner=game.winner or None,
    )


# Statistics


def _classed(audiences: Audiences, mine: Q) -> QuerySet[Any, Any]:
    """Return the seats that match ``mine`` in started games, annotated with the class of their game.

    `class_of_seat` tells the classes apart, such as games among people and games with computers.
    """
    seats = Seat.objects.filter(mine, game__in=audiences.games(), game__started_at__isnull=False)
    return seats.annotate(kind=class_of_seat()).order_by()


def _sums(audiences: Audiences) -> dict[str, dict[str, int]]:
    """Return a person's totals for each class of games, such as games with computers.

    The totals are the number of games, and the sum and the highest value of each counter. In seats with
    several players, only the person's own turns count.
    """
    alone = _summed(audiences, Q(user=audiences.person, shared=False), "tally")
    shared = _summed(audiences, Q(shares__user=audiences.person), "shares")
    found: dict[str, dict[str, int]] = {}
    for row in alone.union(shared, all=True):
        before = found.setdefault(row.pop("kind"), {})
        for key, value in row.items():
            joined = max if key.startswith("best_") else int.__add__
            before[key] = joined(before.get(key, 0), value)
    return found


def _summed(audiences: Audiences, mine: Q, path: str) -> QuerySet[Any, Any]:
    sums = {counter: Sum(f"{path}__{counter}", default=0) for counter in COUNTERS}
    best = {f"best_{counter}": Max(f"{path}__{counter}", default=0) for counter in COUNTERS}
    seats = _classed(audiences, mine).values("kind")
    rows: QuerySet[Any, Any] = seats.annotate(games=Count("pk"), **sums, **best)
    return rows


def _statistics(audiences: Audiences, sums: dict[str, dict[str, int]]) -> PersonStatisticsView:
    """Return sums, best single games and results by ruleset, for games with people and with computers."""
    results = _results(audiences)
    document: Any = {}
    for kind in (PEOPLE, COMPUTERS):
        found = sums.get(kind, {})
        records = list(results.get(kind, {}).values())
        document[kind] = {
            "games": found.get("games", 0),
            "over": sum(record["games"] for record in records),
            "won": sum(record["won"] for record in records),
            "counters": {
                counter: {"sum": found.get(counter, 0), "best": found.get(f"best_{counter}", 0)}
                for counter in COUNTERS
            },
            "rulesets": records,
        }
    return cast("PersonStatisticsView", document)


def _results(audiences: Audiences) -> dict[str, dict[str, RulesetResultsView]]:
    """Return a person's results by class of game and ruleset: numbers of games, wins and places.

    Only games that are over count. A game counts as lost if the person gave up the seat.
    """
    person = audiences.person
    won = WON & Q(user=person)
    rows = (
        _classed(audiences, played_by(person))
        .filter(game__status=Game.Status.OVER)
        .annotate(won=Case(When(won, then=True), default=False, output_field=BooleanField()))
        .annotate(took=Case(When(user=person, then=F("place"))))
        .values("kind", "game__ruleset", "took", "won")
        .annotate(times=Count("pk"))
        .order_by("game__ruleset", "took")
    )
    results: dict[str, dict[str, RulesetResultsView]] = {}
    for row in rows:
        ruleset, times = row["game__ruleset"], row["times"]
        record = results.setdefault(row["kind"], {}).setdefault(
            ruleset, {"ruleset": ruleset, "games": 0, "won": 0, "places": {}}
        )
        record["games"] += times
        record["won"] += times if row["won"] else 0
        if row["took"] is not None:
            record["places"][row["took"]] = record["places"].get(row["took"], 0) + times
    return results


# --- Ratings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedRival:
    robo_name: str
    look: int | None
    rival: Rival


@dataclass(frozen=True, slots=True)
class PersonRatings:
    """A player's ratings, and the history of one of them.

    ``rating`` is the chosen rating, or None if the player has no such rating. ``steps`` is its history, or
    None if the player hides it. ``games`` has the names of the visible games by ID. ``best`` and
    ``worst`` have the opponents against whom the player has the best and the worst results.
    """

    person: User
    mine: bool
    ratings: list[PlayerRatingView]
    rating: PlayerRatingView | None
    steps: list[Step] | None
    games: dict[int, str]
    best: list[NamedRival]
    worst: list[NamedRival]


class RatingStepView(TypedDict):
    """The effect of one game on a player's rating."""

    game: Annotated[int | None, "Null if you may not see the game, or it no longer exists."]
    at: datetime
    rank: Annotated[int, "Their place for the rating."]
    rating: Annotated[int, "The rating after the game."]
    change: int


class RivalView(TypedDict):
    """An opponent, and how many games the player finished ahead of, level with or behind them."""

    robo_name: str
    look: int | None
    ahead: int
    level: int
    behind: int


class PersonRatingsView(TypedDict):
    """A player's ratings, and the history of one of them. The history is null if the player hides it."""

    robo_name: str
    ratings: list[PlayerRatingView]
    ruleset: Annotated[str | None, "The ruleset of the fields below; null for all rulesets."]
    history: Annotated[list[RatingStepView] | None, "Oldest first."]
    best: Annotated[list[RivalView] | None, "Their best results against opponents."]
    worst: Annotated[list[RivalView] | None, "Their worst results against opponents."]


def person_ratings(*, viewer: Viewer, robo_name: str, pool: str, now: datetime) -> PersonRatings:
    """Return a player's ratings, and the history of the rating in one pool.

    ``pool`` is a ruleset or `OVERALL`. Raises NotFound for an unknown name.
    """
    person = player_named(robo_name)
    audiences = Audiences(viewer=viewer, person=person)
    every = ratings_of(user=person, now=now)
    asked = None if pool == OVERALL else pool
    rating = next((each for each in every if each["ruleset"] == asked), None)
    if not audiences.sees(person.shows_statistics):
        return PersonRatings(person, audiences.is_own_profile, every, rating, None, {}, [], [])
    steps = steps_of(user=person, pool=pool)
    games = audiences.games().filter(pk__in=[step.game for step in steps])
    rivals = rivals_of(user=person, pool=pool)
    best, worst = _named(rivals)
    names = dict(games.values_list("pk", "name"))
    return PersonRatings(person, audiences.is_own_profile, every, rating, steps, names, best, worst)


def ratings_view(found: PersonRatings, *, pool: str) -> PersonRatingsView:
    """Return a player's ratings, as the API shows them."""
    hidden = found.steps is None
    return {
        "robo_name": found.person.robo_name,
        "ratings": found.ratings,
        "ruleset": None if pool == OVERALL else pool,
        "history": None if found.steps is None else [_step(step, found.games) for step in found.steps],
        "best": None if hidden else [_rival(each) for each in found.best],
        "worst": None if hidden else [_rival(each) for each in found.worst],
    }


def _step(step: Step, games: dict[int, str]) -> RatingStepView:
    return {
        "game": step.game if step.game in games else None,
        "at": step.at,
        "rank": step.rank,
        "rating": step.rating,
        "change": step.change,
    }


def _rival(each: NamedRival) -> RivalView:
    rival = each.rival
    return {
        "robo_name": each.robo_name,
        "look": each.look,
        "ahead": rival.ahead,
        "level": rival.level,
        "behind": rival.behind,
    }


def _named(rivals: Rivals) -> tuple[list[NamedRival], list[NamedRival]]:
    people = User.objects.in_bulk({rival.user for rival in (*rivals.best, *rivals.worst)})
    best, worst = (
        [NamedRival(people[rival.user].robo_name, people[rival.user].look, rival) for rival in each]
        for each in (rivals.best, rivals.worst)
    )
    return best, worst


# --- Finding players ----------------------------------------------------------------------------------------


PLAYERS_LISTED: Final = 100
"""The maximum number of players that a search finds."""

LONGEST_SEARCH: Final = 4 * MAX_LENGTH
"""The maximum length of a search text, in characters. Normalising many accents takes quadratic time."""

NAME = re.compile(rf"[a-z0-9_-]{{1,{MAX_LENGTH}}}")
"""A pattern for the start of a Robo Name in lower case."""


def find_players(*, viewer: Viewer, beginning: str) -> QuerySet[User]:
    """Find players by the start of their Robo Name, sorted by name.

    Finds only players who let the viewer find them. The search ignores case, and ignores accents
    because Robo Names have none.
    """
    beginning = _without_accents(beginning) if len(beginning) <= LONGEST_SEARCH else ""
    if not NAME.fullmatch(beginning):
        return User.objects.none()
    found = User.objects.players().filter(_lets_find(viewer)).annotate(small=Lower("robo_name"))
    return found.filter(small__startswith=beginning).order_by("small")[:PLAYERS_LISTED]


def _lets_find(viewer: Viewer) -> Q:
    everybody = Q(shows_name=Audience.EVERYBODY)
    if not isinstance(viewer, User):
        return everybody
    together = Seat.objects.filter(
        user=OuterRef("pk"), game__started_at__isnull=False, game__players__user=viewer
    )
    return everybody | Q(pk=viewer.pk) | Q(shows_name=Audience.PLAYERS) & Q(Exists(together))


def _without_accents(text: str) -> str:
    """Return a text in lower case and without accents.

    >>> _without_accents("Zoë")
    'zoe'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).lower()
