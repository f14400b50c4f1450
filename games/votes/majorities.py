"""What it takes for a vote to pass: pure counting, without a database or a clock.

Ballots are yes or no, and those who have a vote but gave none yet are silent. A vote is decided as soon as
the silent cannot change how it ends, and at the latest when its time is up.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Verdict(Enum):
    """How a vote stands."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Majority:
    """What it takes: of those who count, ``part`` of ``whole`` have to agree, or ``more`` than that part.

    At least ``least`` people have to agree in any case. The vote is open for ``hours``. All who have a vote
    count until then; when its time is up, the silent count as no, unless ``silence_abstains``: then
    those who have voted are all who count. ``words`` say all this to players.
    """

    part: int
    whole: int
    more: bool
    least: int
    hours: int
    silence_abstains: bool
    words: str | Promise = ""

    def needed(self, counting: int) -> int:
        """Return how many have to agree if this many count.

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


EJECTING: Final = Majority(
    part=1,
    whole=2,
    more=True,
    least=2,
    hours=72,
    silence_abstains=False,
    words=_(
        "more than half of those who have a vote, and at least 2, have to agree within 3 days;"
        " silence counts as no"
    ),
)
PAUSING: Final = Majority(
    part=1,
    whole=2,
    more=True,
    least=1,
    hours=24,
    silence_abstains=True,
    words=_(
        "more than half of those who have a vote have to agree; after 1 day, more than half of those who"
        " have voted"
    ),
)
CALLING_OFF: Final = Majority(
    part=2,
    whole=3,
    more=False,
    least=1,
    hours=72,
    silence_abstains=True,
    words=_(
        "two thirds of those who have a vote have to agree; after 3 days, two thirds of those who have voted"
    ),
)
CONCEDING: Final = Majority(
    part=1,
    whole=1,
    more=False,
    least=1,
    hours=72,
    silence_abstains=False,
    words=_("all who have a vote have to agree within 3 days; silence counts as no"),
)
