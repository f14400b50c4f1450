"""Names of ships that look like one another, whatever letters they are written in: skeletons after UTS #39.

>>> skeleton("Tin Canoe") == skeleton("ΤІN—САΝОЕ")  # Greek and Cyrillic letters
True
>>> skeleton("Modern 10") == skeleton("Modem lO")
True
>>> skeleton("Canoe") == skeleton("Canal")
False
"""

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from rules.names import is_visible

TABLE: Final = Path(__file__).with_name("confusables.txt")


@lru_cache(maxsize=8192)
def skeleton(name: str) -> str:
    """Return what names have in common that look alike, in any case, with any signs between their letters.

    A name without letters and digits has its signs.
    """
    seen = _seen(_seen(name).casefold()).replace("i", "l")  # I is like l, and i is the same letter
    letters = "".join(character for character in seen if unicodedata.category(character)[0] in "LMN")
    return letters or "".join(filter(is_visible, seen))


def _seen(text: str) -> str:
    """Return a text with each letter as the one that stands for all that look like it."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_table()))


@cache
def _table() -> Mapping[int, str]:
    lines = TABLE.read_text(encoding="ascii").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {int(one, 16): "".join(chr(int(each, 16)) for each in others) for one, *others in rows}
