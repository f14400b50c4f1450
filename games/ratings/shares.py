"""What finishing in a game is worth where it counts among others: in tables of clubs and tournaments."""

from collections.abc import Iterable
from fractions import Fraction


def share_beaten(rank: int, ranks: Iterable[int]) -> Fraction:
    """Return which share of the others at a table somebody has beaten; a tie counts half.

    >>> [str(share_beaten(rank, [1, 2, 2, 4])) for rank in (1, 2, 4)]
    ['1', '1/2', '0']
    """
    every = list(ranks)
    if len(every) < 2:
        return Fraction(0)
    beaten = sum(other > rank for other in every)
    tied = sum(other == rank for other in every) - 1
    return Fraction(2 * beaten + tied, 2 * (len(every) - 1))
