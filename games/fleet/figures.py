"""Figures and records of finished games on starships, and the ship of the week."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.db.models.functions import Coalesce

from games.fleet.models import Flier, Starship, StarshipFigures, StarshipWeek, offered_through
from games.fleet.search import GAMES_FOR_LENGTH, facts_of, offered_starships
from games.play import stored
from games.play.models import Game, Turn
from games.play.stored import turn_record
from games.work import jobs

# --- Figures ------------------------------------------------------------------------------------------------


FIGURES_JOB: Final = "starship figures"


def is_counted(game: Game) -> bool:
    """Return whether a game counts in its ship's figures.

    A game counts if it was played from the start, on one ship of the library without changes to the board.
    """
    return game.revision_id is not None and game.course_id is None and not game.is_played_on


def count_games(*, now: datetime) -> int:
    """Add games that ended since the last pass to the figures of their ships. Return the number of games."""
    return jobs.count_ended_games(FIGURES_JOB, jobs.ended_games(FIGURES_JOB), _count, now=now)


def recount_figures() -> int:
    """Recalculate all figures from finished games, ship by ship. Return the number of games."""
    over = Game.objects.filter(
        status=Game.Status.OVER, revision__isnull=False, course=None, position__isnull=True
    )
    ships = over.order_by("revision__starship").values_list("revision__starship", flat=True).distinct()
    done = 0
    for starship in list(ships):
        with transaction.atomic():
            figures = _locked_figures(starship, wait=True)
            assert figures
            figures = StarshipFigures(starship_id=starship)
            Flier.objects.filter(starship=starship).delete()
            games = list(over.filter(revision__starship=starship).order_by("pk").values_list("pk", flat=True))
            for game in games:
                _add(figures, game)
            figures.save()
            jobs.ended_games(FIGURES_JOB).filter(game__in=games).delete()
        done += len(games)
    return done


def _count(game_id: int) -> bool:
    """Add a game to the figures of its ship. Return whether it was added.

    Returns False if another worker has locked the ship's figures. The caller must then try again later.
    """
    starship = Game.objects.values_list("revision__starship", flat=True).get(pk=game_id)
    figures = _locked_figures(starship, wait=False)
    if figures is None:
        return False
    _add(figures, game_id)
    figures.save()
    return True


def _locked_figures(starship: int, *, wait: bool) -> StarshipFigures | None:
    StarshipFigures.objects.bulk_create([StarshipFigures(starship_id=starship)], ignore_conflicts=True)
    return StarshipFigures.objects.select_for_update(skip_locked=not wait).filter(pk=starship).first()


def _add(figures: StarshipFigures, game_id: int) -> None:
    game = Game.objects.select_related("revision").prefetch_related("players__user").get(pk=game_id)
    assert game.revision
    if game.revision.prototype:
        figures.prototype_played += 1
        return
    figures.played += 1
    people = {seat.user.pk for seat in game.players.all() if seat.user and not seat.user.is_guest}
    known = set(
        Flier.objects.filter(starship=figures.starship_id, user__in=people).values_list("user", flat=True)
    )
    new = [Flier(starship_id=figures.starship_id, user_id=person) for person in people - known]
    Flier.objects.bulk_create(new, ignore_conflicts=True)
    figures.people += len(new)
    if len(people) >= 2 and not game.ending:
        _add_among_people(figures, game)


def _add_among_people(figures: StarshipFigures, game: Game) -> None:
    figures.among_people += 1
    turns = str(game.turn)
    figures.lengths[turns] = figures.lengths.get(turns, 0) + 1
    figures.median = _median(figures.lengths)
    first = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number").first()
    if first is None:
        return
    ship = stored.ship_of(game)
    robots = list(stored.start_in(turn_record(first), ship).players)
    for seat in game.players.all():
        x, y = ship.pos(robots[seat.number - 1].start)
        started, won = figures.starts.get(f"{x},{y}", (0, 0))
        wins = game.winner != "" and game.winner in (seat.robo_name, seat.squad)
        figures.starts[f"{x},{y}"] = [started + 1, won + wins]


def _median(lengths: dict[str, int]) -> int:
    """Return the lower median of game lengths. ``lengths`` maps each length to its number of games.

    >>> _median({"9": 2, "10": 1, "30": 1})
    9
    """
    left = (sum(lengths.values()) + 1) // 2
    for turns in sorted(map(int, lengths)):
        left -= lengths[str(turns)]
        if left <= 0:
            return turns
    return 0


# --- Record -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartLine:
    """The robots that started on one start cell, and their wins. ``column`` and ``row`` count from 1."""

    column: int
    row: int
    robots: int
    wins: int

    @property
    def percent(self) -> int:
        return round(100 * self.wins / self.robots)


@dataclass(frozen=True, slots=True)
class GameLength:
    """The typical length of games on a starship, in turns.

    ``played`` is True if it comes from played games, and False if it is an estimate.
    """

    turns: int
    played: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The figures about finished games on a starship, for display.

    ``shortest`` and ``longest`` are numbers of turns. ``starts`` is empty if all robots share one start cell.
    """

    figures: StarshipFigures
    shortest: int
    longest: int
    starts: list[StartLine]


