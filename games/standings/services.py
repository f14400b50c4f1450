"""Rate finished games, add them to players' monthly figures, make monthly awards, and recalculate."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet

from games.play.models import LEAVES_RECORDS, Game
from games.standings.awards import AWARDS, month_of, next_month
from games.standings.models import (
    OVERALL,
    Award,
    MonthClose,
    PlayerMonth,
    PlayerRating,
    RatingChange,
    RatingPool,
    RatingShift,
    Result,
)
from games.standings.ratings import LISTED_OPPONENTS, Outcome, Pool, Standing
from games.standings.selectors.awards import FIGURES, figures_of, winners
from games.standings.selectors.results import (
    IDLE_AFTER,
    STANDING_COLUMNS,
    Document,
    outcome_in,
    outcome_of,
    pool_of,
    rating_row,
    shift_rows,
    standing_of,
    update_pool_row,
    write_outcome,
)
from games.work import jobs
from games.work.models import EndedGame

# --- One result ---------------------------------------------------------------------------------------------


def lock_all(*, wait: bool) -> RatingPool | None:
    """Lock and return the overall rating pool, so that no other worker changes ratings.

    Without ``wait``, returns None if another worker has locked it.
    """
    RatingPool.objects.bulk_create([RatingPool(key=OVERALL)], ignore_conflicts=True)
    return RatingPool.objects.select_for_update(skip_locked=not wait).filter(pk=OVERALL).first()


def add_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Store the result of a game with the next free ``seq``. The caller must lock the overall pool."""
    last = Result.objects.aggregate(last=Max("seq"))["last"] or 0
    return Result.objects.create(
        of_game=of_game,
        seq=last + 1,
        ruleset=ruleset,
        outcome=write_outcome(outcome),
        ended_at=outcome.ended_at,
    )


def is_late(ruleset: str, outcome: Outcome) -> bool:
    """Return whether a result must be applied before results that were already applied.

    True if one of its players has a rated game that ended later or at the same time, or if a result of a
    later month was applied.
    """
    month = outcome.ended_at.date().replace(day=1)
    played = PlayerRating.objects.filter(pool=OVERALL, user__in=outcome.people)
    return (
        played.filter(played_at__gte=outcome.ended_at).exists()
        or RatingPool.objects.filter(pk__in=(OVERALL, ruleset), month__gt=month).exists()
    )


def apply_result(result: Result, outcome: Outcome) -> None:
    """Apply a result to two pools: the pool of its ruleset, and the overall pool.

    The result must not be late (`is_late`). The caller must lock the overall pool.
    """
    RatingPool.objects.bulk_create([RatingPool(key=result.ruleset)], ignore_conflicts=True)
    for row in RatingPool.objects.filter(pk__in=(OVERALL, result.ruleset)).order_by("pk"):
        _apply_to(row, result, outcome)


def _apply_to(row: RatingPool, result: Result, outcome: Outcome) -> None:
    rows = PlayerRating.objects.filter(pool=row, user__in=outcome.people)
    known = {each.user_id: standing_of(each) for each in rows}
    pool = pool_of(row)
    changes, standings = rating_after(pool, row.key, result, outcome, known)
    RatingChange.objects.bulk_create(changes)
    standings = {
        person: replace(each, met=_met(row.key, person, each.met)) for person, each in standings.items()
    }
    save_ratings(row.key, standings)
    RatingShift.objects.bulk_create(shift_rows(row.key, pool.shifts))
    update_pool_row(row, pool)
    row.save()


def rating_after(
    pool: Pool, key: str, result: Result, outcome: Outcome, known: dict[int, Standing]
) -> tuple[list[RatingChange], dict[int, Standing]]:
    """Apply a result to a pool in memory. Return the players' rating changes and new standings, unsaved."""
    applied = pool.apply(outcome, known)
    changes = [
        RatingChange(
            result=result,
            pool_id=key,
            user_id=member.person,
            seq=result.seq,
            side=number,
            rank=outcome.rank_of(member.person),
            mu_before=applied[member.person][0].mu,
            mu=applied[member.person][1].mu,
            sigma=applied[member.person][1].sigma,
            played_at=result.ended_at,
        )
        for number, side in enumerate(outcome.finishes)
        for member in side.members
        if member.person is not None
    ]
    return changes, {person: standing for person, (_, standing) in applied.items()}


