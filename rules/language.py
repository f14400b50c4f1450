"""A reader's language: translate sentences of the rules, and fill in names and numbers.

Each sentence is translated as a whole, with placeholders for the names and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final


class Words:
    """A reader's language: two translation functions like gettext's, and one to write numbers.

    The default is English.

    >>> Words()("{robot} faces {way}.", robot="Alice", way="north")
    'Alice faces north.'
    >>> Words().ngettext("{number} life left", "{number} lives left", 2)
    '2 lives left'
    >>> Words()("{number} cells", number=5000)
    '5,000 cells'
    """

    def __init__(
        self,
        gettext: Callable[[str], str] = str,
        ngettext: Callable[[str, str, int], str] = lambda one, many, number: one if number == 1 else many,
        number: Callable[[float], str] = "{:,}".format,
    ) -> None:
        self._gettext = gettext
        self._ngettext = ngettext
        self.number = number

    def __call__(self, sentence: str, **values: object) -> str:
        return self._gettext(sentence).format(**self._written(values))

    def ngettext(self, one: str, many: str, number: int, **values: object) -> str:
        """Return a sentence about ``number`` things in the reader's language, with values filled in."""
        return self._ngettext(one, many, number).format(**self._written({"number": number, **values}))

    def _written(self, values: Mapping[str, object]) -> dict[str, object]:
        """Write numbers as text if languages write them differently.

        These are fractions, and whole numbers from 1,000.
        """
        return {
            key: self.number(value)
            if isinstance(value, float) or (isinstance(value, int) and value >= 1000)
            else value
            for key, value in values.items()
        }


ENGLISH: Final = Words()


class Remembered(Words):
    """A reader's language with a cache of finished sentences.

    It is for texts that repeat the same sentences many times. Looking up a finished sentence is faster than
    translating it again.
    """

    def __init__(self, words: Words) -> None:
        super().__init__(words._gettext, words._ngettext, words.number)
        self._told: dict[tuple[object, ...], str] = {}

    def __call__(self, sentence: str, **values: object) -> str:
        key = (sentence, *values.items())
        if key not in self._told:
            self._told[key] = super().__call__(sentence, **values)
        return self._told[key]

    def ngettext(self, one: str, many: str, number: int, **values: object) -> str:
        key = (one, number, *values.items())
        if key not in self._told:
            self._told[key] = super().ngettext(one, many, number, **values)
        return self._told[key]


class Sentence(str):
    """An English sentence that can be translated later, because it stores its form and its values.

    The values may be sentences too.

    >>> Sentence("the {thing} is missing", thing=Sentence("rail"))
    'the rail is missing'
    >>> cells = Sentence.counted("{number} cell", "{number} cells", 12)
    >>> cells, told(cells, Words(ngettext=lambda one, many, number: "{number} Zellen"))
    ('12 cells', '12 Zellen')
    """

    _forms: tuple[str, ...]
    _values: dict[str, Any]

    def __new__(cls, *forms: str, **values: object) -> Sentence:
        made = super().__new__(cls, _tell(forms, values, ENGLISH))
        made._forms, made._values = forms, values
        return made

    @classmethod
    def counted(cls, one: str, many: str, number: int, **values: object) -> Sentence:
        """Return a sentence about ``number`` things, with its singular and plural forms."""
        return cls(one, many, number=number, **values)

    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]:
        return self._forms, self._values  # so that copies have forms and values too


def told(text: str | float, _: Words = ENGLISH) -> str:
    """Return a sentence or a number in the reader's language. Return any other text unchanged."""
    if isinstance(text, Sentence):
        return _tell(text._forms, text._values, _)
    return text if isinstance(text, str) else _.number(text)


def _tell(forms: tuple[str, ...], values: Mapping[str, Any], _: Words) -> str:
    values = {key: told(value, _) if isinstance(value, str) else value for key, value in values.items()}
    return _(*forms, **values) if len(forms) == 1 else _.ngettext(forms[0], forms[1], **values)


def sentence_to_json(text: str) -> Any:
    """Write a sentence as JSON, with its forms and values. Return any other text unchanged.

    >>> sentence_to_json(Sentence("the {thing} is missing", thing="rail"))
    {'forms': ['the {thing} is missing'], 'values': {'thing': 'rail'}}
    """
    if not isinstance(text, Sentence):
        return text
    values = {
        key: sentence_to_json(value) if isinstance(value, str) else value
        for key, value in text._values.items()
    }
    return {"forms": list(text._forms), "values": values}


def sentence_from_json(document: Any) -> str:
    """Read a sentence or text from the output of `sentence_to_json`. The input is not checked.

    >>> sentence_from_json({"forms": ["the {thing} is missing"], "values": {"thing": "rail"}})
    'the rail is missing'
    """
    if not isinstance(document, dict):
        return str(document)
    values = {
        key: sentence_from_json(value) if isinstance(value, dict) else value
        for key, value in document["values"].items()
    }
    return Sentence(*document["forms"], **values)


def N_(sentence: str) -> str:  # noqa: N802 (the usual name)
    """Mark a sentence for the translation catalogue. Return the sentence unchanged."""
    return sentence


WAYS: Final = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
"""The names of the directions, by letter."""

HEADINGS: Final = tuple(WAYS.values())
"""The names of the directions, by heading number."""


def place(at: Sequence[int]) -> Sentence:
    """Return the column and row of a cell or of a joined board in words, both counted from 1.

    >>> place((0, 1))
    'column 1, row 2'
    """
    x, y = at
    return Sentence("column {column}, row {row}", column=x + 1, row=y + 1)


def place_of(at: Sequence[int], _: Words = ENGLISH) -> str:
    return told(place(at), _)


def joined(names: Sequence[str], _: Words = ENGLISH) -> str:
    """Join names as a list for use in a sentence.

    >>> joined(["Alice", "Bob", "Carol"])
    'Alice, Bob and Carol'
    """
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
