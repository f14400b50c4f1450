"""Named random streams (G-2.4).

A stream hashes the game's seed, the turn number, the purpose of the stream, and a counter. Draws are
therefore the same on any machine, and an additional draw for one purpose does not change the draws for other
purposes.

>>> Chance(1, 2).stream("ranks").shuffled("abcd")
['a', 'b', 'd', 'c']
"""

from collections.abc import Iterable, MutableSequence, Sequence
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

Seed = int | str

COMMITMENT: Final = "Robo Runner, commitment to the seed of a game, 1"
"""The text before the seed in a commitment. It keeps commitments different from hashes for other purposes."""


def commitment(seed: Seed) -> str:
    """Return the public hash of a game's secret seed: the SHA-256, as 64 hexadecimal digits.

    >>> commitment("0123456789abcdef")[:16]
    '4061a1486eec9f29'
    """
    return sha256(f"{COMMITMENT}\n{seed}".encode()).hexdigest()


def computer_seed(seed: Seed, turn: int, robot: int) -> str:
    """Return the seed of a computer player for one turn. It reveals nothing about the game's seed.

    ``robot`` is the number of the computer's robot, from 1.
    """
    return sha256(f"{seed} computer {turn} {robot}".encode()).hexdigest()


class Stream:
    __slots__ = ("_count", "_name")

    def __init__(self, name: str) -> None:
        self._name = name.encode()
        self._count = 0

    def below(self, limit: int) -> int:
        """Return a random number from 0 to ``limit`` - 1. The bias is below 2^-60."""
        digest = sha256(self._name + b"/%d" % self._count).digest()
        self._count += 1
        return int.from_bytes(digest[:16], "big") % limit

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def draw_last(self, items: MutableSequence[T]) -> None:
        """Swap a random item of the list to its end, as in the first step of shuffling."""
        last = len(items) - 1
        if last > 0:
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result


class Chance:
    """The random streams of one turn, one for each purpose."""

    __slots__ = ("_seed", "_turn")

    def __init__(self, seed: Seed, turn: int) -> None:
        self._seed = seed
        self._turn = turn

    def stream(self, purpose: str) -> Stream:
        return Stream(f"{self._seed}/{self._turn}/{purpose}")
