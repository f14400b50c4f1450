"""What happened in a turn, in a few lines for one reader."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import rules

Event = Mapping[str, Any]

LINES: Final = 8
"""The most lines of a digest."""

EVERYBODYS: Final = frozenset({"destroyed", "inspect", "finish", "over"})
"""Events that matter to all, whomever they befall."""

OWN: Final = frozenset({"damage", "repair", "weld", "power", "enter", "real", "virtual"})
"""Events that matter to the player whose robot they befall."""


def digest(events: Iterable[Event], *, robot: str) -> list[str]:
    """Return what one player wants to know of a turn, as sentences in the order of the events.

    What happened more than once is told once. What befell all comes before what befell the reader's
    own robot alone where not everything finds room.
    """
    counts: Counter[str] = Counter()
    weights: dict[str, bool] = {}
    for event in events:
        public = event["type"] in EVERYBODYS
        if public or (event["type"] in OWN and event["robot"] == robot):
            sentence = rules.sentence(event)
            counts[sentence] += 1
            weights[sentence] = public
    kept = set(sorted(counts, key=lambda sentence: not weights[sentence])[:LINES])
    return [_times(sentence, count) for sentence, count in counts.items() if sentence in kept]


def _times(sentence: str, count: int) -> str:
    return sentence if count == 1 else f"{sentence.removesuffix('.')}, {count} times."
