"""Rate finished games, count them for their month, close months, and recalculate."""

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
    keep_pool,
    outcome_in,
    outcome_of,
    pool_of,
    rating_row,
    shift_rows,
    standing_of,
    write_outcome,
)
from games.work import jobs
from games.work.models import EndedGame

# --- One result ---------------------------------------------------------------------------------------------


def lock_all(*, wait: bool) -> RatingPool | None:
    """Lock the overall pool. Without ``wait``, return None if another worker has it."""
    RatingPool.objects.bulk_create([RatingPool(key=OVERALL)], ignore_conflicts=True)
    return RatingPool.objects.select_for_update(skip_locked=not wait).filter(pk=OVERALL).first()


def add_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Store the result of a game with the next number. The overall pool is locked."""
    last = Result.objects.aggregate(last=Max("seq"))["last"] or 0
    return Result.objects.create(
        of_game=of_game,
        seq=last + 1,
        ruleset=ruleset,
        outcome=write_outcome(outcome),
        ended_at=outcome.ended_at,
    )


def is_late(ruleset: str, outcome: Outcome) -> bool:
    """Return whether a result must apply before some that were applied already.

    False if its players have played no later game, and no later month has begun.
    """
    month = outcome.ended_at.date().replace(day=1)
    played = PlayerRating.objects.filter(pool=OVERALL, user__in=outcome.people)
    return (
        played.filter(played_at__gte=outcome.ended_at).exists()
        or RatingPool.objects.filter(pk__in=(OVERALL, ruleset), month__gt=month).exists()
    )


def apply_result(result: Result, outcome: Outcome) -> None:
    """Apply a result that is not late to its pools. The overall pool is locked."""
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
    keep_ratings(row.key, standings)
    RatingShift.objects.bulk_create(shift_rows(row.key, pool.shifts))
    keep_pool(row, pool)
    row.save()


def rating_after(
    pool: Pool, key: str, result: Result, outcome: Outcome, known: dict[int, Standing]
) -> tuple[list[RatingChange], dict[int, Standing]]:
    """Apply a result to a pool in memory. Return the rating changes and new standings."""
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


def keep_ratings(key: str, standings: dict[int, Standing]) -> None:
    """Create or update the ratings in a pool."""
    PlayerRating.objects.bulk_create(
        [rating_row(key, person, standing) for person, standing in sorted(standings.items())],
        update_conflicts=True,
        unique_fields=["user", "pool"],
        update_fields=[*STANDING_COLUMNS, "listed"],
        batch_size=2000,
    )


def _met(key: str, person: int, so_far: int) -> int:
    """Return the number of people met, with this result, up to `LISTED_OPPONENTS`."""
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
"""Results to read at once."""

CHANGE_COLUMNS: Final = ("side", "rank", "mu_before", "mu", "sigma", "played_at")


@dataclass(slots=True)
class Recounted:
    """The number of results and of corrected rows."""

    results: int = 0
    put_right: int = 0


class _Pools:
    """Ratings to recalculate in memory: pools, standings and people met."""

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


def recount_ratings() -> Recounted:
    """Read all games again and recalculate all ratings. Return the corrections.

    Games that ended before there were ratings are rated too. Raises ValueError or LookupError if a log cannot
    be read.
    """
    revised = [each for results in _results_at_once(_results()) for each in _revised(results)]
    unrated = _unrated()
    with transaction.atomic():
        lock_all(wait=True)
        put_right = sum(_add_revision(result, document) for result, document in revised)
        put_right += sum(_rate(*each) for each in unrated)
        done = apply_again()
        done.put_right += put_right
    return done


def apply_again() -> Recounted:
    """Apply all results again in the order of games' ends. The overall pool is locked.

    Returns the numbers of results and of rows that differed.
    """
    done, found = Recounted(), _Pools()
    for results in _results_at_once(_results()):
        done.results += len(results)
        done.put_right += _put_changes_right(results, found)
    done.put_right += _put_pools_right(found) + _put_ratings_right(found)
    return done


def _results() -> QuerySet[Result]:
    """Return the latest revision of each result, in the order of games' ends."""
    ordered = Result.objects.order_by("ended_at", "of_game", "-revision")
    return ordered.distinct("ended_at", "of_game")