def save_ratings(key: str, standings: dict[int, Standing]) -> None:
    """Create or update the ratings of people in a pool."""
    PlayerRating.objects.bulk_create(
        [rating_row(key, person, standing) for person, standing in sorted(standings.items())],
        update_conflicts=True,
        unique_fields=["user", "pool"],
        update_fields=[*STANDING_COLUMNS, "listed"],
        batch_size=2000,
    )


def _met(key: str, person: int, so_far: int) -> int:
    """Return the number of a person's opponents in a pool, counted up to `LISTED_OPPONENTS`.

    The caller must already have stored the rating changes of the latest result. ``so_far`` is the number
    before that result.
    """
    if so_far >= LISTED_OPPONENTS:
        return so_far
    mine = RatingChange.objects.filter(pool=key, user=person).values_list("result", "side")
    sides = dict(mine)
    others = RatingChange.objects.filter(pool=key, result__in=list(sides)).values_list(
        "result", "side", "user"
    )
    met = {user for result, side, user in others if side != sides[result]}
    return min(len(met), LISTED_OPPONENTS)


# --- Ratings, calculated again ------------------------------------------------------------------------------


RESULTS_PER_QUERY: Final = 500
"""The number of results to read in one query."""

CHANGE_COLUMNS: Final = ("side", "rank", "mu_before", "mu", "sigma", "played_at")


@dataclass(slots=True)
class RatingsRecount:
    """The number of recalculated results, and the number of corrected rows."""

    results: int = 0
    corrected: int = 0


class _Pools:
    """Ratings that are recalculated in memory: pools, people's standings, and the opponents they have met."""

    def __init__(self) -> None:
        self.pools: defaultdict[str, Pool] = defaultdict(Pool)
        self.standings: defaultdict[str, dict[int, Standing]] = defaultdict(dict)
        self.met: defaultdict[tuple[str, int], set[int]] = defaultdict(set)

    def apply(self, result: Result) -> Iterator[RatingChange]:
        """Apply a result, and yield its rating changes."""
        outcome = outcome_in(result)
        if not outcome.finishes:
            return
        for key in sorted((OVERALL, result.ruleset)):
            known = self.standings[key]
            changes, standings = rating_after(self.pools[key], key, result, outcome, known)
            for person, standing in standings.items():
                met = self.met[key, person]
                if len(met) < LISTED_OPPONENTS:
                    met |= outcome.opponents(person)
                known[person] = replace(standing, met=min(len(met), LISTED_OPPONENTS))
            yield from changes


def recount_ratings() -> RatingsRecount:
    """Read all games again, and recalculate all ratings. Return the numbers of results and corrected rows.

    Games that ended before the site had ratings are rated too. Raises ValueError or LookupError if a game's
    log cannot be read.
    """
    revised = [each for results in _results_at_once(_results()) for each in _revised(results)]
    unrated = _unrated()
    with transaction.atomic():
        lock_all(wait=True)
        corrected = sum(_add_revision(result, document) for result, document in revised)
        corrected += sum(_rate(*each) for each in unrated)
        done = apply_again()
        done.corrected += corrected
    return done


def apply_again() -> RatingsRecount:
    """Apply all results again, sorted by the end of their games.

    The caller must lock the overall pool. Returns the number of results, and the number of corrected rows.
    """
    done, found = RatingsRecount(), _Pools()
    for results in _results_at_once(_results()):
        done.results += len(results)
        done.corrected += _correct_changes(results, found)
    done.corrected += _correct_pools(found) + _correct_ratings(found)
    return done


