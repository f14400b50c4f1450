"""Which versions of a draft are kept: enough to find what one had, without one for every stroke."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

APART: Final = timedelta(minutes=1)
"""How far apart versions are kept while someone draws: an editor saves every few seconds."""

YOUNG: Final = timedelta(days=1)
"""Age from which on versions are kept further apart."""

MOST: Final = 100
"""Versions of a draft that are kept beside the last one; beyond that, the oldest go."""

ROOM: Final = 5_000_000
"""Characters that the kept versions of a draft may have together. The oldest versions go first."""


def is_worth_keeping(saved_at: datetime, *, kept_at: datetime | None, now: datetime) -> bool:
    """Return whether a version that is about to be replaced is kept.

    That is so if it was the last one for a while, or is a while younger than the one that was ``kept_at``.
    """
    return kept_at is None or now - saved_at >= APART or saved_at - kept_at >= APART


def surplus(times: Sequence[datetime], sizes: Sequence[int], *, now: datetime) -> list[int]:
    """Return which of the versions that were saved at these times, the oldest first, can go, by index.

    Of those that are older than a day the last one of each hour stays. The ``sizes`` are in characters.
    """
    going = {
        index
        for index, (time, following) in enumerate(pairwise(times))
        if now - following >= YOUNG and _hour(time) == _hour(following)
    }
    staying = [index for index in range(len(times)) if index not in going]
    room = ROOM
    for count, index in enumerate(reversed(staying)):
        room -= sizes[index]
        if count >= MOST or (count and room < 0):
            going.add(index)
    return sorted(going)


def _hour(time: datetime) -> datetime:
    return time.replace(minute=0, second=0, microsecond=0)
