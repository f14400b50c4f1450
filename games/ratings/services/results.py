"""Applying the results of games to ratings: each once, one after the other, in the order of their numbers.

A game is noted in the transaction in which it ends. Soon after, the sweeper has its result made from the log,
and applied to two pools, that of its ruleset and that of all, in one transaction. The row of the pool of all
is held meanwhile.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import Max

from games import jobs
from games.play.models import Game
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
from games.ratings.stored import (
    IDLE,
    STANDING,
    keep_pool,
    pool_of,
    rating_row,
    shift_rows,
    standing_of,
    write_outcome,
)

MOST: Final = 200
"""Games that one pass of the sweeper looks at; the next one goes on."""


def note_ended(*, game: Game) -> None:
    """Note that a game, whose row is held, is over and may be rated."""
    if game.status == Game.Status.OVER and game.leaves_records:
        PendingResult.objects.bulk_create([PendingResult(game=game)], ignore_conflicts=True)


def apply_results(*, now: datetime) -> int:
    """Rate games that are over and were not looked at; return how many were looked at."""
    return jobs.each("results", PendingResult.objects.order_by("pk"), settle, most=MOST, now=now)


def unlist_idle(*, now: datetime) -> int:
    """Have those who have not played for a while not be listed any more; return how many those were."""
    return PlayerRating.objects.filter(listed=True, played_at__lt=now - IDLE).update(listed=False)


def settle(game_id: int) -> int:
    """Rate a game that was noted; while others are at it, or recount, it waits for the next pass."""
    pending = PendingResult.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
    if pending is None or hold_all(wait=False) is None:
        return 0
    game = Game.objects.select_related("revision", "course").get(pk=game_id)
    outcome = outcome_of(game)
    if outcome is not None and not Result.objects.filter(of_game=game.pk).exists():
        apply(add_result(game, outcome), outcome)
    pending.delete()
    return 1


def hold_all(*, wait: bool) -> RatingPool | None:
    """Hold the pool of all until the transaction ends; return None where another has it, without ``wait``."""
    RatingPool.objects.bulk_create([RatingPool(key=ALL)], ignore_conflicts=True)
    return RatingPool.objects.select_for_update(skip_locked=not wait).filter(pk=ALL).first()


def add_result(game: Game, outcome: Outcome) -> Result:
    """Keep how a game ended, with the next number; the pool of all is held."""
    last = Result.objects.aggregate(last=Max("seq"))["last"] or 0
    return Result.objects.create(
        of_game=game.pk,
        seq=last + 1,
        ruleset=game.ruleset,
        outcome=write_outcome(outcome),
        ended_at=outcome.ended_at,
    )


def apply(result: Result, outcome: Outcome) -> None:
    """Apply a result, the latest, to its pools; the pool of all is held."""
    RatingPool.objects.bulk_create([RatingPool(key=result.ruleset)], ignore_conflicts=True)
    for row in RatingPool.objects.filter(pk__in=(ALL, result.ruleset)).order_by("pk"):
        _apply_to(row, result, outcome)


def _apply_to(row: RatingPool, result: Result, outcome: Outcome) -> None:
    rows = PlayerRating.objects.filter(pool=row, user__in=outcome.people)
    known = {each.user_id: standing_of(each) for each in rows}
    pool = pool_of(row)
    changes, standings = after(pool, row.key, result, outcome, known)
    RatingChange.objects.bulk_create(changes)
    standings = {
        person: replace(each, met=_met(row.key, person, each.met)) for person, each in standings.items()
    }
    keep_ratings(row.key, standings)
    RatingShift.objects.bulk_create(shift_rows(row.key, pool.shifts))
    keep_pool(row, pool)
    row.save()


def after(
    pool: Pool, key: str, result: Result, outcome: Outcome, known: dict[int, Standing]
) -> tuple[list[RatingChange], dict[int, Standing]]:
    """Return what a result makes of the ratings of a pool, which takes note of it: changes and standings."""
    applied = pool.apply(outcome, known)
    changes = [
        RatingChange(
            result=result,
            pool_id=key,
            user_id=member.person,
            seq=result.seq,
            side=number,
            rank=side.rank,
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
    """Write where people stand in a pool, whether they stood anywhere before or not."""
    PlayerRating.objects.bulk_create(
        [rating_row(key, person, standing) for person, standing in sorted(standings.items())],
        update_conflicts=True,
        unique_fields=["user", "pool"],
        update_fields=[*STANDING, "listed"],
        batch_size=2000,
    )


def _met(key: str, person: int, so_far: int) -> int:
    """Return how many people someone has met, this result included; no more than are asked for."""
    if so_far >= LISTED_OPPONENTS:
        return so_far
    mine = RatingChange.objects.filter(pool=key, user=person).values_list("result", "side")
    sides = dict(mine)
    others = RatingChange.objects.filter(pool=key, result__in=list(sides)).values_list(
        "result", "side", "user"
    )
    met = {user for result, side, user in others if side != sides[result]}
    return min(len(met), LISTED_OPPONENTS)
