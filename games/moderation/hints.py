"""Hints that one person plays with several accounts: facts for moderators, without a score."""

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
"""The maximum number of similar accounts to list. Accounts with the same browser come first."""

MOST_TRACES: Final = 500
"""The maximum number of matching `Trace` rows to read, since many accounts may share a large network."""

LATEST_GAMES: Final = 200
"""The number of a player's latest games that are compared with other accounts' games."""

TOGETHER_WITHIN: Final = timedelta(minutes=10)
"""The maximum time between two players' entries into a game, if they count as entering it together."""


@dataclass(frozen=True, slots=True)
class SharedTraces:
    """The browsers and networks that two accounts share.

    ``browser`` says how recently both accounts used the same browser, or is None if they share none. For
    each shared browser, the earlier of the two accounts' last uses counts. If they share several browsers,
    the latest of these times counts. ``network`` is the same for networks. ``household`` says whether the two
    players have declared that they share a household.
    """

    browser: datetime | None
    network: datetime | None
    household: bool


@dataclass(frozen=True, slots=True)
class SimilarAccount:
    """An account that shares a browser or network with a player's account.

    ``common`` has the shared traces, and ``games`` the number of games that both accounts entered.
    ``together`` is the number of these games that they entered within `TOGETHER_WITHIN` of each other.
    ``rated`` is the record of their rated games against each other, or None if there are none.
    """

    user: User
    common: SharedTraces
    games: int
    together: int
    rated: Rival | None


@dataclass(frozen=True, slots=True)
class Aim:
    """Counts of the hits and pushes by one player's robot in a game.

    ``hits`` and ``pushes`` count those on the other player of a `Pair`. ``other_hits`` and ``other_pushes``
    count those on all other robots.
    """

    hits: int
    other_hits: int
    pushes: int
    other_pushes: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Hints about two players of a game.

    ``entered`` has the times when they entered the game, the earlier first. ``aims`` has the hits and pushes
    of ``one`` and then of ``other``. It is empty if the log of the game cannot be read.
    """

    one: str
    other: str
    common: SharedTraces
    entered: tuple[datetime, datetime]
    aims: tuple[Aim, ...]


def similar_accounts(person: User, *, viewer: User) -> list[SimilarAccount]:
    """Return the accounts that share a browser or network with a person.

    Accounts with the same browser come first. The viewer's own account is left out.
    """
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
        for other, common in zip(others, _shared_traces([(person.pk, each) for each in others]), strict=True)
    ]
    return sorted(found, key=lambda each: _weight(each.common), reverse=True)


def pairs_in(game: Game, *, viewer: User, of: User | None = None) -> list[Pair]:
    """Return hints about each pair of people in a game. Pairs that share a browser or network come first.

    Leaves out pairs with the viewer. If ``of`` is given, also leaves out pairs without that player.
    """
    seats = [seat for seat in game.players.select_related("user").order_by("number") if seat.user]
    every = combinations([seat for seat in seats if seat.user != viewer], 2)
    pairs = [pair for pair in every if of is None or of in (pair[0].user, pair[1].user)]
    common = _shared_traces([(one.user_id or 0, other.user_id or 0) for one, other in pairs])
    try:
        deeds = _hits_and_pushes(game) if pairs else {}
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
    """Return the games with two players who have recently used the same browser."""
    browsers = Trace.objects.filter(kind=BROWSER)
    another = browsers.filter(digest=OuterRef("digest"), user__seats__game=OuterRef(OuterRef("pk"))).exclude(
        user=OuterRef("user")
    )
    return Game.objects.filter(Exists(browsers.filter(Exists(another), user__seats__game=OuterRef("pk"))))


def _weight(common: SharedTraces) -> tuple[bool, bool, float]:
    """Return a sort key for shared traces: by browser, then by network, then by the latest time."""
    latest = max((at.timestamp() for at in (common.browser, common.network) if at), default=0.0)
    return common.browser is not None, common.network is not None, latest


def _shared_traces(pairs: Sequence[tuple[int, int]]) -> list[SharedTraces]:
    """Return the shared traces of each pair of people, in the order of the pairs.

    Each pair consists of two user IDs.
    """
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


def _hits_and_pushes(game: Game) -> Mapping[tuple[str, int], Counter[int]]:
    """Return how often each robot hit and pushed each other robot in a game.

    Each key is "hit" or "push" with the index of the acting robot. Each counter maps the index of an affected
    robot to the number of times.
    """
    deeds: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for _turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        index = {name: number for number, name in enumerate(played.names)}
        for event in played.events:
            if deed := _hit_or_push(event):
                kind, by, whom = deed
                if by in index and whom in index:
                    deeds[kind, index[by]][index[whom]] += 1
    return deeds


def _hit_or_push(event: Mapping[str, Any]) -> tuple[str, Any, Any] | None:
    """Return the kind of a hit or push, the acting robot and the robot affected, or None for other events."""
    if event["type"] == "shot" and not event["reflected"]:
        return "hit", event.get("robot"), event["hit"]
    if event["type"] == "move" and "pusher" in event:
        return "push", event["pusher"], event["robot"]
    return None


def _aim(deeds: Mapping[tuple[str, int], Counter[int]], one: Seat, other: Seat) -> Aim:
    hits, pushes = (deeds.get((kind, one.number - 1), Counter()) for kind in ("hit", "push"))
    at = other.number - 1
    return Aim(hits[at], hits.total() - hits[at], pushes[at], pushes.total() - pushes[at])