def _results() -> QuerySet[Result]:
    """Return the latest revision of each result, sorted by the end of its game."""
    ordered = Result.objects.order_by("ended_at", "of_game", "-revision")
    return ordered.distinct("ended_at", "of_game")


def _results_at_once(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield the rows of a query in lists of at most `RESULTS_PER_QUERY`."""
    every = rows.iterator(chunk_size=RESULTS_PER_QUERY)
    while few := list(islice(every, RESULTS_PER_QUERY)):
        yield few


# Results


def _revised(results: Sequence[Result]) -> Iterator[tuple[Result, Document]]:
    """Yield each result that differs from its game's log, with the correct document.

    The result of a deleted game stays as it is.
    """
    keys = [result.of_game for result in results]
    games = Game.objects.select_related("revision", "course").in_bulk(keys)
    for result in results:
        game = games.get(result.of_game)
        if game and (document := write_outcome(outcome_of(game))) != result.outcome:
            yield result, document


def _add_revision(result: Result, document: Document) -> bool:
    """Add a revision of a result. Return False if another worker has revised it meanwhile."""
    if Result.objects.filter(of_game=result.of_game, revision__gt=result.revision).exists():
        return False
    Result.objects.create(
        of_game=result.of_game,
        revision=result.revision + 1,
        seq=result.seq,
        ruleset=result.ruleset,
        outcome=document,
        ended_at=result.ended_at,
    )
    return True


def _unrated() -> list[tuple[int, str, Outcome]]:
    """Return the games that should be rated but have no result: ID, ruleset and outcome of each."""
    over = Game.objects.filter(LEAVES_RECORDS, status=Game.Status.OVER, seats__gt=1, mission=None)
    rated = Result.objects.filter(of_game=OuterRef("pk"))
    games = over.filter(~Exists(rated)).select_related("revision", "course").order_by("ended_at", "pk")
    found = (
        (game.pk, game.ruleset, outcome_of(game)) for game in games.iterator(chunk_size=RESULTS_PER_QUERY)
    )
    return [(game, ruleset, outcome) for game, ruleset, outcome in found if outcome is not None]


def _rate(of_game: int, ruleset: str, outcome: Outcome) -> bool:
    """Store the result of a game. Return False if the game was rated or deleted meanwhile."""
    if Result.objects.filter(of_game=of_game).exists() or not Game.objects.filter(pk=of_game).exists():
        return False
    jobs.ended_games(RESULTS_JOB).filter(game=of_game).delete()
    add_result(of_game=of_game, ruleset=ruleset, outcome=outcome)
    return True


# Ratings


def _correct_changes(results: Sequence[Result], found: _Pools) -> int:
    """Apply results in memory, and correct their stored rating changes.

    Returns the number of corrected rows.
    """
    seqs = [result.seq for result in results]
    kept = {(row.seq, row.pool_id, row.user_id): row for row in RatingChange.objects.filter(seq__in=seqs)}
    wrong: list[RatingChange] = []
    for result in results:
        for change in found.apply(result):
            row = kept.get((change.seq, change.pool_id, change.user_id))
            if row is None or row.result_id != change.result_id or _differ(row, change, CHANGE_COLUMNS):
                wrong.append(change)
            else:
                del kept[row.seq, row.pool_id, row.user_id]
    RatingChange.objects.filter(pk__in=[row.pk for row in kept.values()]).delete()
    RatingChange.objects.bulk_create(wrong)
    return len(wrong) + len(kept.keys() - {(row.seq, row.pool_id, row.user_id) for row in wrong})


def _differ(row: Any, other: Any, names: Sequence[str]) -> bool:
    return any(getattr(row, name) != getattr(other, name) for name in names)


def _correct_pools(found: _Pools) -> int:
    wrong = 0
    for key, pool in found.pools.items():
        row = RatingPool.objects.filter(pk=key).first() or RatingPool(key=key)
        if update_pool_row(row, pool):
            row.save()
            wrong += 1
        shifts = shift_rows(key, pool.shifts)
        kept = list(RatingShift.objects.filter(pool=key).order_by("month"))
        before, after = ([(each.month, each.error, each.amount) for each in rows] for rows in (kept, shifts))
        if before != after:
            RatingShift.objects.filter(pool=key).delete()
            RatingShift.objects.bulk_create(shifts)
            wrong += 1
    return wrong


def _correct_ratings(found: _Pools) -> int:
    wrong = 0
    for row in PlayerRating.objects.iterator(chunk_size=RESULTS_PER_QUERY):
        standing = found.standings[row.pool_id].get(row.user_id)
        if standing is None:
            row.delete()
            wrong += 1
        elif not _differ(row, rating_row(row.pool_id, row.user_id, standing), STANDING_COLUMNS):
            del found.standings[row.pool_id][row.user_id]
    for key, standings in found.standings.items():
        save_ratings(key, standings)
        wrong += len(standings)
    return wrong


# --- Results of games that ended ----------------------------------------------------------------------------


RESULTS_JOB: Final = "results"


def apply_results(*, now: datetime) -> int:
    """Rate the finished games that were not processed yet. Return their number."""
    return jobs.count_ended_games(RESULTS_JOB, jobs.ended_games(RESULTS_JOB), rate_game, now=now)


def unlist_idle(*, now: datetime) -> int:
    """Remove players without a game within `IDLE_AFTER` from the list of the best players.

    Return their number.
    """
    return PlayerRating.objects.filter(listed=True, played_at__lt=now - IDLE_AFTER).update(listed=False)


def rate_game(game_id: int) -> bool:
    """Rate a game. Return False if another worker has locked the pools. Then the next pass tries again."""
    game = Game.objects.select_related("revision", "course").get(pk=game_id)
    outcome = outcome_of(game)
    if outcome is not None:
        if lock_all(wait=False) is None:
            return False
        if not Result.objects.filter(of_game=game.pk).exists():
            save_result(of_game=game.pk, ruleset=game.ruleset, outcome=outcome)
    return True


def save_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Store a game's result, and apply it. If it is late, apply all results again, in order.

    The caller must lock the overall pool.
    """
    late = is_late(ruleset, outcome)
    result = add_result(of_game=of_game, ruleset=ruleset, outcome=outcome)
    if late:
        apply_again()
    else:
        apply_result(result, outcome)
    return result


# --- Months -------------------------------------------------------------------------------------------------


MONTHS_JOB: Final = "months"

GAMES_PER_PASS: Final = 500


def may_count(game: Game) -> bool:
    """Return whether a game may count for players' monthly figures.

    Missions, test flights and games that began at a position may not.
    """
    return game.mission_id is None and not game.is_test_flight and not game.is_played_on


def count_months(*, now: datetime) -> int:
    """Add finished games already processed for ratings to monthly figures. Return the number of games."""
    return jobs.count_ended_games(MONTHS_JOB, _rated(), count_game, now=now)


def _rated() -> QuerySet[EndedGame]:
    """Return the games to add to monthly figures: those already processed for ratings."""
    unrated = EndedGame.objects.filter(job=RESULTS_JOB, game=OuterRef("game"))
    return jobs.ended_games(MONTHS_JOB).filter(~Exists(unrated))


def count_game(game_id: int) -> bool:
    """Add a game to its players' monthly figures.

    Returns False if another worker has locked the pools. Then the next pass tries again.
    """
    rows = figures_of(Game.objects.select_related("revision", "course").get(pk=game_id))
    if lock_all(wait=False) is None:
        return False
    PlayerMonth.objects.bulk_create(
        [PlayerMonth(user_id=person, month=row.month) for person, row in sorted(rows.items())],
        ignore_conflicts=True,
    )
    for person, row in sorted(rows.items()):
        added = {name: F(name) + getattr(row, name) for name in FIGURES if getattr(row, name)}
        PlayerMonth.objects.filter(user=person, month=row.month).update(**added)
    return True


def recount_months() -> int:
    """Recalculate all players' monthly figures from the games. Return the number of changed rows.

    Does not change awards. First reads the games' logs without a lock. Then locks the overall pool, and adds
    the games that other workers counted meanwhile.
    """
    found: dict[tuple[int, date], PlayerMonth] = {}
    read = _add_figures(_games(), found)
    with transaction.atomic():
        lock_all(wait=True)
        noted = set(jobs.ended_games(MONTHS_JOB).values_list("game", flat=True))
        counted = [key for key in _games().values_list("pk", flat=True) if key not in read | noted]
        _add_figures(_games().filter(pk__in=counted), found)
        _rated().filter(game__in=noted & read).delete()
        return _put_right(found)


def _add_figures(games: QuerySet[Game], found: dict[tuple[int, date], PlayerMonth]) -> set[int]:
    """Add the figures of games to ``found``, the rows by user ID and month. Return the games' IDs."""
    read: set[int] = set()
    for game in games.select_related("revision", "course").iterator(chunk_size=GAMES_PER_PASS):
        read.add(game.pk)
        for person, row in figures_of(game).items():
            total = found.setdefault((person, row.month), PlayerMonth(user_id=person, month=row.month))
            for name in FIGURES:
                setattr(total, name, getattr(total, name) + getattr(row, name))
    return read


def _games() -> QuerySet[Game]:
    """Return all games that count for monthly figures: rated games, and games on prototypes."""
    rated = Result.objects.filter(of_game=OuterRef("pk"))
    over = Game.objects.filter(Q(Exists(rated)) | Q(revision__prototype=True), status=Game.Status.OVER)
    return over.order_by("pk")


def _put_right(found: dict[tuple[int, date], PlayerMonth]) -> int:
    wrong: list[PlayerMonth] = []
    strays: list[int] = []
    for row in PlayerMonth.objects.iterator(chunk_size=GAMES_PER_PASS):
        total = found.pop((row.user_id, row.month), None)
        if total is None:
            strays.append(row.pk)
        elif _differ(row, total, FIGURES):
            wrong.append(total)
    wrong += found.values()
    PlayerMonth.objects.filter(pk__in=strays).delete()
    PlayerMonth.objects.bulk_create(
        wrong,
        update_conflicts=True,
        unique_fields=["user", "month"],
        update_fields=FIGURES,
        batch_size=GAMES_PER_PASS,
    )
    return len(wrong) + len(strays)


# --- Closing months -----------------------------------------------------------------------------------------


WAIT_FOR_GAMES: Final = timedelta(days=3)
"""The longest wait after the end of a month for games that were not counted yet."""


def close_months(*, now: datetime) -> int:
    """Close past months: make their awards. Return the number of months closed."""
    closed = set(MonthClose.objects.values_list("month", flat=True))
    months = [month for month in _past_months(month_of(now)) if month not in closed]
    played = (month for month in months if PlayerMonth.objects.filter(month=month).exists())
    return sum(close_month(month, now=now) for month in played)


def _past_months(running: date) -> Iterator[date]:
    """Yield all months before the current month, ``running``, from the first one with figures."""
    month = PlayerMonth.objects.aggregate(first=Min("month"))["first"] or running
    while month < running:
        yield month
        month = next_month(month)


def close_month(month: date, *, now: datetime) -> bool:
    """Make the awards of a past month. Return whether this call made them.

    Does nothing while games of the month are not counted yet, for up to `WAIT_FOR_GAMES`. If two workers run
    at once, only the first makes the awards.
    """
    end = datetime.combine(next_month(month), time(), UTC)
    if jobs.ended_games(MONTHS_JOB).filter(game__ended_at__lt=end).exists() and now < end + WAIT_FOR_GAMES:
        return False
    try:
        with transaction.atomic():
            close = MonthClose.objects.create(month=month, closed_at=now)
            Award.objects.bulk_create(
                Award(close=close, key=key, user_id=each.user_id, place=each.place, value=each.value)
                for key in AWARDS
                for each in winners(key=key, month=month)
            )
    except IntegrityError:
        if MonthClose.objects.filter(month=month).exists():
            return False
        raise
    return True
