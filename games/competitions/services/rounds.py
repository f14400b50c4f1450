"""Play a tournament round by round: draw tables, create games, and advance."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.clocks.clock import PerTurn
from games.competitions.formats import DISJOINT, LEAGUE, Tables, round_robin, scheduled_tables, seeded_tables
from games.competitions.models import (
    PAIRING_FORMAT,
    SCHEDULE_FORMAT,
    Entrant,
    Round,
    Table,
    TableGame,
    TablePlace,
    Tournament,
    TournamentShip,
)
from games.competitions.pairing import Contender, pair, repeats_of, starts_of
from games.competitions.selectors.plans import (
    TIME_TO_CONFIRM,
    allows_larger,
    playable_ships,
    round_length,
    ship_of_round,
)
from games.competitions.selectors.results import (
    PARTS_PER_POINT,
    History,
    history_of,
    lines_of,
    still_in,
    survivors_of,
)
from games.competitions.services.scoring import score_or_set_aside
from games.competitions.services.tournaments import (
    cancel_and_notify,
    locked_tournament,
    people_of,
    take_out_barred,
    tournament_locked_by_host,
)
from games.errors import Conflict, NotFound
from games.fleet.models import Starship
from games.fleet.selectors import best_ships
from games.groups.announcements import announce_tournament
from games.lobby.services import place_game
from games.news.services import notify, notify_people
from games.play import stored
from games.play.models import Game, Seat
from games.play.terms import Terms
from games.standings.services import RESULTS_JOB
from games.work import jobs

# --- Rounds -------------------------------------------------------------------------------------------------


LEVELS: Final = (Seat.Level.PILOT.value, Seat.Level.ACE.value, Seat.Level.ROOKIE.value)

SCHEDULE_WAYS: Final = {DISJOINT: "plane", LEAGUE: "everybody"}
"""The way of pairing to store with a scheduled round of a Swiss tournament, by the kind of schedule."""

SHORTEST_ROUND: Final = timedelta(days=10)
"""The minimum length of a round of a division, even if an outage delayed its start."""

Kind = Tournament.Kind


class Draw(NamedTuple):
    """The draw of a round: entrants' keys by table, the way of pairing, and the number of repeated pairs."""

    tables: Tables
    way: str
    repeats: int = 0


def start_round(tournament: Tournament, *, number: int, now: datetime) -> Round | None:
    """Start round ``number`` of a tournament, or the next later round that has enough players.

    The caller must lock the tournament. Returns None if no round has enough players. If only one player is
    left in a knock-out, that player has no opponent in the round and wins by walkover. Raises Conflict if no
    starship can be played.
    """
    settle_schedule(tournament)
    active = {each.pk: each for each in playing(tournament)}
    found = next_number(tournament, number=number, active=still_in(tournament, number).intersection(active))
    if found is None:
        return None
    number, history = found, history_of(tournament)
    draw = draw_round(tournament, history, number=number, active=set(active))
    pairing = {"format": PAIRING_FORMAT, "way": draw.way, "repeats": draw.repeats}
    ships = _ships(tournament)
    made = Round.objects.create(
        tournament=tournament,
        number=number,
        pairing=pairing,
        started_at=now,
        ends_at=_round_end(tournament, number, ships, now),
    )
    starts = history.starts
    for place, keys in enumerate(draw.tables, 1):
        order = starts_of(keys, starts, seed=f"{tournament.seed} starts {number} {place}")
        people = [active[key] for key in order if key in active]
        _seat_players(made, place, people, [_level(key) for key in order if key not in active], ships, now)
    announce_tournament(tournament_id=tournament.pk, round_number=number, now=now)
    return made


def playing(tournament: Tournament) -> list[Entrant]:
    """Return the entrants who have not left, and have confirmed the next round."""
    entrants = tournament.entrants.filter(left_at=None, confirmed=True)
    return list(entrants.select_related("user", "banned").order_by("pk"))


