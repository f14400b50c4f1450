"""Matching those who wait: the one who waited longest first, each in a transaction of their own.

A fitting lobby comes first; then those who wait, closest ratings first, get a game together. Rows of tickets
are held, and passed over where another worker has them: so nobody gets two games for one ticket.
"""

from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

import rules
from accounts.models import User
from games import jobs
from games.clubs.selectors.clubs import open_to
from games.contacts.models import Block
from games.errors import ServiceError
from games.fleet.models import Starship
from games.fleet.selectors.fitting import MOST as EVERY
from games.fleet.selectors.fitting import best_ships
from games.lobby.filters import SIDES, by_pace, by_size
from games.lobby.services.creation import create_game
from games.lobby.services.seats import join_game
from games.matching.models import Ticket
from games.matching.news import MATCHED
from games.matching.selectors import PACES, USUAL, seekers_of
from games.matching.wishes import Match, Seeker, Wish, match
from games.news.services.notifications import tell_of_lobby
from games.play.models import Game, Seat
from games.play.policy import STANDING, Absence
from games.play.terms import Terms
from games.ratings.models import ALL, PlayerRating
from games.ratings.scale import SHOWN
from games.reliability.selectors import percents_of

MOST: Final = 200
"""Tickets that one pass looks at."""

AROUND: Final = 200
"""Others who wait that are looked at for one."""

LOBBIES: Final = 20

EXCUSED: Final = 2
"""Turns that players of such a game may miss."""

SHIPS: Final = 5
"""Among how many of the best starships chance chooses."""


def match_tickets(*, now: datetime) -> int:
    """Find games for those who wait; return how many of them got one."""

    def find(ticket_id: int) -> int:
        return find_game(ticket_id, now=now)

    return jobs.each("matching", Ticket.objects.order_by("created_at", "pk"), find, most=MOST, now=now)


def find_game(ticket_id: int, *, now: datetime) -> int:
    """Find a game for one who waits; return how many players got one."""
    free = Ticket.objects.select_for_update(skip_locked=True, of=("self",))
    free = free.select_related("user__reliability")
    first = free.filter(pk=ticket_id).first()
    if first is None:
        return 0
    (seeker,) = seekers_of([first])
    if _joins_lobby(first, seeker, now):
        return 1
    others = list(free.exclude(pk=ticket_id).order_by("created_at", "pk")[:AROUND])
    found = match(seeker, seekers_of(others), now)
    if found is None:
        return 0
    tickets = {ticket.user_id: ticket for ticket in (first, *others)}
    players = [tickets[each.user].user for each in found.seekers]
    if not _makes_game(found, players, now):
        return 0
    Ticket.objects.filter(user__in=players).delete()
    return len(players)


# Lobbies


def _joins_lobby(ticket: Ticket, seeker: Seeker, now: datetime) -> bool:
    """Have someone join a lobby that fits, the one that waited longest; return whether there was one."""
    for game in _lobbies(seeker.wish, ticket.user)[:LOBBIES]:
        if not _welcome(game, seeker, now):
            continue
        try:
            with transaction.atomic():
                joined = join_game(user=ticket.user, game_id=game.pk, placed=True, now=now)
        except ServiceError:
            continue  # full by now, or for more reliable players
        ticket.delete()
        if joined.status == Game.Status.OPEN:
            tell_of_lobby(users=[ticket.user], kind=MATCHED, game=joined, now=now)
        return True
    return False


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
    """Return that a game is played at some pace, and neither live nor without end."""
    return Q(pace__hours__gte=1) | Q(pace__bank__gte=1)


def _welcome(game: Game, seeker: Seeker, now: datetime) -> bool:
    """Return whether someone may meet all who sit in a lobby, which takes no computers."""
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
    pool = seeker.wish.ruleset or ALL
    rows = PlayerRating.objects.filter(user__in=people, pool=pool).select_related("pool")
    known = {row.user_id: row.points for row in rows}
    window = seeker.window(now)
    return all(abs(known.get(person, SHOWN) - seeker.rating) <= window for person in people)


# Games


def _makes_game(found: Match, players: list[User], now: datetime) -> bool:
    """Make a game for players who fit together; return whether there is a starship for it."""
    chance = Random(f"{found.seekers[0].user} {now:%Y-%m-%d %H:%M}")
    ruleset = found.wish.ruleset or "robo-runner"
    ship = _starship(ruleset, found, chance)
    if ship is None:
        return False
    terms = Terms(
        name=ship.name,
        ruleset=ruleset,
        starship=ship.pk,
        seats=found.seats,
        computers=[Seat.Strength.PILOT.value] * found.computers,
        pace=PACES[found.wish.pace or USUAL],
        absence=Absence(STANDING, EXCUSED),
        least_reliability=max(each.least_reliability for each in found.seekers),
    )
    game = create_game(host=players[0], terms=terms, placed=True, now=now)
    for player in players[1:]:
        join_game(user=player, game_id=game.pk, placed=True, now=now)
    return True


def _starship(ruleset: str, found: Match, chance: Random) -> Starship | None:
    """Return one of the best starships of the fleet for a game."""
    best = best_ships(ruleset=rules.RULESETS[ruleset], robots=found.seats, most=EVERY)
    possible = [ship for ship in best if _has_size(ship, found.wish.size)]
    return chance.choice(possible[:SHIPS]) if possible else None


def _has_size(ship: Starship, size: str) -> bool:
    if not size:
        return True
    assert ship.current
    least, most = SIDES[size]
    side = max(ship.current.width, ship.current.height)
    return least <= side and (most is None or side <= most)
