"""Results and ratings as rows, and back."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from games.ratings import fold
from games.ratings.fold import (
    LISTED,
    LISTED_GAMES,
    LISTED_OPPONENTS,
    Finish,
    Member,
    Outcome,
    Shift,
    Standing,
)
from games.ratings.models import RESULT_FORMAT, PlayerRating, RatingPool, RatingShift, Result
from games.ratings.scale import DIGITS

Document = dict[str, Any]

IDLE: Final = timedelta(days=90)
"""After how long without a game a player is listed no more."""

POOL: Final = ("offset", "variance", "month", "residual", "noise", "slope")
"""What a pool keeps from one result to the next."""

STANDING: Final = ("mu", "sigma", "floor", "games", "met", "played_at")
"""What a rating keeps, beside whether it is listed, which also depends on the day."""


def write_outcome(outcome: Outcome | None) -> Document:
    """Write how a game ended as a result/1 document; one that is not rated any more has no sides."""
    return {
        "format": RESULT_FORMAT,
        "sides": [
            {"rank": side.rank, "members": [_write_member(member) for member in side.members]}
            for side in (outcome.finishes if outcome else ())
        ],
        "left": sorted(outcome.left) if outcome else [],
    }


def outcome_in(result: Result) -> Outcome:
    """Return how a game ended, as its result keeps it."""
    document = result.outcome
    finishes = tuple(
        Finish(side["rank"], tuple(Member(**member) for member in side["members"]))
        for side in document["sides"]
    )
    return Outcome(result.ended_at, finishes, frozenset(document["left"]))


def _write_member(member: Member) -> Document:
    return {"computer": member.computer} if member.person is None else {"person": member.person}


def pool_of(row: RatingPool) -> fold.Pool:
    return fold.Pool(**{name: getattr(row, name) for name in POOL})


def keep_pool(row: RatingPool, pool: fold.Pool) -> bool:
    """Have a row hold a pool, without saving it; return whether it did not before."""
    before = [getattr(row, name) for name in POOL]
    for name in POOL:
        setattr(row, name, getattr(pool, name))
    return before != [getattr(row, name) for name in POOL]


def shift_rows(key: str, shifts: Iterable[Shift]) -> list[RatingShift]:
    return [
        RatingShift(pool_id=key, month=each.month, error=each.error, amount=each.amount) for each in shifts
    ]


def standing_of(row: PlayerRating) -> Standing:
    return Standing(row.mu, row.sigma, row.games, row.met, row.played_at)


def rating_row(key: str, person: int, standing: Standing) -> PlayerRating:
    """Return a standing after a game as a row that is not saved; who has just played may be listed."""
    assert standing.played_at
    return PlayerRating(
        pool_id=key,
        user_id=person,
        mu=standing.mu,
        sigma=standing.sigma,
        floor=round(standing.mu - 2 * standing.sigma, DIGITS),
        games=standing.games,
        met=standing.met,
        played_at=standing.played_at,
        listed=is_known(standing),
    )


def is_known(standing: Standing) -> bool:
    """Return whether enough is known of a player to be listed among the best."""
    return standing.sigma <= LISTED and standing.games >= LISTED_GAMES and standing.met >= LISTED_OPPONENTS
