"""Making results and ratings again from the logs, with the same outcome to the last column.

The logs are read first. Then all rows are written in one transaction, in which the pool of all is held:
results of games that end meanwhile wait for it. A recount that was broken off has done nothing, and can be
repeated.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.play.models import LEAVES_RECORDS, Game
from games.ratings.fold import LISTED_OPPONENTS, Outcome, Pool, Standing
from games.ratings.models import (
    ALL,
    PendingResult,
    PlayerRating,
    RatingChange,
    RatingPool,
    RatingShift,
    Result,
)
from games.ratings.selectors.outcomes import outcome_of
from games.ratings.services.changes import add_result, after, hold_all, keep_ratings
from games.ratings.stored import (
    STANDING,
    Document,
    keep_pool,
    outcome_in,
    rating_row,
    shift_rows,
    write_outcome,
)

AT_ONCE: Final = 500
"""Results that are read at once."""

CHANGE: Final = ("side", "rank", "mu_before", "mu", "sigma", "played_at")


@dataclass(slots=True)
class Recounted:
    """How many results there are, and how many rows a recount put right."""

    results: int = 0
    put_right: int = 0


class _Pools:
    """Ratings that are folded again in memory: pools, where people stand, and whom they have met."""

    def __init__(self) -> None:
        self.pools: defaultdict[str, Pool] = defaultdict(Pool)
        self.standings: defaultdict[str, dict[int, Standing]] = defaultdict(dict)
        self.met: defaultdict[tuple[str, int], set[int]] = defaultdict(set)

    def apply(self, result: Result) -> Iterator[RatingChange]:
        """Apply a result, and yield the changes that it makes."""
        outcome = outcome_in(result)
        if not outcome.finishes:
            return
        for key in sorted((ALL, result.ruleset)):
            known = self.standings[key]
            changes, standings = after(self.pools[key], key, result, outcome, known)
            for person, standing in standings.items():
                met = self.met[key, person]
                if len(met) < LISTED_OPPONENTS:
                    met |= outcome.opponents(person)
                known[person] = replace(standing, met=min(len(met), LISTED_OPPONENTS))
            yield from changes


def recount_ratings() -> Recounted:
    """Read all games again, and make all ratings again; return what was put right.

    Games that ended before there were ratings are rated as well. Raises ValueError or LookupError if a log
    cannot be read.
    """
    revised = [each for results in _some(_results()) for each in _revised(results)]
    unrated = _unrated()
    with transaction.atomic():
        hold_all(wait=True)
        put_right = sum(_add_revision(result, document) for result, document in revised)
        put_right += sum(_rate(*each) for each in unrated)
        done = apply_again()
        done.put_right += put_right
    return done


def apply_again() -> Recounted:
    """Apply all results again, in the order in which their games ended; the pool of all is held.

    Return how many results there are, and how many rows differed.
    """
    done, found = Recounted(), _Pools()
    for results in _some(_results()):
        done.results += len(results)
        done.put_right += _put_changes_right(results, found)
    done.put_right += _put_pools_right(found) + _put_ratings_right(found)
    return done


def _results() -> QuerySet[Result]:
    """Return the latest revision of each result, in the order in which games ended."""
    ordered = Result.objects.order_by("ended_at", "of_game", "-revision")
    return ordered.distinct("ended_at", "of_game")


def _some(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield rows, a few hundred at a time."""
    every = rows.iterator(chunk_size=AT_ONCE)
    while few := list(islice(every, AT_ONCE)):
        yield few


# Results


def _revised(results: Sequence[Result]) -> Iterator[tuple[Result, Document]]:
    """Yield the results whose games' logs have changed, with what the logs say now.

    The result of a deleted game stays as it is.
    """
    keys = [result.of_game for result in results]
    games = Game.objects.select_related("revision", "course").in_bulk(keys)
    for result in results:
        game = games.get(result.of_game)
        if game and (document := write_outcome(outcome_of(game))) != result.outcome:
            yield result, document


def _add_revision(result: Result, document: Document) -> bool:
    """Add a revision of a result; return False if it was revised since it was read."""
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
    """Return the games that are to be rated and have no result: number, ruleset and outcome."""
    over = Game.objects.filter(LEAVES_RECORDS, status=Game.Status.OVER, seats__gt=1, mission=None)
    rated = Result.objects.filter(of_game=OuterRef("pk"))
    games = over.filter(~Exists(rated)).select_related("revision", "course").order_by("ended_at", "pk")
    found = ((game.pk, game.ruleset, outcome_of(game)) for game in games.iterator(chunk_size=AT_ONCE))
    return [(game, ruleset, outcome) for game, ruleset, outcome in found if outcome is not None]


def _rate(of_game: int, ruleset: str, outcome: Outcome) -> bool:
    """Add the result of a game; return False if it was rated or deleted since it was read."""
    if Result.objects.filter(of_game=of_game).exists() or not Game.objects.filter(pk=of_game).exists():
        return False
    PendingResult.objects.filter(pk=of_game).delete()
    add_result(of_game=of_game, ruleset=ruleset, outcome=outcome)
    return True


# Ratings


def _put_changes_right(results: Sequence[Result], found: _Pools) -> int:
    """Apply some results, and bring the rows of their changes in line; return how many rows differed."""
    seqs = [result.seq for result in results]
    kept = {(row.seq, row.pool_id, row.user_id): row for row in RatingChange.objects.filter(seq__in=seqs)}
    wrong: list[RatingChange] = []
    for result in results:
        for change in found.apply(result):
            row = kept.get((change.seq, change.pool_id, change.user_id))
            if row is None or row.result_id != change.result_id or _differ(row, change, CHANGE):
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
    for row in PlayerRating.objects.iterator(chunk_size=AT_ONCE):
        standing = found.standings[row.pool_id].get(row.user_id)
        if standing is None:
            row.delete()
        elif not _differ(row, rating_row(row.pool_id, row.user_id, standing), STANDING):
            del found.standings[row.pool_id][row.user_id]
            continue
        else:
            continue
        wrong += 1
    for key, standings in found.standings.items():
        keep_ratings(key, standings)
        wrong += len(standings)
    return wrong
