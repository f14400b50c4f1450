"""What happened in a turn, in a few lines for one reader."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import ngettext

from games.wording import sentence_of

Event = Mapping[str, Any]

LINES: Final = 3
"""The most lines of a digest."""

EVERYBODYS: Final = frozenset({"destroyed", "inspect", "finish", "over"})
"""Events that matter to all players."""

OWN: Final = frozenset({"damage", "repair", "weld", "power", "enter", "real", "virtual"})
"""Events that matter to the player whose robot they happen to."""


def digest(events: Iterable[Event], *, robot: str) -> list[str]:
    """Return what one player wants to know of a turn, as sentences in the order of the events.

    What happened more than once is told once. Where not everything finds room, the end of the game comes
    first, then what the reader's own robot reached or was destroyed by, then that of others, and then what
    else happened to the reader's own; of each the earlier.
    """
    counts: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for event in events:
        rank = _rank(event, robot)
        if rank is not None:
            sentence = sentence_of(event)
            counts[sentence] += 1
            ranks.setdefault(sentence, rank)
    kept = set(sorted(counts, key=ranks.__getitem__)[:LINES])
    return [_times(sentence, count) for sentence, count in counts.items() if sentence in kept]


def _rank(event: Event, robot: str) -> int | None:
    """Return how much an event matters to the player of a robot, 0 the most; None where it does not."""
    own = event.get("robot") == robot
    if event["type"] in EVERYBODYS:
        return 0 if event["type"] == "over" else 1 if own else 2
    return 3 if own and event["type"] in OWN else None


def _times(sentence: str, count: int) -> str:
    if count == 1:
        return sentence
    told = ngettext("{event}, {count} time.", "{event}, {count} times.", count)
    return told.format(event=sentence.removesuffix("."), count=count)
