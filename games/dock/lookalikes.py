"""Names of ships that look like one another, whatever letters they are written in: skeletons after UTS #39.

>>> skeleton("Tin Canoe") == skeleton("ΤІN—САΝОЕ")  # Greek and Cyrillic letters
True
>>> skeleton("Modern 10") == skeleton("Modem lO")
True
>>> skeleton("Canoe") == skeleton("Canal")
False
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_name("confusables.txt")

MOST_MARKS: Final = 3
"""Marks that may stand on one letter: more of them run into other lines."""

FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u180b\u180c\u180d\u180f")
"""Letters and marks that are not seen; all else that is not seen is refused in any text of a ship."""

_PILE = re.compile(r"M" * (MOST_MARKS + 1))


@lru_cache(maxsize=8192)
def skeleton(name: str) -> str:
    """Return what names have in common that look alike, in any case, with any signs between their letters."""
    seen = _seen(_seen(name).casefold()).replace("i", "l")  # I is like l, and i is the same letter
    return "".join(character for character in seen if unicodedata.category(character)[0] in "LMN")


def cannot_be_seen(name: str) -> bool:
    """Return whether a name has letters that are not seen, or so many marks that they cover what is near.

    >>> [cannot_be_seen(name) for name in ("Zoë’s Barge", "Ca\\u3164noe", "Canoe" + 4 * "\\u0300")]
    [False, True, True]
    """
    kinds = "".join(unicodedata.category(character)[0] for character in unicodedata.normalize("NFD", name))
    return not FILLERS.isdisjoint(name) or _PILE.search(kinds) is not None


def _seen(text: str) -> str:
    """Return a text with each letter as the one that stands for all that look like it."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_table()))


@cache
def _table() -> Mapping[int, str]:
    lines = TABLE.read_text(encoding="ascii").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {int(one, 16): "".join(chr(int(each, 16)) for each in others) for one, *others in rows}
