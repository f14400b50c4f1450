"""What it takes for a vote to pass: pure counting, without a database or a clock.

Ballots are yes or no, and those who have a vote but gave none yet are silent. A vote is decided as soon as
the silent cannot change how it ends, and at the latest when its time is up.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

HOURS_OF_A_DAY: Final = 24


class Verdict(Enum):
    """How a vote stands."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Majority:
    """What it takes: of those who count, ``part`` of ``whole`` have to agree, or ``more`` than that part.

    At least ``least`` people have to agree in any case. The vote is open for so many ``hours``. All who have
    a vote count until then; when its time is up, the silent count as no, unless ``silence_abstains``: then
    those who have voted are all who count.
    """

    part: int
    whole: int
    more: bool
    least: int
    hours: int
    silence_abstains: bool

    def needed(self, counting: int) -> int:
        """Return how many have to agree if so many count.

        >>> [Majority(1, 2, True, 1, 24, True).needed(counting) for counting in (1, 2, 3, 4)]
        [1, 2, 2, 3]
        >>> [Majority(2, 3, False, 1, 24, True).needed(counting) for counting in (1, 2, 3, 4)]
        [1, 2, 2, 3]
        """
        share = (
            counting * self.part // self.whole + 1 if self.more else -(-counting * self.part // self.whole)
        )
        return max(self.least, share)

    def verdict(self, *, voters: int, ayes: int, noes: int, over: bool) -> Verdict:
        """Return how a vote stands by how many of the voters agree and do not; ``over``: its time is up."""
        if ayes >= self.needed(voters):
            return Verdict.PASSED
        if voters - noes < self.needed(voters):
            return Verdict.REFUSED
        if not over:
            return Verdict.OPEN
        passes = self.silence_abstains and ayes >= self.needed(ayes + noes)
        return Verdict.PASSED if passes else Verdict.REFUSED

    @property
    def days(self) -> int:
        """For how many days the vote is open."""
        return self.hours // HOURS_OF_A_DAY

    def __str__(self) -> str:
        """Say what it takes, in words.

        >>> print(Majority(1, 1, False, 1, 24, False))
        all who have a vote have to agree within 1 day; silence counts as no
        >>> print(Majority(2, 3, False, 1, 72, True))
        two thirds of those who have a vote have to agree; after 3 days, two thirds of those who have voted
        """
        share = {(1, 1): "all", (1, 2): "half", (2, 3): "two thirds"}[self.part, self.whole]
        share = f"more than {share}" if self.more else share
        who = "who have a vote" if share == "all" else "of those who have a vote"
        least = f", and at least {self.least}," if self.least > 1 else ""
        days = f"{self.days} day{'' if self.days == 1 else 's'}"
        if self.silence_abstains:
            return f"{share} {who}{least} have to agree; after {days}, {share} of those who have voted"
        return f"{share} {who}{least} have to agree within {days}; silence counts as no"


EJECTING: Final = Majority(1, 2, more=True, least=2, hours=72, silence_abstains=False)
PAUSING: Final = Majority(1, 2, more=True, least=1, hours=24, silence_abstains=True)
CALLING_OFF: Final = Majority(2, 3, more=False, least=1, hours=72, silence_abstains=True)
CONCEDING: Final = Majority(1, 1, more=False, least=1, hours=72, silence_abstains=False)