def record_of(starship_id: int) -> Record | None:
    """Return the record of a starship, or None if no game on the starship has finished."""
    figures = StarshipFigures.objects.filter(pk=starship_id).first()
    if figures is None or not (figures.played or figures.prototype_played):
        return None
    turns = [int(number) for number in figures.lengths] or [0]
    starts = _starts(figures.starts) if len(figures.starts) > 1 else []
    return Record(figures, min(turns), max(turns), starts)


def length_of(starship: Starship, record: Record | None) -> GameLength | None:
    """Return the typical length of games on a starship, or None if it is unknown.

    `typical_turns` calculates this length in SQL.
    """
    figures = record.figures if record else None
    if figures and figures.median is not None and figures.among_people >= GAMES_FOR_LENGTH:
        return GameLength(figures.median, played=True)
    expected = facts_of(starship=starship).turns
    if expected is None and figures and figures.median is not None:
        return GameLength(figures.median, played=True)
    return None if expected is None else GameLength(expected, played=False)


def _starts(counted: Mapping[str, Any]) -> list[StartLine]:
    lines = [
        StartLine(int(x) + 1, int(y) + 1, robots, wins)
        for (x, y), (robots, wins) in ((key.split(","), value) for key, value in counted.items())
    ]
    return sorted(lines, key=lambda line: (line.row, line.column))


# --- Ships of the week --------------------------------------------------------------------------------------


def week_of(now: datetime) -> date:
    """Return the Monday that begins the week of a time, in UTC.

    >>> week_of(datetime(2026, 11, 23, 0, 0, tzinfo=UTC)), week_of(datetime(2026, 11, 22, 23, 59, tzinfo=UTC))
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 16))
    """
    day = now.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def ship_of_the_week(*, now: datetime) -> StarshipWeek | None:
    """Return this week's ship, or None if it is not chosen yet or no longer offered."""
    found = StarshipWeek.objects.filter(offered_through("starship"), week=week_of(now))
    return found.select_related("starship__current", "starship__owner").first()


def ships_of_weeks() -> QuerySet[StarshipWeek]:
    """Return the ship of the week for each week so far, the latest first.

    Weeks whose ship was taken down by staff are left out.
    """
    found = StarshipWeek.objects.filter(starship__taken_down_at=None)
    return found.select_related("starship__current")


def choose_ship_of_the_week(*, now: datetime) -> int:
    """Choose this week's ship, unless it is already chosen. Return 1 if it was chosen now, or else 0.

    Fleet ships that were never chosen come first, then the ships that were last chosen the longest time ago.
    Ties go to the best-rated ship, then to the oldest. If two workers do this at the same time, only the
    first choice is saved.
    """
    week = week_of(now)
    if StarshipWeek.objects.filter(week=week).exists():
        return 0
    fleet = offered_starships(section=Starship.Section.FLEET).select_related("rating")
    chosen = (
        fleet.annotate(last=Max("weeks__week"))
        .order_by(
            F("last").asc(nulls_first=True),
            F("rating__shrunk").desc(nulls_last=True),
            Coalesce("launched_at", "created_at"),
            "pk",
        )
        .first()
    )
    if chosen is None:
        return 0
    rating = getattr(chosen, "rating", None)
    kept = {"starship": chosen, "stars": rating and rating.stars, "before": chosen.last, "chosen_at": now}
    return int(StarshipWeek.objects.get_or_create(week=week, defaults=kept)[1])
