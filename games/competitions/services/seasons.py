"""Join and leave seasons. Open, start and close them every three months."""

import secrets
from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.clocks.clock import PerTurn
from games.competitions.formats import DIVISION_SIZE, Candidate, divide, next_quarter, round_days
from games.competitions.models import Division, Entrant, Season, SeasonEntry, Tournament, TournamentShip
from games.competitions.selectors.results import lines_of
from games.competitions.selectors.seasons import unfinished_before
from games.competitions.services.tournaments import MISSED_TURNS_ALLOWED, SEED_BYTES
from games.errors import Conflict, NotFound, refuse_guests
from games.fleet.models import Starship
from games.fleet.selectors import best_ships
from games.moderation.sanctions import refuse_barred
from games.play import stored
from games.play.policy import STANDING, Absence
from games.standings.models import PlayerRating
from games.standings.selectors.results import RATED_RULESETS
from games.work import jobs


def join_season(*, user: User, season_id: int, now: datetime) -> SeasonEntry:
    """Join a season before it starts.

    Raises NotFound if there is no such season, Forbidden for guests and barred players, and Conflict once the
    season has started.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    with transaction.atomic():
        season = _open(season_id)
        entry, made = SeasonEntry.objects.get_or_create(season=season, user=user, defaults={"joined_at": now})
        if made:
            _count(season, 1)
    return entry


def leave_season(*, user: User, season_id: int) -> None:
    """Leave a season before it starts.

    After the start, a player leaves the tournament of their division instead. Raises NotFound if there is no
    such season, Forbidden for guests, and Conflict once the season has started.
    """
    refuse_guests(user)
    with transaction.atomic():
        _leave(_open(season_id), user)


def leave_all(*, user: User) -> None:
    """Remove a player from all seasons that have not started. The caller must open a transaction."""
    there = Season.objects.filter(status=Season.Status.OPEN, pk__in=user.season_entries.values("season"))
    for season in there.select_for_update(no_key=True).order_by("pk"):
        _leave(season, user)


def _leave(season: Season, user: User) -> None:
    left, _rows = SeasonEntry.objects.filter(season=season, user=user).delete()
    _count(season, -left)


def _count(season: Season, more: int) -> None:
    Season.objects.filter(pk=season.pk).update(players=F("players") + more)


def _open(season_id: int) -> Season:
    season = Season.objects.select_for_update(no_key=True).filter(pk=season_id).first()
    if season is None:
        raise NotFound("no-season", _("There is no such season."))
    if season.status != Season.Status.OPEN:
        raise Conflict("started", _("This season has started. Join the next one."))
    return season


# --- The quarters -------------------------------------------------------------------------------------------


TABLE_SIZE: Final = 4
PACE_HOURS: Final = 24

SEASON_SHIP_CANDIDATES: Final = 10
"""The number of candidates for a season's starships: the best starships that fit."""

SHIPS_PER_SEASON: Final = 5

SEASONS_PER_PASS: Final = 50
"""The maximum number of seasons to process in one pass of the sweeper."""

Status = Season.Status


def advance_seasons(*, now: datetime) -> int:
    """Open the next seasons, start seasons that are due, and close finished seasons. Return their number."""

    def step(season_id: int) -> int:
        return advance_season(season_id, now=now)

    return open_seasons(now=now) + jobs.for_each_row(
        "seasons", _due(now), step, most=SEASONS_PER_PASS, now=now
    )


def open_seasons(*, now: datetime) -> int:
    """Open the next quarter's season of each rated ruleset. Return the number of new seasons."""
    starts_at = next_quarter(now)
    there = set(Season.objects.filter(starts_at=starts_at).values_list("ruleset", flat=True))
    new = [
        Season(ruleset=key, starts_at=starts_at, ends_at=next_quarter(starts_at))
        for key in RATED_RULESETS
        if key not in there
    ]
    Season.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def advance_season(season_id: int, *, now: datetime) -> int:
    """Start or close a season. Return 1, or 0 if it is not due or locked by another worker.

    A season starts only after all earlier seasons of its ruleset are over, because the final places in them
    decide the new divisions. A season is over once all its divisions are over. A game that is still running
    at the end of its last round counts with its result so far.
    """
    free = Season.objects.select_for_update(no_key=True, skip_locked=True)
    season = free.filter(pk=season_id).first()
    if season is None:
        return 0
    if season.status == Status.OPEN and season.starts_at <= now:
        if unfinished_before(season).exists():
            return 0
        _start_season(season, now)
        return 1
    going_on = season.divisions.filter(tournament__ended_at=None)
    if season.status == Status.RUNNING and not going_on.exists():
        season.status, season.closed_at = Status.FINISHED, now
        season.save(update_fields=["status", "closed_at"])
        return 1
    return 0