def next_number(tournament: Tournament, *, number: int, active: Collection[int]) -> int | None:
    """Return the number of the next round for the ``active`` entrants, or None if there is none.

    The next round is ``number`` or a later one. A league skips a round if no two of these entrants meet in
    it. In a division, computers can fill a table, so it only skips a round without any of these entrants.
    """
    if tournament.kind == Kind.LEAGUE:
        assert tournament.schedule
        least = 1 if tournament.is_division else 2
        for each, tables in enumerate(tournament.schedule["rounds"][number - 1 :], number):
            if any(len(set(table).intersection(active)) >= least for table in tables):
                return each
        return None
    least = 1 if tournament.kind == Kind.KNOCKOUT and number > 1 else 2
    return number if len(active) >= least else None


def draw_round(tournament: Tournament, history: History, *, number: int, active: set[int]) -> Draw:
    """Return the tables of a round for the ``active`` entrants. The same history gives the same tables."""
    match tournament.kind:
        case Kind.KNOCKOUT:
            through = [key for key in survivors_of(tournament, history, number) if key in active]
            larger = _larger(tournament)
            return Draw(seeded_tables(through, size=tournament.size, larger=larger), "seeds")
        case Kind.LEAGUE:
            assert tournament.schedule
            scheduled = tournament.schedule["rounds"][number - 1 : number]
            filled = tournament.is_division
            tables = [
                tuple(key for key in each if filled or key in active) for made in scheduled for each in made
            ]
            there = tuple(table for table in tables if active.intersection(table))
            return Draw(there, "everybody", repeats_of(there, history.met))
        case _:
            return _swiss(tournament, history, number, active)


def settle_schedule(tournament: Tournament) -> None:
    """Store the tables of all rounds of a league, unless they are already stored.

    The stored tables never change. Computers in a division have negative keys. Does nothing for other
    formats.
    """
    if tournament.kind != Kind.LEAGUE or tournament.schedule:
        return
    keys = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    missing = tournament.size**2 - len(keys) if tournament.is_division else 0
    every = keys + [-number for number in range(1, missing + 1)]
    rounds = round_robin(every, size=tournament.size, seed=tournament.seed, larger=_larger(tournament))
    tournament.rounds = len(rounds)
    tournament.schedule = {"format": SCHEDULE_FORMAT, "rounds": rounds}
    tournament.save(update_fields=["rounds", "schedule"])


def _level(key: int) -> str:
    """Return the level of a computer in a division, by its negative key. Keys cycle through all levels."""
    return LEVELS[key % len(LEVELS)]


def _swiss(tournament: Tournament, history: History, number: int, active: set[int]) -> Draw:
    tables, kind = _scheduled(tournament, history, number, active)
    if tables:
        return Draw(tables, SCHEDULE_WAYS[kind], repeats_of(tables, history.met))
    points = {line.key: line.points for line in lines_of(tournament, history)}
    shorts = history.shorts
    found = pair(
        [Contender(key, points[key], shorts[key]) for key in sorted(active)],
        met=history.met,
        size=tournament.size,
        seed=f"{tournament.seed} round {number}",
        larger=_larger(tournament),
    )
    return Draw(found.tables, "points", found.repeats)


def _scheduled(tournament: Tournament, history: History, number: int, active: set[int]) -> tuple[Tables, str]:
    """Return the tables of a scheduled Swiss round, and the kind of the schedule.

    Returns no tables if any entrant has left or has not confirmed this round. Entrants of the first round
    keep their places in the schedule, and entrants who came later get the places after them.
    """
    every = set(tournament.entrants.values_list("pk", flat=True))
    if active != every:
        return (), ""
    first = {each.key for table in history.tables if table.round == 1 for each in table.places} or every
    order = sorted(first)
    Random(tournament.seed).shuffle(order)
    return scheduled_tables(
        order + sorted(every - first),
        met=history.met,
        size=tournament.size,
        rounds=tournament.rounds or 0,
        number=number,
        larger=_larger(tournament),
    )


def _larger(tournament: Tournament) -> bool:
    """Return whether the ruleset and the starships allow a table with one extra player."""
    return allows_larger(rules.ruleset(tournament.ruleset), _ships(tournament), tournament.size)


