"""A reader's language: how the sentences that the rules tell are looked up, and put together.

Each sentence is looked up whole, and then gets its names and numbers.
"""

from collections.abc import Callable, Sequence
from typing import Final


class Words:
    """A reader's language: two functions like those of gettext; without them, sentences stay in English.

    >>> Words()("{robot} faces {way}.", robot="Alice", way="north")
    'Alice faces north.'
    >>> Words().ngettext("{number} life left", "{number} lives left", 2)
    '2 lives left'
    """

    def __init__(
        self,
        gettext: Callable[[str], str] = str,
        ngettext: Callable[[str, str, int], str] = lambda one, many, number: one if number == 1 else many,
    ) -> None:
        self._gettext = gettext
        self._ngettext = ngettext

    def __call__(self, sentence: str, **values: object) -> str:
        return self._gettext(sentence).format(**values)

    def ngettext(self, one: str, many: str, number: int, **values: object) -> str:
        """Return a sentence about a number of things, which is put in for ``number``, with its values."""
        return self._ngettext(one, many, number).format(number=number, **values)


ENGLISH: Final = Words()


def N_(sentence: str) -> str:  # noqa: N802 (the usual name)
    """Mark a sentence for the catalogue that is told later."""
    return sentence


WAYS: Final = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
"""The directions, by their letters."""

HEADINGS: Final = tuple(WAYS.values())
"""The directions, by their numbers."""


def place_of(at: Sequence[int], _: Words = ENGLISH) -> str:
    """Return where a cell is, counted from 1 as people count.

    >>> place_of((0, 1))
    'column 1, row 2'
    """
    x, y = at
    return _("column {column}, row {row}", column=x + 1, row=y + 1)


def joined(names: Sequence[str], _: Words = ENGLISH) -> str:
    """Join names as a list in a sentence.

    >>> joined(["Alice", "Bob", "Carol"])
    'Alice, Bob and Carol'
    """
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
