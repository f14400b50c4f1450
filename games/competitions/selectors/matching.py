"""The queue of players who wait for a game: their tickets, wishes and limits."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games.absence.models import percents_of
from games.absence.seats import refuse_limited
from games.clocks.clock import Live, Pace, PerTurn
from games.clocks.selectors import planned_on
from games.clubs.selectors import open_to
from games.competitions.matching import ANY, Seeker, Wish
from games.competitions.models import Ticket, Wait
from games.errors import Forbidden, view_of_row
from games.lobby.lists import ListedGame, by_pace, by_size, games_to_join
from games.people.contacts import housemates_of
from games.people.models import Block
from games.play.models import Game
from games.standings.models import OVERALL, PlayerRating
from games.standings.ratings import NEWCOMER_POINTS

PACES: Final[dict[str, Pace]] = {"live": Live(5), "fast": PerTurn(4), "day": PerTurn(24), "slow": PerTurn(48)}
"""The paces of matched games, by their keys in `games.lobby.lists.PACES`."""

USUAL_PACE: Final = "day"
"""The default pace of a matched game."""


LOBBIES_TRIED: Final = 20

LOBBIES_SHOWN: Final = 3

TICKETS_COMPARED: Final = 500
"""The maximum number of waiting players to compare with a player's wish."""


WISH_FIELDS: Final = (
    *("ruleset", "pace", "size", "least", "most"),
    *("spread", "least_reliability", "computers_after"),
)
"""The fields of a `Ticket` that describe the player's wish."""


class TicketView(TypedDict):
    """Your preferences for a game."""

    ruleset: Annotated[str, "Empty for any ruleset."]
    pace: Annotated[str, (*PACES, ""), "Empty for any pace except `live`."]
    size: Annotated[str, "`small`, `medium` or `large`. Empty for any size."]
    least: Annotated[int, "Minimum number of players."]
    most: Annotated[int, "Maximum number of players."]
    spread: Annotated[
        int | None, "Maximum difference in rating. Null for a limit that only widens while you wait."
    ]
    least_reliability: Annotated[int, "Minimum reliability of other players, in percent. 0 for any."]
    computers_after: Annotated[int | None, "Hours until computers fill empty seats. Null for never."]
    created_at: datetime


def ticket_of(*, user: User) -> Ticket | None:
    """Return a player's ticket, or None if they are not waiting."""
    return Ticket.waiting.filter(user=user).first()


def last_wish_of(*, user: User) -> dict[str, Any]:
    """Return the wish of a player's latest search, or an empty one."""
    wish: dict[str, Any] | None = Ticket.objects.filter(user=user).values(*WISH_FIELDS).first()
    return wish or {}


def ticket_view(ticket: Ticket) -> TicketView:
    return view_of_row(TicketView, ticket)


def why_no_game(*, user: User, now: datetime) -> str:
    """Return the reason if a waiting player gets no game for now, as a sentence, or an empty string."""
    try:
        refuse_limited(user=user, lock=False, now=now)
    except Forbidden as refusal:
        return refusal.detail
    if planned_on(user=user, now=now):
        return gettext("You are on vacation. We look for a game when you are back.")
    return ""


def seekers_of(tickets: Iterable[Ticket]) -> list[Seeker]:
    """Convert tickets to waiting players (`Seeker`), in the same order."""
    every = list(tickets)
    people = [ticket.user_id for ticket in every]
    pools = {OVERALL, *(ticket.ruleset for ticket in every)}
    rows = PlayerRating.objects.filter(user__in=people, pool__in=pools).select_related("pool")
    ratings = {(row.user_id, row.pool_id): row.points for row in rows}
    percents = percents_of(ticket.user for ticket in every)
    shuns: dict[int, set[int]] = {}
    for user, blocked in Block.objects.filter(user__in=people).values_list("user", "blocked"):
        shuns.setdefault(user, set()).add(blocked)
    for one, other in housemates_of(people):
        shuns.setdefault(one, set()).add(other)
    return [
        Seeker(
            user=ticket.user_id,
            wish=wish_of(ticket),
            since=since,
            rating=ratings.get((ticket.user_id, ticket.ruleset or OVERALL), NEWCOMER_POINTS),
            reliability=percents[ticket.user_id],
            spread=ticket.spread,
            least_reliability=ticket.least_reliability,
            computers_after=None
            if ticket.computers_after is None
            else timedelta(hours=ticket.computers_after),
            shuns=frozenset(shuns.get(ticket.user_id, ())),
        )
        for ticket in every
        if (since := ticket.created_at)
    ]


def wish_of(ticket: Ticket) -> Wish:
    names: dict[str, Any] = {name: getattr(ticket, name) or ANY for name in ("ruleset", "pace", "size")}
    return Wish(**names, least=ticket.least, most=ticket.most)


# --- Open games ---------------------------------------------------------------------------------------------


def fitting_lobbies(seeker: Seeker, user: User, *, now: datetime) -> Iterator[Game]:
    """Yield the open games that suit a player, the oldest first. Tries at most `LOBBIES_TRIED` games."""
    for game in _lobbies(seeker.wish, user)[:LOBBIES_TRIED]:
        if _may_join(game, seeker, now):
            yield game


def still_fits(game: Game, seeker: Seeker, user: User, *, now: datetime) -> bool:
    """Return whether an open game, whose row is locked, still suits a player."""
    return any(_may_join(each, seeker, now) for each in _lobbies(seeker.wish, user).filter(pk=game.pk))


