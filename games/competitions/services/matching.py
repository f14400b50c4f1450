"""Join and leave the queue, and match waiting players."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any, Final

from django.db import transaction
from django.db.models import (
    Case,
    Count,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)

import rules
from accounts.models import User
from games.absence.models import percents_of
from games.absence.seats import refuse_limited
from games.clubs.selectors import open_to
from games.competitions.matching import Match, Playable, Queue, Seeker, Wish
from games.competitions.models import Ticket
from games.competitions.selectors.matching import PACES, USUAL_PACE, seekers_of
from games.errors import ServiceError, refuse_guests
from games.fleet.models import Starship
from games.fleet.selectors import SHIPS_LISTED as EVERY, best_ships
from games.lobby.lists import SIZE_RANGES, by_pace, by_size
from games.lobby.seats import join_game
from games.lobby.services import place_game
from games.news.services import notify_about_game
from games.people.models import Block
from games.play.models import Game, Seat
from games.play.policy import STANDING, Absence
from games.play.terms import Terms
from games.standings.models import OVERALL, PlayerRating
from games.standings.ratings import NEWCOMER_POINTS
from games.work import jobs

# --- The queue ----------------------------------------------------------------------------------------------


MOST_HOURS: Final = 24 * 14
"""Longest wait for computers, in hours. A lobby waits no longer either."""

MOST_SPREAD: Final = 2000


def seek_game(*, user: User, wish: Mapping[str, Any], now: datetime) -> Ticket:
    """Join the queue. A waiting player keeps their place with a new wish.

    Raises Forbidden for guests and for players who may not start another game.
    """
    refuse_guests(user)
    with transaction.atomic():
        refuse_limited(user=user, now=now)
        ticket, _made = Ticket.objects.update_or_create(
            user=user, defaults=wish, create_defaults={**wish, "created_at": now}
        )
    return ticket


def stop_seeking(*, user: User) -> bool:
    """Leave the queue. Return whether the player was waiting."""
    return bool(Ticket.objects.filter(user=user).delete()[0])


# --- Matching -----------------------------------------------------------------------------------------------


TICKETS_PER_PASS: Final = 500
"""Maximum number of tickets in a pass: due for computers first, then the oldest."""

LOBBIES_TRIED: Final = 20

MISSED_TURNS_ALLOWED: Final = 2
"""Turns that players of a matched game may miss."""

SHIPS_TO_DRAW_FROM: Final = 5
"""Number of starships to draw from, the best ones."""


def match_tickets(*, now: datetime) -> int:
    """Find games for waiting players. Return how many players got one."""
    rows = _in_order(now)
    aside = jobs.rows_set_aside("matching", now=now)
    queue = _queue(rows.exclude(pk__in=aside)[:TICKETS_PER_PASS], now)

    def find(ticket_id: int) -> int:
        return match_ticket(ticket_id, queue=queue, now=now)

    return jobs.for_each_row("matching", rows, find, most=TICKETS_PER_PASS, now=now)


def match_ticket(ticket_id: int, *, queue: Queue | None = None, now: datetime) -> int:
    """Find a game for one waiting player. Return how many players got one.

    ``queue`` holds the waiting players. If a player's ticket has changed since the queue was read, they wait
    for the next pass.
    """
    queue = queue or _queue(_in_order(now)[:TICKETS_PER_PASS], now)
    held = list(_free().filter(pk=ticket_id))
    if not held:
        return 0
    (ticket,) = held
    (seeker,) = seekers_of(held)
    if _joins_lobby(ticket, seeker, now):
        queue.remove([seeker.user])
        return 1
    if queue.seeker(seeker.user) != seeker:
        return 0
    while found := queue.game_for(seeker.user):
        users = [each.user for each in found.seekers]
        tickets = {each.user_id: each for each in _free().filter(user__in=users).order_by("pk")}
        same = {each.user for each in seekers_of(tickets.values()) if each in found.seekers}
        if gone := set(users) - same:
            queue.remove(gone)
            continue
        if not _makes_game(found, [tickets[user].user for user in users], now):
            return 0
        Ticket.objects.filter(user__in=users).delete()
        queue.remove(users)
        return len(users)
    return 0


def _in_order(now: datetime) -> QuerySet[Ticket]:
    """Return the tickets in order: those due for computers first, then the oldest."""
    hours = F("computers_after") * Value(timedelta(hours=1), DurationField())
    due_at = ExpressionWrapper(F("created_at") + hours, DateTimeField())
    due = Case(When(due_at__lte=now, then=0), default=1, output_field=IntegerField())
    return Ticket.objects.alias(due_at=due_at).order_by(due, "created_at", "pk")


def _queue(tickets: Iterable[Ticket], now: datetime) -> Queue:
    return Queue(seekers_of(tickets), now=now, playable=_fleet())


def _free() -> QuerySet[Ticket]:
    """Return the tickets without a lock by another worker, and lock them when read."""
    return Ticket.objects.select_for_update(skip_locked=True, of=("self",)).select_related(
        "user__reliability"
    )


# Lobbies


def _joins_lobby(ticket: Ticket, seeker: Seeker, now: datetime) -> bool:
    """Seat a player in the lobby that has waited longest. Return whether one fits."""
    for game in _lobbies(seeker.wish, ticket.user)[:LOBBIES_TRIED]:
        if not _welcome(game, seeker, now):
            continue
        if seeker.computers_after is not None and not _starts_with_one_more(game):
            continue  # a lobby may wait longer than the player does
        try:
            with transaction.atomic():
                joined = join_game(user=ticket.user, game_id=game.pk, placed=True, now=now)
        except ServiceError:
            continue  # it is full now, or for more reliable players
        ticket.delete()
        if joined.status == Game.Status.OPEN:
            notify_about_game(users=[ticket.user], kind="matched", game=joined, now=now)
        return True
    return False


def _starts_with_one_more(game: Game) -> bool:
    """Return whether a lobby starts as soon as one more player sits down."""
    seats = list(game.players.all())
    return game.starts_itself and len(seats) == game.seats - 1 and all(seat.ready for seat in seats)


def _lobbies(wish: Wish, user: User) -> QuerySet[Game]:
    games = Game.objects.filter(
        status=Game.Status.OPEN, private=False, mission=None, revision__prototype=False
    ).exclude(players__user=user)
    games = games.filter(open_to(user))
    numbers = Q(seats__range=(wish.least, wish.most))
    games = games.annotate(taken=Count("players")).filter(numbers, taken__lt=F("seats"))
    if wish.ruleset:
        games = games.filter(ruleset=wish.ruleset)
    games = by_pace(games, wish.pace) if wish.pace else games.filter(_limited())
    if wish.size:
        games = by_size(games, wish.size)
    return games.order_by("created_at", "pk")


def _limited() -> Q:
    """Return a filter for games with a deadline that are not live."""
    return Q(pace__hours__gte=1) | Q(pace__bank__gte=1)


def _welcome(game: Game, seeker: Seeker, now: datetime) -> bool:
    """Return whether a player may meet everyone in a lobby. It must have no computers."""
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


# Games


def _makes_game(found: Match, players: list[User], now: datetime) -> bool:
    """Create a game for matched players. Return whether there is a starship for it."""
    chance = Random(f"{found.seekers[0].user} {now:%Y-%m-%d %H:%M}")
    ships = _ships(found.ruleset, found.wish.size, found.seats)
    if not ships:
        return False
    ship = chance.choice(ships[:SHIPS_TO_DRAW_FROM])
    least_reliability = max(each.least_reliability for each in found.seekers)
    terms = Terms(
        name=ship.name,
        ruleset=found.ruleset,
        starship=ship.pk,
        seats=found.seats,
        computers=[Seat.Level.PILOT.value] * found.computers,
        pace=PACES[found.wish.pace or USUAL_PACE],
        absence=Absence(STANDING, MISSED_TURNS_ALLOWED),
        least_reliability=least_reliability,
    )
    # At most one of them is less reliable than the game requires. A host need not be reliable.
    percents = {each.user: each.reliability for each in found.seekers}
    place_game(
        players=sorted(players, key=lambda player: percents[player.pk] >= least_reliability),
        terms=terms,
        now=now,
    )
    return True


def _fleet() -> Playable:
    """Return a cached function for whether there is a starship for a game."""
    return cache(lambda ruleset, size, seats: bool(_ships(ruleset, size, seats)))


def _ships(ruleset: str, size: str, seats: int) -> list[Starship]:
    """Return the fleet's starships for a game, best first."""
    best = best_ships(ruleset=rules.RULESETS[ruleset], robots=seats, most=EVERY)
    return [ship for ship in best if _has_size(ship, size)]


def _has_size(ship: Starship, size: str) -> bool:
    if not size:
        return True
    assert ship.current
    least, most = SIZE_RANGES[size]
    side = max(ship.current.width, ship.current.height)
    return least <= side and (most is None or side <= most)
