"""Seasons come and go by themselves: the sweeper opens, starts and closes them."""

import secrets
from datetime import datetime
from random import Random
from typing import Final

from django.db.models import Max, QuerySet
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _

import rules
from games import jobs
from games.clocks.clock import PerTurn
from games.fleet.models import Starship
from games.fleet.selectors import best_ships
from games.play import stored
from games.play.policy import STANDING, Absence
from games.ratings.models import PlayerRating
from games.ratings.selectors.outcomes import RANKED
from games.seasons.divisions import SIZE, Candidate, divide, next_quarter, round_days
from games.seasons.models import Division, Season, SeasonEntry
from games.seasons.selectors import unfinished_before
from games.tournaments.models import Entrant, Tournament, TournamentShip
from games.tournaments.selectors.history import lines_of
from games.tournaments.services.creation import SEED_BYTES
from games.tournaments.terms import EXCUSED

TABLE: Final = 4
HOURS: Final = 24

SHIPS: Final = 10
"""Among how many of the best starships chance chooses those of a season."""

ROUND_SHIPS: Final = 5

MOST: Final = 50
"""Seasons that one pass of the sweeper looks at; the next one goes on."""

Status = Season.Status


def turn_seasons(*, now: datetime) -> int:
    """Open the next season of each ruleset, start those that are due, and close those that are over."""

    def step(season_id: int) -> int:
        return step_season(season_id, now=now)

    return open_seasons(now=now) + jobs.each("seasons", _due(now), step, most=MOST, now=now)


def open_seasons(*, now: datetime) -> int:
    """Open the season of the next quarter in each ruleset, if it is not open yet; return how many."""
    starts_at = next_quarter(now)
    there = set(Season.objects.filter(starts_at=starts_at).values_list("ruleset", flat=True))
    new = [
        Season(ruleset=key, starts_at=starts_at, ends_at=next_quarter(starts_at))
        for key in RANKED
        if key not in there
    ]
    Season.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def step_season(season_id: int, *, now: datetime) -> int:
    """Start or close a season, unless another worker does so.

    It starts once all earlier seasons of its ruleset are over, because their places decide its divisions.
    These end with the last round of each division: tables that are not over then are scored as they stand.
    """
    free = Season.objects.select_for_update(no_key=True, skip_locked=True)
    season = free.filter(pk=season_id).first()
    if season is None:
        return 0
    if season.status == Status.OPEN and season.starts_at <= now:
        if unfinished_before(season).exists():
            return 0
        _start(season, now)
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


def _start(season: Season, now: datetime) -> None:
    """Divide those who have joined, and have each division begin; a season that nobody joined is over."""
    candidates = _candidates(season)
    season.players = len(candidates)
    if not candidates:
        season.status, season.closed_at = Status.FINISHED, now
        season.save(update_fields=["status", "closed_at", "players"])
        return
    lowest = max((each.division for each in candidates), default=0)
    seed = secrets.token_hex(SEED_BYTES)
    ships = best_ships(ruleset=rules.RULESETS[season.ruleset], robots=TABLE, most=SHIPS)
    drawn = Random(seed).sample(ships, min(ROUND_SHIPS, len(ships)))
    for number, users in enumerate(divide(candidates, lowest=lowest), 1):
        _make(season, number, users, {each.key: each for each in candidates}, drawn, now)
    season.status = Status.RUNNING
    season.save(update_fields=["status", "players"])


def _make(
    season: Season,
    number: int,
    users: list[int],
    candidates: dict[int, Candidate],
    ships: list[Starship],
    now: datetime,
) -> None:
    """Make a division as a league that starts at once."""
    named = _("{ruleset}, {month}, division {number}")
    ruleset, month = rules.ruleset(season.ruleset).name, date_format(season.starts_at, "F Y")
    made = Tournament.objects.create(
        name=named.format(ruleset=ruleset, month=month, number=number)[:60],
        kind=Tournament.Kind.LEAGUE,
        status=Tournament.Status.OPEN,
        ruleset=season.ruleset,
        size=TABLE,
        round_days=round_days(season.starts_at, season.ends_at),
        pace=stored.write_pace(PerTurn(HOURS)),
        absence=stored.write_absence(Absence(STANDING, EXCUSED)),
        most=SIZE,
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
    """Return who wants to play, with what they did in the last season of this ruleset that had divisions."""
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
    """Return the place of each player of a division that is over, by the key of the player.

    If staff have cancelled it, places follow from the tables that were scored.
    """
    entrants = list(tournament.entrants.values_list("pk", "user", "place"))
    if all(place for _, _, place in entrants):
        return {user: place for _, user, place in entrants if place}
    places = {line.key: line.place for line in lines_of(tournament)}
    return {user: places[key] for key, user, _ in entrants}