def _ships(tournament: Tournament) -> list[Starship]:
    """Return the tournament's playable starships, in order.

    If none is playable, adds an equal number of the fleet's best starships to the tournament, and returns
    the added ones. Raises Conflict if no starship of the fleet fits either.
    """
    if ships := playable_ships(tournament):
        return ships
    ruleset = rules.ruleset(tournament.ruleset)
    had = list(tournament.ships.values_list("starship", "number"))
    if ships := best_ships(ruleset=ruleset, robots=tournament.size, most=max(len(had), 1)):
        last = max((number for _ship, number in had), default=0)
        TournamentShip.objects.bulk_create(
            TournamentShip(tournament=tournament, starship=ship, number=number)
            for number, ship in enumerate(ships, last + 1)
        )
        return ships
    raise Conflict(
        "no-starship",
        _("None of the starships in {tournament} can be played any more, and no other starship fits.").format(
            tournament=tournament.name
        ),
    )


def _round_end(tournament: Tournament, number: int, ships: Sequence[Starship], now: datetime) -> datetime:
    """Return the time when a round ends.

    In a division, a round ends when the next round starts or the season ends, but lasts at least
    `SHORTEST_ROUND`. For other rounds, see `round_length`.
    """
    if tournament.round_days:
        assert tournament.ends_at
        following = tournament.starts_at + number * timedelta(days=tournament.round_days)
        end = tournament.ends_at if number == tournament.rounds else following
        return max(end, now + SHORTEST_ROUND)
    pace = stored.read_pace(tournament.pace)
    assert isinstance(pace, PerTurn)
    return now + round_length(pace.hours, ships)


