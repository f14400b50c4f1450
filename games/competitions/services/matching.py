"""Join and leave the queue for a game, and match waiting players."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import (
    Case,
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
from games.absence.seats import refuse_limited
from games.competitions.matching import Match, Playable, Queue, Seeker
from games.competitions.models import Ticket, Wait
from games.competitions.selectors.matching import (
    PACES,
    USUAL_PACE,
    WAIT_AGE,
    fitting_lobbies,
    seekers_of,
    still_fits,
    why_no_game,
)
from games.errors import ServiceError, refuse_guests
from games.fleet.models import Starship
from games.fleet.selectors import SHIPS_LISTED as EVERY, best_ships
from games.lobby.lists import SIZE_RANGES
from games.lobby.seats import join_game
from games.lobby.services import place_game
from games.news.services import notify_about_game
from games.play.models import Game, Seat
from games.play.policy import STANDING, Absence
from games.play.services import locked_game
from games.play.terms import Terms
from games.work import jobs
from roborunner import faults

# --- The queue ----------------------------------------------------------------------------------------------


MOST_HOURS: Final = 24 * 14
"""The longest wait that a player can choose before computers fill the free seats, in hours."""

MOST_SPREAD: Final = 2000


DOUBLE_PRESS: Final = timedelta(seconds=10)
"""The time within which a repeated request for a game returns the game that the player just got."""


def find_game(*, user: User, wish: Mapping[str, Any], change: bool = False, now: datetime) -> Game | None:
    """Look for a game, and return it if one is found at once. If none is found, the player waits for one.

    ``change`` changes the wish of a waiting player. It does nothing if they are not waiting any more. A
    player who presses twice gets one game. Raises the errors of `seek_game`.
    """
    refuse_guests(user)
    with transaction.atomic():
        _lock_matching()
        if not Ticket.waiting.filter(user=user).exists():
            if game := _just_found(user, now):
                return game
            if change:
                return None
        ticket = seek_game(user=user, wish=wish, now=now)
        try:
            with transaction.atomic():
                found = match_ticket(ticket.pk, now=now)
        except Exception as error:  # the player waits, and the sweeper tries again
            if not faults.is_temporary(error):
                jobs.set_aside(JOB, kind="ticket", row=ticket.pk, error=error, now=now)
            return None
    return found.game if found else None


def seek_game(*, user: User, wish: Mapping[str, Any], now: datetime) -> Ticket:
    """Join the queue for a game. If the player is already waiting, change their wish and keep their place.

    Raises Forbidden for guests and for players who may not start another game.
    """
    refuse_guests(user)
    with transaction.atomic():
        # Rows of games are locked before rows of people, and the search may lock a game next.
        refuse_limited(user=user, lock=False, now=now)
        first = {**wish, "created_at": now}
        ticket, made = Ticket.objects.select_for_update().get_or_create(user=user, defaults=first)
        if not made:
            for name, value in wish.items():
                setattr(ticket, name, value)
            ticket.created_at = ticket.created_at or now
            ticket.save()
    return ticket


def stop_seeking(*, user: User) -> bool:
    """Take a player out of the queue for a game. Return whether the player was waiting.

    Their wish stays for the next search.
    """
    return bool(Ticket.waiting.filter(user=user).update(created_at=None))


def _just_found(user: User, now: datetime) -> Game | None:
    """Return the game that a player got a moment ago, or None."""
    # Of two requests, the one with the later time may get the lock first.
    seats = Seat.objects.filter(user=user, joined_at__range=(now - DOUBLE_PRESS, now + DOUBLE_PRESS))
    # Neither a mission nor the player's own lobby was found by a search.
    own_lobby = Q(game__status=Game.Status.OPEN, game__host=user)
    seat = seats.filter(game__ended_at=None, game__mission=None).exclude(own_lobby).order_by("pk").last()
    return seat.game if seat else None


# --- Matching -----------------------------------------------------------------------------------------------


TICKETS_PER_PASS: Final = 500
"""The maximum number of waiting players (tickets) to handle in one pass of the sweeper.

Tickets due for a game with computers come first, then the oldest.
"""

MISSED_TURNS_ALLOWED: Final = 2
"""The number of turns that a player may miss in a matched game before a computer takes the seat."""

MATCH_SHIP_CANDIDATES: Final = 5
"""The number of candidates for a matched game's starship: the best starships that fit."""


JOB: Final = "matching"
"""The name of the sweeper's job that matches waiting players."""


class Found(NamedTuple):
    """A game that was found, and the number of waiting players who got it."""

    game: Game
    players: int


def match_tickets(*, now: datetime) -> int:
    """Find games for waiting players. Return the number of players who got a game."""
    Wait.objects.filter(at__lt=now - WAIT_AGE).delete()
    rows = _tickets_in_order(now)
    queue = _queue(_tickets_to_match(now)[:TICKETS_PER_PASS], now)

    def find(ticket_id: int) -> int:
        found = match_ticket(ticket_id, queue=queue, now=now)
        return found.players if found else 0

    return jobs.for_each_row(JOB, rows, find, most=TICKETS_PER_PASS, now=now)


