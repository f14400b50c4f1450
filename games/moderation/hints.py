"""Hints of one person with several seats: facts for moderators, without a score."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Trace, User
from games.people.contacts import housemates_of
from games.play.models import Game, Seat, Turn
from games.play.stored import each_played
from games.standings.models import OVERALL
from games.standings.selectors.ratings import Rival, meetings_of

BROWSER, NETWORK = Trace.Kind

ACCOUNTS_LISTED: Final = 50
"""Number of similar accounts to list. Accounts with the same browser come first."""

MOST_TRACES: Final = 500
"""Number of other accounts' traces to read. A university may share one network."""

LATEST_GAMES: Final = 200
"""A player's latest games to compare."""

TOGETHER_WITHIN: Final = timedelta(minutes=10)
"""Longest time between two entries to count as together."""


@dataclass(frozen=True, slots=True)
class SharedTraces:
    """The shared traces of two accounts.

    ``browser`` and ``network`` are the last times when both used the same one, or None.
    """

    browser: datetime | None
    network: datetime | None
    household: bool


@dataclass(frozen=True, slots=True)
class SimilarAccount:
    """Another account with the same browser or network, and their shared ``games``.

    ``together`` counts the shared games that they entered within `TOGETHER_WITHIN`.
    """

    user: User
    common: SharedTraces
    games: int
    together: int
    rated: Rival | None


@dataclass(frozen=True, slots=True)
class Aim:
    """How often a robot hit and pushed one robot, and all others."""

    hits: int
    other_hits: int
    pushes: int
    other_pushes: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players of a game, and when they ``entered`` it, the earlier first.

    ``aims`` says how each fired at the other. It is empty if the log of the game cannot be read.
    """

    one: str
    other: str
    common: SharedTraces
    entered: tuple[datetime, datetime]
    aims: tuple[Aim, ...]


def similar_accounts(person: User, *, viewer: User) -> list[SimilarAccount]:
    """Return accounts with a browser or network of a person, except the viewer's."""
    digests = Trace.objects.filter(user=person).values("digest")
    alike = (
        Trace.objects.filter(digest__in=digests)
        .exclude(user__in=[person, viewer])
        .order_by("kind", "-last_at")
    )
    others = list(dict.fromkeys(alike.values_list("user", flat=True)[:MOST_TRACES]))[:ACCOUNTS_LISTED]
    latest = Seat.objects.filter(user=person).order_by("-game")[:LATEST_GAMES]
    entered = dict(latest.values_list("game", "joined_at"))
    seats = Seat.objects.filter(user__in=others, game__in=list(entered))
    shared: defaultdict[int | None, list[timedelta]] = defaultdict(list)
    for other, game, at in seats.values_list("user", "game", "joined_at"):
        shared[other].append(abs(at - entered[game]))
    users = User.objects.in_bulk(others)
    rated = {each.user: each for each in meetings_of(user=person, pool=OVERALL)}
    found = [
        SimilarAccount(
            user=users[other],
            common=common,
            games=len(shared[other]),
            together=sum(apart <= TOGETHER_WITHIN for apart in shared[other]),
            rated=rated.get(other),
        )
        for other, common in zip(others, _common([(person.pk, each) for each in others]), strict=True)
    ]
    return sorted(found, key=lambda each: _weight(each.common), reverse=True)


def pairs_in(game: Game, *, viewer: User, of: User | None = None) -> list[Pair]:
    """Return the pairs of people in a game, those with shared traces first.

    Leaves out the viewer, and pairs without the player ``of``, if given.
    """
    seats = [seat for seat in game.players.select_related("user").order_by("number") if seat.user]
    every = combinations([seat for seat in seats if seat.user != viewer], 2)
    pairs = [pair for pair in every if of is None or of in (pair[0].user, pair[1].user)]
    common = _common([(one.user_id or 0, other.user_id or 0) for one, other in pairs])
    try:
        deeds = _deeds(game) if pairs else {}
    except (LookupError, ValueError):
        deeds = None
    found = [
        Pair(
            one=one.robo_name,
            other=other.robo_name,
            common=each,
            entered=(min(one.joined_at, other.joined_at), max(one.joined_at, other.joined_at)),
            aims=() if deeds is None else (_aim(deeds, one, other), _aim(deeds, other, one)),
        )
        for (one, other), each in zip(pairs, common, strict=True)
    ]
    return sorted(found, key=lambda pair: _weight(pair.common), reverse=True)


def games_with_one_browser() -> QuerySet[Game]:
    """Return the games with two players in the same browser recently."""
    browsers = Trace.objects.filter(kind=BROWSER)
    another = browsers.filter(digest=OuterRef("digest"), user__seats__game=OuterRef(OuterRef("pk"))).exclude(
        user=OuterRef("user")
    )
    return Game.objects.filter(Exists(browsers.filter(Exists(another), user__seats__game=OuterRef("pk"))))


def _weight(common: SharedTraces) -> tuple[bool, bool, float]:
    """Return a sort key: a shared browser first, then a network, the latest first."""
    latest = max((at.timestamp() for at in (common.browser, common.network) if at), default=0.0)
    return common.browser is not None, common.network is not None, latest


def _common(pairs: Sequence[tuple[int, int]]) -> list[SharedTraces]:
    """Return the shared traces of each pair, in order."""
    people = {person for pair in pairs for person in pair}
    homes = housemates_of(people)
    seen: defaultdict[tuple[str, int], dict[str, datetime]] = defaultdict(dict)
    rows = Trace.objects.filter(user__in=people).values_list("kind", "user", "digest", "last_at")
    for kind, person, digest, at in rows:
        seen[kind, person][digest] = at

    def until(kind: str, one: int, other: int) -> datetime | None:
        ones, others = seen[kind, one], seen[kind, other]
        return max((min(ones[each], others[each]) for each in ones.keys() & others.keys()), default=None)

    return [SharedTraces(until(BROWSER, *pair), until(NETWORK, *pair), pair in homes) for pair in pairs]


def _deeds(game: Game) -> Mapping[tuple[str, int], Counter[int]]:
    """Return how often each robot hit and pushed each other robot, by their indices."""
    deeds: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for _turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        index = {name: number for number, name in enumerate(played.names)}
        for event in played.events:
            if deed := _deed(event):
                kind, by, whom = deed
                if by in index and whom in index:
                    deeds[kind, index[by]][index[whom]] += 1
    return deeds


def _deed(event: Mapping[str, Any]) -> tuple[str, Any, Any] | None:
    """Return the kind, author and target of a hit or push in an event, or None."""
    if event["type"] == "shot" and not event["reflected"]:
        return "hit", event.get("robot"), event["hit"]
    if event["type"] == "move" and "pusher" in event:
        return "push", event["pusher"], event["robot"]
    return None


def _aim(deeds: Mapping[tuple[str, int], Counter[int]], one: Seat, other: Seat) -> Aim:
    hits, pushes = (deeds.get((kind, one.number - 1), Counter()) for kind in ("hit", "push"))
    at = other.number - 1
    return Aim(hits[at], hits.total() - hits[at], pushes[at], pushes.total() - pushes[at])
