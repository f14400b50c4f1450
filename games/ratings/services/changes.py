"""Applying one result to the rows of its two pools, while the row of the pool of all is held."""

from dataclasses import replace

from django.db.models import Max

from games.ratings.fold import LISTED_OPPONENTS, Outcome, Pool, Standing
from games.ratings.models import ALL, PlayerRating, RatingChange, RatingPool, RatingShift, Result
from games.ratings.stored import (
    STANDING,
    keep_pool,
    pool_of,
    rating_row,
    shift_rows,
    standing_of,
    write_outcome,
)


def hold_all(*, wait: bool) -> RatingPool | None:
    """Hold the pool of all until the transaction ends; return None if another has it, without ``wait``."""
    RatingPool.objects.bulk_create([RatingPool(key=ALL)], ignore_conflicts=True)
    return RatingPool.objects.select_for_update(skip_locked=not wait).filter(pk=ALL).first()


def add_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Keep how a game ended, with the next number; the pool of all is held."""
    last = Result.objects.aggregate(last=Max("seq"))["last"] or 0
    return Result.objects.create(
        of_game=of_game,
        seq=last + 1,
        ruleset=ruleset,
        outcome=write_outcome(outcome),
        ended_at=outcome.ended_at,
    )


def is_late(ruleset: str, outcome: Outcome) -> bool:
    """Return whether a game ended before games that were applied, and changes what these did.

    It changes nothing if its players have played no later game, and no later month has begun.
    """
    month = outcome.ended_at.date().replace(day=1)
    played = PlayerRating.objects.filter(pool=ALL, user__in=outcome.people)
    return (
        played.filter(played_at__gte=outcome.ended_at).exists()
        or RatingPool.objects.filter(pk__in=(ALL, ruleset), month__gt=month).exists()
    )


def apply(result: Result, outcome: Outcome) -> None:
    """Apply a result that is not late to its pools; the pool of all is held."""
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
    """Apply a result to a pool in memory; return the changes of ratings and the standings after it."""
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
    """Write the standings of a pool, new ones and known ones."""
    PlayerRating.objects.bulk_create(
        [rating_row(key, person, standing) for person, standing in sorted(standings.items())],
        update_conflicts=True,
        unique_fields=["user", "pool"],
        update_fields=[*STANDING, "listed"],
        batch_size=2000,
    )


def _met(key: str, person: int, so_far: int) -> int:
    """Return how many people a player has met, this result included, up to `LISTED_OPPONENTS`."""
    if so_far >= LISTED_OPPONENTS:
        return so_far
    mine = RatingChange.objects.filter(pool=key, user=person).values_list("result", "side")
    sides = dict(mine)
    others = RatingChange.objects.filter(pool=key, result__in=list(sides)).values_list(
        "result", "side", "user"
    )
    met = {user for result, side, user in others if side != sides[result]}
    return min(len(met), LISTED_OPPONENTS)