def _results_at_once(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield rows in lists of `RESULTS_PER_QUERY`."""
    every = rows.iterator(chunk_size=RESULTS_PER_QUERY)
    while few := list(islice(every, RESULTS_PER_QUERY)):
        yield few


# Results


def _revised(results: Sequence[Result]) -> Iterator[tuple[Result, Document]]:
    """Yield the results that differ from their games' logs, with new documents.

    The result of a deleted game stays as it is.
    """
    keys = [result.of_game for result in results]
    games = Game.objects.select_related("revision", "course").in_bulk(keys)
    for result in results:
        game = games.get(result.of_game)
        if game and (document := write_outcome(outcome_of(game))) != result.outcome:
            yield result, document


def _add_revision(result: Result, document: Document) -> bool:
    """Add a revision of a result. Return False if it was revised meanwhile."""
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
    """Return rated games without a result: number, ruleset and outcome."""
    over = Game.objects.filter(LEAVES_RECORDS, status=Game.Status.OVER, seats__gt=1, mission=None)
    rated = Result.objects.filter(of_game=OuterRef("pk"))
    games = over.filter(~Exists(rated)).select_related("revision", "course").order_by("ended_at", "pk")
    found = (
        (game.pk, game.ruleset, outcome_of(game)) for game in games.iterator(chunk_size=RESULTS_PER_QUERY)
    )
    return [(game, ruleset, outcome) for game, ruleset, outcome in found if outcome is not None]


def _rate(of_game: int, ruleset: str, outcome: Outcome) -> bool:
    """Add the result of a game. Return False if it was rated or deleted meanwhile."""
    if Result.objects.filter(of_game=of_game).exists() or not Game.objects.filter(pk=of_game).exists():
        return False
    jobs.ended_games(RESULTS_JOB).filter(game=of_game).delete()
    add_result(of_game=of_game, ruleset=ruleset, outcome=outcome)
    return True


# Ratings


def _put_changes_right(results: Sequence[Result], found: _Pools) -> int:
    """Apply some results and correct their rating changes. Return how many differed."""
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


def _put_pools_right(found: _Pools) -> int:
    wrong = 0
    for key, pool in found.pools.items():
        row = RatingPool.objects.filter(pk=key).first() or RatingPool(key=key)
        if keep_pool(row, pool):
            row.save()
            wrong += 1
        shifts = shift_rows(key, pool.shifts)
        kept = list(RatingShift.objects.filter(pool=key).order_by("month"))
        told = [[(each.month, each.error, each.amount) for each in rows] for rows in (kept, shifts)]
        if told[0] != told[1]:
            RatingShift.objects.filter(pool=key).delete()
            RatingShift.objects.bulk_create(shifts)
            wrong += 1
    return wrong


def _put_ratings_right(found: _Pools) -> int:
    wrong = 0
    for row in PlayerRating.objects.iterator(chunk_size=RESULTS_PER_QUERY):
        standing = found.standings[row.pool_id].get(row.user_id)
        if standing is None:
            row.delete()
            wrong += 1
        elif not _differ(row, rating_row(row.pool_id, row.user_id, standing), STANDING_COLUMNS):
            del found.standings[row.pool_id][row.user_id]
    for key, standings in found.standings.items():
        keep_ratings(key, standings)
        wrong += len(standings)
    return wrong


# --- Results of games that ended ----------------------------------------------------------------------------


RESULTS_JOB: Final = "results"


def apply_results(*, now: datetime) -> int:
    """Rate finished games not processed yet. Return how many."""
    return jobs.count_ended_games(RESULTS_JOB, jobs.ended_games(RESULTS_JOB), rate_game, now=now)


def unlist_idle(*, now: datetime) -> int:
    """Unlist players without a game within `IDLE_AFTER`. Return how many."""
    return PlayerRating.objects.filter(listed=True, played_at__lt=now - IDLE_AFTER).update(listed=False)


def rate_game(game_id: int) -> bool:
    """Rate a game. Return False if another worker has the lock: the next pass retries."""
    game = Game.objects.select_related("revision", "course").get(pk=game_id)
    outcome = outcome_of(game)
    if outcome is not None:
        if lock_all(wait=False) is None:
            return False
        if not Result.objects.filter(of_game=game.pk).exists():
            keep_result(of_game=game.pk, ruleset=game.ruleset, outcome=outcome)
    return True


def keep_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Store a game's result and apply it in order. The overall pool is locked."""
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
    """Return whether a game may count for its month."""
    return game.mission_id is None and not game.is_test_flight


def count_months(*, now: datetime) -> int:
    """Add finished games to their months once they are rated. Return how many."""
    return jobs.count_ended_games(MONTHS_JOB, _rated(), count_game, now=now)


def _rated() -> QuerySet[EndedGame]:
    """Return the games to count: those already processed for ratings."""
    unrated = EndedGame.objects.filter(job=RESULTS_JOB, game=OuterRef("game"))
    return jobs.ended_games(MONTHS_JOB).filter(~Exists(unrated))


def count_game(game_id: int) -> bool:
    """Count a game for its month. Return False if another worker has the lock."""
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
    """Recalculate all months from the games. Return how many rows changed.

    Awards stay. Reads the logs without a lock, then locks the overall pool and adds games counted meanwhile.
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
    """Add the figures of games to ``found``. Return the numbers of the games."""
    read: set[int] = set()
    for game in games.select_related("revision", "course").iterator(chunk_size=GAMES_PER_PASS):
        read.add(game.pk)
        for person, row in figures_of(game).items():
            total = found.setdefault((person, row.month), PlayerMonth(user_id=person, month=row.month))
            for name in FIGURES:
                setattr(total, name, getattr(total, name) + getattr(row, name))
    return read


def _games() -> QuerySet[Game]:
    """Return all games that count for months: rated, or on a prototype."""
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
"""Longest wait of an ended month for uncounted games."""


def close_months(*, now: datetime) -> int:
    """Close past months. Return how many."""
    closed = set(MonthClose.objects.values_list("month", flat=True))
    months = [month for month in _over(month_of(now)) if month not in closed]
    played = (month for month in months if PlayerMonth.objects.filter(month=month).exists())
    return sum(close_month(month, now=now) for month in played)


def _over(running: date) -> Iterator[date]:
    """Yield all months from the first with figures to the one before the current."""
    month = PlayerMonth.objects.aggregate(first=Min("month"))["first"] or running
    while month < running:
        yield month
        month = next_month(month)


def close_month(month: date, *, now: datetime) -> bool:
    """Make the awards of a past month. Return whether this call did it.

    Waits for games that were not counted yet. If two workers run at once, only the first makes the awards.
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