def match_ticket(ticket_id: int, *, queue: Queue | None = None, now: datetime) -> Found | None:
    """Find a game for one waiting player. Return the game, or None.

    ``queue`` holds the waiting players, and is read from the database by default. A player whose ticket has
    changed since then can still join an open game, but gets no new game in this pass.
    """
    _lock_matching()
    ticket = _unlocked_tickets().filter(pk=ticket_id).first()
    if ticket is None:
        return None
    if queue is None:
        queue = _queue([ticket, *_tickets_to_match(now).exclude(pk=ticket_id)[:TICKETS_PER_PASS]], now)
    (seeker,) = seekers_of([ticket])
    if why_no_game(user=ticket.user, now=now):
        queue.remove([seeker.user])
        return None
    if joined := _join_lobby(ticket, seeker, now):
        queue.remove([seeker.user])
        return Found(joined, 1)
    if queue.seeker(seeker.user) != seeker:
        return None
    while match := queue.game_for(seeker.user):
        users = [each.user for each in match.seekers]
        tickets = {each.user_id: each for each in _unlocked_tickets().filter(user__in=users).order_by("pk")}
        same = {
            each.user
            for each in seekers_of(tickets.values())
            if each in match.seekers and not why_no_game(user=tickets[each.user].user, now=now)
        }
        if gone := set(users) - same:
            queue.remove(gone)
            continue
        game = _create_game(match, [tickets[user].user for user in users], now)
        if game is None:
            return None
        _end_search(tickets.values(), computers=bool(match.computers), now=now)
        people = [each.user for each in tickets.values()]
        notify_about_game(users=people, kind="matched", game=game, now=now)
        queue.remove(users)
        return Found(game, len(users))
    return None


def _lock_matching() -> None:
    """Let only one search at a time look for a game, until the transaction ends.

    Otherwise, two players who press at the same moment would not see each other.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('matching', 0))")


def _tickets_to_match(now: datetime) -> QuerySet[Ticket]:
    """Return the tickets in order, without those set aside after a failure."""
    aside = jobs.rows_set_aside(JOB, now=now)
    return _tickets_in_order(now).exclude(pk__in=aside).select_related("user__reliability")


def _end_search(tickets: Iterable[Ticket], *, computers: bool, now: datetime) -> None:
    """Take players who got a game out of the queue. Keep their wishes, and how long they waited.

    A player who got a game with the press did not wait.
    """
    ended = list(tickets)
    Wait.objects.bulk_create(
        Wait(at=now, seconds=int((now - since).total_seconds()), pace=each.pace, computers=computers)
        for each in ended
        if (since := each.created_at) and since < now
    )
    Ticket.objects.filter(pk__in=[each.pk for each in ended]).update(created_at=None)


def _tickets_in_order(now: datetime) -> QuerySet[Ticket]:
    """Return the tickets in order: tickets due for a game with computers first, then the oldest."""
    hours = F("computers_after") * Value(timedelta(hours=1), DurationField())
    due_at = ExpressionWrapper(F("created_at") + hours, DateTimeField())
    due = Case(When(due_at__lte=now, then=0), default=1, output_field=IntegerField())
    return Ticket.waiting.alias(due_at=due_at).order_by(due, "created_at", "pk")


def _queue(tickets: Iterable[Ticket], now: datetime) -> Queue:
    return Queue(seekers_of(tickets), now=now, playable=_fleet())


def _unlocked_tickets() -> QuerySet[Ticket]:
    """Return a query that locks and reads all tickets of waiting players not locked by another worker."""
    return Ticket.waiting.select_for_update(skip_locked=True, of=("self",)).select_related(
        "user__reliability"
    )


# Lobbies


def _join_lobby(ticket: Ticket, seeker: Seeker, now: datetime) -> Game | None:
    """Seat a player in the oldest open game that suits them. Return the game, or None."""
    for game in fitting_lobbies(seeker, ticket.user, now=now):
        if seeker.computers_after is not None and not _starts_with_one_more(game):
            continue  # an open game may wait longer than the player wants to wait
        try:
            with transaction.atomic():
                locked_game(game.pk)
                if not still_fits(game, seeker, ticket.user, now=now):
                    continue  # a blocked player joined, or the host changed it
                joined = join_game(user=ticket.user, game_id=game.pk, placed=True, now=now)
        except ServiceError:
            continue  # the game is full by now, or requires a higher reliability
        _end_search([ticket], computers=False, now=now)
        notify_about_game(users=[ticket.user], kind="matched", game=joined, now=now)
        return joined
    return None


def _starts_with_one_more(game: Game) -> bool:
    """Return whether an open game starts as soon as one more player joins."""
    seats = list(game.players.all())
    return game.starts_itself and len(seats) == game.seats - 1 and all(seat.ready for seat in seats)


# Games


def _create_game(found: Match, players: list[User], now: datetime) -> Game | None:
    """Create a game for matched players. Return None if no starship fits it."""
    chance = Random(f"{found.seekers[0].user} {now:%Y-%m-%d %H:%M}")
    ships = _ships(found.ruleset, found.wish.size, found.seats)
    if not ships:
        return None
    ship = chance.choice(ships[:MATCH_SHIP_CANDIDATES])
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
    # The first player hosts, and a host need not be reliable enough. At most one player is not.
    percents = {each.user: each.reliability for each in found.seekers}
    return place_game(
        players=sorted(players, key=lambda player: percents[player.pk] >= least_reliability),
        terms=terms,
        now=now,
    )


def _fleet() -> Playable:
    """Return a function that checks whether any starship fits a game, and caches its answers."""
    return cache(lambda ruleset, size, seats: bool(_ships(ruleset, size, seats)))


def _ships(ruleset: str, size: str, seats: int) -> list[Starship]:
    """Return the starships of the fleet that fit a game, best first."""
    best = best_ships(ruleset=rules.RULESETS[ruleset], robots=seats, most=EVERY)
    return [ship for ship in best if _has_size(ship, size)]


def _has_size(ship: Starship, size: str) -> bool:
    if not size:
        return True
    assert ship.current
    least, most = SIZE_RANGES[size]
    side = max(ship.current.width, ship.current.height)
    return least <= side and (most is None or side <= most)