def _lobbies(wish: Wish, user: User) -> QuerySet[Game]:
    games = Game.objects.filter(
        status=Game.Status.OPEN, private=False, mission=None, revision__prototype=False
    ).exclude(players__user=user)
    games = games.filter(open_to(user))
    numbers = Q(seats__range=(wish.least, wish.most))
    games = games.annotate(taken=Count("players")).filter(numbers, taken__lt=F("seats"))
    if wish.ruleset:
        games = games.filter(ruleset=wish.ruleset)
    games = by_pace(games, wish.pace) if wish.pace else games.filter(_has_deadline())
    if wish.size:
        games = by_size(games, wish.size)
    return games.order_by("created_at", "pk")


def _has_deadline() -> Q:
    """Return a query condition for games that have deadlines and are not live."""
    return Q(pace__hours__gte=1) | Q(pace__bank__gte=1)


def _may_join(game: Game, seeker: Seeker, now: datetime) -> bool:
    """Return whether a player can be matched with all players of an open game. False if it has computers."""
    seats = list(game.players.select_related("user__reliability"))
    if any(seat.computer for seat in seats):
        return False
    percents = percents_of(seat.user for seat in seats if seat.user)
    if any(percent < seeker.least_reliability for percent in percents.values()):
        return False
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    shunned_by = Block.objects.filter(user__in=people, blocked=seeker.user)
    if not seeker.shuns.isdisjoint(people) or shunned_by.exists():
        return False
    pool = seeker.wish.ruleset or OVERALL
    rows = PlayerRating.objects.filter(user__in=people, pool=pool).select_related("pool")
    known = {row.user_id: row.points for row in rows}
    window = seeker.window(now)
    return all(abs(known.get(person, NEWCOMER_POINTS) - seeker.rating) <= window for person in people)


# --- The page -----------------------------------------------------------------------------------------------


WAIT_AGE: Final = timedelta(days=30)
"""The maximum age of waits that count for the usual wait."""

WAITS_COMPARED: Final = 20
"""The maximum number of waits that count for the usual wait, the latest ones."""

WAITS_NEEDED: Final = 5
"""The minimum number of waits for a usual wait. With fewer, it would tell how long one player waited."""


def usual_wait(wish: Mapping[str, Any], *, now: datetime) -> int | None:
    """Return how long players with a wish usually wait for other players, in seconds, or None if unknown.

    This is the median of the latest waits for the same pace, or for any pace if there are too few. A wait
    that computers ended counts as longer than all others. If computers come sooner, there is no usual wait.
    """
    lately = Wait.objects.filter(at__range=(now - WAIT_AGE, now))
    for waits in (lately.filter(pace=wish["pace"]), lately):
        latest = list(waits.order_by("-at", "-pk").values_list("computers", "seconds")[:WAITS_COMPARED])
        if len(latest) >= WAITS_NEEDED:
            computers, seconds = sorted(latest)[len(latest) // 2]
            hours = wish["computers_after"]
            sooner = hours is not None and seconds >= hours * 3600
            return None if computers or sooner else max(1, seconds)
    return None


@dataclass(frozen=True, slots=True)
class Search:
    """The search of a waiting player.

    ``others`` is the number of other waiting players, ``usual`` the usual wait in seconds, and
    ``computers_at`` the time from which computers take open seats. These are None if there are none.
    ``halted`` is the reason if the player gets no game for now.
    """

    since: datetime
    others: int
    usual: int | None
    computers_at: datetime | None
    computers_due: bool
    halted: str


def search_of(*, user: User, now: datetime) -> Search | None:
    """Return a player's search, or None if they are not waiting."""
    ticket = ticket_of(user=user)
    if ticket is None:
        return None
    assert ticket.created_at
    hours = ticket.computers_after
    computers_at = None if hours is None else ticket.created_at + timedelta(hours=hours)
    return Search(
        since=ticket.created_at,
        others=Ticket.waiting.exclude(user=user).count(),
        usual=usual_wait(ticket_view(ticket), now=now),
        computers_at=computers_at,
        computers_due=computers_at is not None and computers_at <= now,
        halted=why_no_game(user=user, now=now),
    )


@dataclass(frozen=True, slots=True)
class Chances:
    """A player's chances of a game: other waiting players, matches among them, and fitting open games.

    ``more`` says whether more open games fit than these ``games``. If none fits, ``instead`` has the latest
    open games that the player can join by hand.
    """

    others: int
    matches: int
    games: list[ListedGame]
    more: bool
    instead: list[ListedGame]


def chances_of(ticket: Ticket, *, now: datetime) -> Chances:
    """Return the chances of a ticket. It may be unsaved, if the player is not waiting yet."""
    user = ticket.user
    tickets = Ticket.waiting.exclude(user=user).select_related("user__reliability")
    me, *others = seekers_of([ticket, *tickets[:TICKETS_COMPARED]])
    matches = [
        each
        for each in others
        if me.wish.agrees(each.wish) and me.wish.joined(each.wish).numbers and me.plays_with(each, now)
    ]
    found = [game.pk for game in islice(fitting_lobbies(me, user, now=now), LOBBIES_SHOWN + 1)]
    games = list(games_to_join(viewer=user).filter(pk__in=found)) if found else []
    return Chances(
        others=tickets.count(),
        matches=len(matches),
        games=games[:LOBBIES_SHOWN],
        more=len(games) > LOBBIES_SHOWN,
        instead=[] if games else _other_lobbies(me, user),
    )


def _other_lobbies(seeker: Seeker, user: User) -> list[ListedGame]:
    """Return the latest open games for a player with any wish, without people they shun."""
    shunned_by = Block.objects.filter(blocked=user).values("user")
    reliable = Q(least_reliability__lte=seeker.reliability)
    games = games_to_join(viewer=user).filter(reliable).exclude(players__user__in=seeker.shuns)
    return list(games.exclude(players__user__in=shunned_by)[:LOBBIES_SHOWN])