def _seat_players(
    made: Round,
    number: int,
    entrants: Sequence[Entrant],
    computers: list[str],
    ships: list[Starship],
    now: datetime,
) -> None:
    """Create a table of a round, and its game unless the table is a bye."""
    size = len(entrants) + len(computers)
    game = None if size == 1 else _game(made, number, entrants, computers, ships, now)
    table = Table.objects.create(round=made, number=number, size=size)
    seats = dict(game.players.values_list("user", "number")) if game else {}
    TablePlace.objects.bulk_create(
        TablePlace(table=table, entrant=entrant, seat=seats.get(entrant.user_id, 1)) for entrant in entrants
    )
    if game is None:
        table.scored_at = now
        table.save(update_fields=["scored_at"])
        table.places.update(rank=1, points=PARTS_PER_POINT // 2)
        notify_people(users=[entrant.user for entrant in entrants], kind="bye", about=made.pk, now=now)
    else:
        TableGame.objects.create(game=game, table=table)
        notify(users=[entrant.user for entrant in entrants], kind="round", game=game, now=now)


def _game(
    made: Round,
    number: int,
    entrants: Sequence[Entrant],
    computers: list[str],
    ships: list[Starship],
    now: datetime,
) -> Game:
    tournament = made.tournament
    terms = Terms(
        name=f"{tournament.name} · {made.number}.{number}"[:80],  # these numbers need no translation
        ruleset=tournament.ruleset,
        starship=_ship_for(made, number, entrants, ships).pk,
        seats=len(entrants) + len(computers),
        computers=computers,
        pace=stored.read_pace(tournament.pace),
        absence=stored.read_absence(tournament.absence),
        rated=Game.Rated.YES.value,
        sitters=tournament.sitters,
    )
    return place_game(players=[entrant.user for entrant in entrants], terms=terms, now=now)


def _ship_for(made: Round, number: int, entrants: Sequence[Entrant], ships: list[Starship]) -> Starship:
    """Return the starship of a table, chosen in the tournament's way."""
    tournament = made.tournament
    if tournament.ship_choice == Tournament.ShipChoice.FIXED:
        return ship_of_round(ships, made.number)
    banned = [entrant.banned.starship_id for entrant in entrants if entrant.banned]
    fewest = min(banned.count(ship.pk) for ship in ships)
    possible = [ship for ship in ships if banned.count(ship.pk) == fewest]
    return Random(f"{tournament.seed} ship {made.number} {number}").choice(possible)


# --- From one round to the next -----------------------------------------------------------------------------


TOURNAMENTS_PER_PASS: Final = 50
"""The maximum number of tournaments to process in one pass of the sweeper."""

TIME_TO_PLAY_ON: Final = timedelta(days=7)
"""The longest wait for enough players to confirm the next round. After that, the tournament ends early."""

WAIT_FOR_RATINGS: Final = timedelta(days=3)
"""The longest wait of an ended marathon for the ratings of its games."""

Ending = Tournament.Ending
Status = Tournament.Status


def advance_tournaments(*, now: datetime) -> int:
    """Advance the tournaments that are due. Return their number."""

    def step(tournament_id: int) -> int:
        return advance(tournament_id, now=now)

    closed = Q(members_only=True, club=None, lost_club_at=None) & ~Q(status=Status.DRAFT)
    due = Tournament.objects.filter(closed | Q(due_at__lte=now), ended_at=None).order_by("due_at", "pk")
    return jobs.for_each_row("tournaments", due, step, most=TOURNAMENTS_PER_PASS, now=now)


def advance(tournament_id: int, *, now: datetime) -> int:
    """Advance a tournament by one step.

    Returns 1, or 0 if the tournament is over, not due, or locked by another worker.
    """
    try:
        held = locked_tournament(tournament_id, skip_locked=True)
    except NotFound:
        return 0
    if held.ended_at is not None:
        return 0
    if held.status != Status.DRAFT and held.lost_its_club and held.lost_club_at is None:
        _note_lost_club(held, now)
        return 1
    if held.due_at is None or held.due_at > now:
        return 0
    take_out_barred(held, now=now)
    if held.status == Status.OPEN:
        _start_tournament(held, now)
    elif held.is_marathon:
        _end_marathon(held, now)
    else:
        _advance_rounds(held, now)
    return 1


def start_now(*, user: User, tournament_id: int, now: datetime) -> None:
    """Start an open tournament before its time, as its host or as staff.

    Raises NotFound if the user sees no such tournament; Forbidden if the user may not start it; and Conflict
    if it is not open, is a marathon or a division, lost its club, or has too few entrants.
    """
    with transaction.atomic():
        held = tournament_locked_by_host(user, tournament_id)
        if held.status != Status.OPEN:
            raise Conflict("not-open", _("Only a tournament that is open to join can start."))
        if held.is_marathon or held.is_division:
            raise Conflict("fixed-start", _("This tournament can’t start before its time."))
        if held.lost_its_club:
            raise Conflict("club-closed", _("The club of this tournament was closed, so it can’t start."))
        take_out_barred(held, now=now)
        if held.entrants.count() < held.least:
            raise Conflict(
                "few", _("This tournament needs at least {least} entrants to start.").format(least=held.least)
            )
        held.starts_at = min(held.starts_at, now)
        held.save(update_fields=["starts_at"])
        _start_tournament(held, now)


def _note_lost_club(held: Tournament, now: datetime) -> None:
    """Cancel a tournament after its club was closed. If it has started, only notify its players."""
    held.lost_club_at = now
    held.save(update_fields=["lost_club_at"])
    if held.status == Status.OPEN:
        cancel_and_notify(held, why=Tournament.Ending.CLUB, now=now)
    else:
        notify_people(users=people_of(held), kind="cup-club", about=held.pk, now=now)


def _start_tournament(held: Tournament, now: datetime) -> None:
    """Start a tournament, or cancel it if it has too few entrants."""
    entrants = held.entrants.filter(left_at=None).count()
    if entrants < (1 if held.is_marathon or held.is_division else held.least):
        cancel_and_notify(held, why=Tournament.Ending.FEW, now=now)
        return
    held.status = Status.RUNNING
    if held.is_marathon:
        _wait_until(held, held.ends_at)
        return
    _next_round(held, 1, now)


def _advance_rounds(held: Tournament, now: datetime) -> None:
    """Close the current round if it is over. Then start the next round, wait, or end the tournament."""
    last = held.all_rounds.order_by("-number").first()
    assert last
    if last.closed_at is None:
        unscored = last.tables.filter(scored_at=None)
        if unscored.exists() and last.ends_at > now:
            _wait_until(held, last.ends_at)
            return
        _close_round(held, last, now)
        if _is_last(held, last):
            _finish(held, now)
            return
    number = last.number + 1
    there = still_in(held, number)
    if next_number(held, number=number, active=there) is None:
        _finish(held, now, early=Ending.LEFT if len(there) < 2 else None)
        return
    assert last.closed_at
    ready = last.closed_at
    if held.round_days:
        ready = max(ready, held.starts_at + last.number * timedelta(days=held.round_days))
    asked = held.entrants.filter(confirmed=False, pk__in=there, places__table__round=last)
    starts_at = max(ready, last.closed_at + TIME_TO_CONFIRM) if asked.exists() else ready
    if now < starts_at:
        _wait_until(held, starts_at)
        return
    active = there.intersection(each.pk for each in playing(held))
    if next_number(held, number=number, active=active) is not None:
        _next_round(held, number, now)
    elif now < ready + TIME_TO_PLAY_ON:
        _wait_until(held, ready + TIME_TO_PLAY_ON)
    else:
        _finish(held, now, early=Ending.AWAY)


def _next_round(held: Tournament, number: int, now: datetime) -> None:
    made = start_round(held, number=number, now=now)
    if made is None:
        _finish(held, now)
    elif made.tables.filter(scored_at=None).exists():
        _wait_until(held, made.ends_at)
    else:
        _wait_until(held, now)  # a walkover needs no game


def _close_round(held: Tournament, last: Round, now: datetime) -> None:
    """Close a round: score unfinished games from their present state.

    Then ask players who missed turns to confirm the next round.
    """
    for table in last.tables.filter(scored_at=None):
        score_or_set_aside(table, now=now)
    last.closed_at = now
    last.save(update_fields=["closed_at"])
    playing_on = still_in(held, last.number + 1)
    if _is_last(held, last) or next_number(held, number=last.number + 1, active=playing_on) is None:
        return
    for table in last.tables.exclude(link=None).select_related("link__game"):
        assert table.game
        missed = [each for each in _who_missed(table, table.game) if each.pk in playing_on]
        Entrant.objects.filter(pk__in=[entrant.pk for entrant in missed]).update(confirmed=False)
        notify(users=[entrant.user for entrant in missed], kind="confirm", game=table.game, now=now)


def _who_missed(table: Table, game: Game) -> list[Entrant]:
    """Return the entrants at a table who missed turns, lost their seat, or submitted no orders."""
    excused = (game.absence or {}).get("excused")
    kept = {
        seat.user_id
        for seat in Seat.objects.filter(game=game).exclude(user=None)
        if excused is None or seat.excused is None or seat.excused >= excused
    }
    players = Entrant.objects.filter(places__table=table, left_at=None).select_related("user")
    away: set[int] = set()
    if game.status == Game.Status.RUNNING:
        away = set(table.places.filter(ordered=False).values_list("entrant", flat=True))
    return [entrant for entrant in players if entrant.user_id not in kept or entrant.pk in away]


def _is_last(held: Tournament, last: Round) -> bool:
    if held.kind == Kind.KNOCKOUT:
        return last.tables.count() == 1
    return held.rounds is not None and last.number >= held.rounds


def _end_marathon(held: Tournament, now: datetime) -> None:
    """End a marathon after its month, as soon as its games are rated."""
    assert held.ends_at
    pending = jobs.ended_games(RESULTS_JOB).filter(game__ended_at__lt=held.ends_at).exists()
    if pending and now < held.ends_at + WAIT_FOR_RATINGS:
        _wait_until(held, now + timedelta(minutes=1))
        return
    _finish(held, now)


def _finish(held: Tournament, now: datetime, *, early: Tournament.Ending | None = None) -> None:
    """End a tournament: set the final places, and notify the entrants and the host.

    Entrants who left get no place. ``early`` is the reason for an end before the last round.
    """
    places = {line.key: line.place for line in lines_of(held)}
    stayed = list(held.entrants.filter(left_at=None))
    for entrant in stayed:
        entrant.place = places[entrant.pk]
    Entrant.objects.bulk_update(stayed, ["place"])
    held.status, held.ended_at = Status.FINISHED, now
    held.ending = (early or "") if stayed else Ending.NOBODY
    _wait_until(held, None)
    announce_tournament(tournament_id=held.pk, round_number=None, now=now)
    notify_people(users=people_of(held), kind="finished", about=held.pk, now=now)


def _wait_until(held: Tournament, until: datetime | None) -> None:
    held.due_at = until
    held.save(update_fields=["status", "rounds", "due_at", "ended_at", "ending"])