def _due(now: datetime) -> QuerySet[Season]:
    return (
        Season.objects.filter(starts_at__lte=now).exclude(status=Status.FINISHED).order_by("starts_at", "pk")
    )


def _start_season(season: Season, now: datetime) -> None:
    """Start a season: divide its players into divisions. If it has no players, close it."""
    candidates = _candidates(season)
    season.players = len(candidates)
    if not candidates:
        season.status, season.closed_at = Status.FINISHED, now
        season.save(update_fields=["status", "closed_at", "players"])
        return
    lowest = max((each.division for each in candidates), default=0)
    seed = secrets.token_hex(SEED_BYTES)
    ships = best_ships(ruleset=rules.RULESETS[season.ruleset], robots=TABLE_SIZE, most=SEASON_SHIP_CANDIDATES)
    drawn = Random(seed).sample(ships, min(SHIPS_PER_SEASON, len(ships)))
    for number, users in enumerate(divide(candidates, lowest=lowest), 1):
        _make_division(season, number, users, {each.key: each for each in candidates}, drawn, now)
    season.status = Status.RUNNING
    season.save(update_fields=["status", "players"])


def _make_division(
    season: Season,
    number: int,
    users: list[int],
    candidates: dict[int, Candidate],
    ships: list[Starship],
    now: datetime,
) -> None:
    """Create the tournament of a division: a league that is due to start now."""
    ruleset = rules.ruleset(season.ruleset).name
    made = Tournament.objects.create(
        name=f"{ruleset} {season.starts_at:%Y-%m} · {number}"[:60],
        kind=Tournament.Kind.LEAGUE,
        status=Tournament.Status.OPEN,
        ruleset=season.ruleset,
        size=TABLE_SIZE,
        round_days=round_days(season.starts_at, season.ends_at),
        pace=stored.write_pace(PerTurn(PACE_HOURS)),
        absence=stored.write_absence(Absence(STANDING, MISSED_TURNS_ALLOWED)),
        most=DIVISION_SIZE,
        seed=secrets.token_hex(SEED_BYTES),
        starts_at=season.starts_at,
        ends_at=season.ends_at,
        due_at=now,
        created_at=now,
    )
    TournamentShip.objects.bulk_create(
        TournamentShip(tournament=made, starship=ship, number=place) for place, ship in enumerate(ships, 1)
    )
    Entrant.objects.bulk_create(
        Entrant(tournament=made, user_id=user, joined_at=now, strength=candidates[user].rating)
        for user in users
    )
    Division.objects.create(season=season, number=number, tournament=made)


def _candidates(season: Season) -> list[Candidate]:
    """Return the season's players, with their results in the ruleset's last season."""
    users = list(
        SeasonEntry.objects.filter(season=season, user__is_active=True)
        .order_by("joined_at", "pk")
        .values_list("user", flat=True)
    )
    before = (
        Season.objects.filter(ruleset=season.ruleset, starts_at__lt=season.starts_at)
        .exclude(divisions=None)
        .aggregate(last=Max("starts_at"))["last"]
    )
    played: dict[int, tuple[int, int, int]] = {}
    divisions = Division.objects.filter(season__ruleset=season.ruleset, season__starts_at=before)
    divisions = divisions.select_related("tournament")
    for division in divisions:
        places = _places_in(division.tournament)
        played |= {user: (division.number, place, len(places)) for user, place in places.items()}
    rows = PlayerRating.objects.filter(user__in=users, pool=season.ruleset).select_related("pool")
    ratings = {row.user_id: (row.points, row.games) for row in rows}
    return [Candidate(user, *played.get(user, (0, 0, 0)), *ratings.get(user, (0, 0))) for user in users]


def _places_in(tournament: Tournament) -> dict[int, int]:
    """Return the place of each player of a division that is over, by user ID.

    If a player has no final place, because they left or because staff cancelled the division, all places are
    calculated from the scored tables.
    """
    entrants = list(tournament.entrants.values_list("pk", "user", "place"))
    if all(place for _, _, place in entrants):
        return {user: place for _, user, place in entrants if place}
    places = {line.key: line.place for line in lines_of(tournament)}
    return {user: places[key] for key, user, _ in entrants}
