"""JSON documents: how they are read and written, and everything that can be wrong with one.

Reading names every unknown key, missing key and wrong type, all at once, each with its place. Values have
no effect on the layout: command lines write any of them in one line.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.language import ENGLISH, N_, Sentence, Words, told


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document. ``row`` and ``column`` are counted from 1, as people count.

    ``key`` is its key, and ``code`` its code for programs, if these are known.

    >>> str(Problem("the floor “q” is unknown", row=1, column=3))
    'row 1, column 3: the floor “q” is unknown'
    """

    message: str
    row: int | None = None
    column: int | None = None
    severity: str = "error"
    key: str | None = None
    code: str | None = None

    def __str__(self) -> str:
        return self.told(ENGLISH)

    def told(self, _: Words) -> str:
        """Return the fault and its place in the reader's language."""
        values = {"row": self.row, "column": self.column, "problem": told(self.message, _)}
        if self.row is None or self.column is None:
            return told(self.message, _) if self.row is None else _("row {row}: {problem}", **values)
        return _("row {row}, column {column}: {problem}", **values)


class RulesError(ValueError):
    """Input that the rules cannot take; ``problems`` has every fault, the text all of them."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(Problem(p) if isinstance(p, str) else p for p in problems)
        super().__init__(*self.problems)

    def __str__(self) -> str:
        # Made when it is asked for: a draft may have ten thousand cells that cannot be read.
        return "; ".join(map(str, self.problems))


class NotationError(RulesError):
    """A document that is not well-formed in its format."""


class UnknownRuleset(RulesError, LookupError):
    """No ruleset has that key."""


class UnknownVersion(UnknownRuleset):
    """The ruleset has no such version."""


class SetupError(RulesError):
    """Ruleset, options, starship and seats that do not make a game together."""


Document = Mapping[str, Any]


def parse(text: str | bytes) -> Document:
    """Parse a JSON object. Raises NotationError for any other text."""
    try:
        document = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_double)
        json.dumps(document, ensure_ascii=False).encode()
    except NotationError:
        raise
    except UnicodeEncodeError:
        raise NotationError(
            Sentence("not JSON: a text has half a character in it (a lone surrogate)")
        ) from None
    except UnicodeDecodeError:
        raise NotationError(Sentence("the text is not UTF-8")) from None
    except json.JSONDecodeError as error:
        form = N_("not JSON: in line {line}, column {column} {fault}")
        raise NotationError(
            Sentence(form, line=error.lineno, column=error.colno, fault=_fault(error))
        ) from None
    except RecursionError:
        raise NotationError(Sentence("not JSON: nested too deeply")) from None
    except ValueError:  # what is left of them: Python reads no longer numbers
        raise NotationError(Sentence("not JSON: a number in it has too many digits")) from None
    if not isinstance(document, dict):
        raise NotationError(Sentence("a JSON object is expected"))
    return document


FAULTS: Final = {
    "Expecting value": N_("a value is missing"),
    "Expecting property name": N_("a key in double quotes is missing"),
    "Expecting ':'": N_("a colon is missing"),
    "Expecting ','": N_("a comma is missing, or the end of a list or an object"),
    "Illegal trailing comma": N_("a comma stands before the end of a list or an object"),
    "Extra data": N_("there is more text after its end"),
    "Unterminated string": N_("a text begins that has no end"),
    "Invalid control character": N_("a text has a control character in it"),
    "Invalid \\": N_("a text has an unknown escape in it"),
}
"""What is wrong with a text that is no JSON, by how Python begins to tell it."""


def _fault(error: json.JSONDecodeError) -> Sentence:
    told = (said for start, said in FAULTS.items() if error.msg.startswith(start))
    return Sentence(next(told, N_("there is something that cannot be read")))


def in_one_line(text: str) -> str:
    """Escape what breaks a line or steers a terminal: a name may look like another line of ours.

    >>> in_one_line("FAIL  a.json: Mallory\\nok  a.json: proved")
    'FAIL  a.json: Mallory\\\\nok  a.json: proved'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def json_line(document: object) -> str:
    """Return a document as JSON in one line, without characters that steer a terminal.

    >>> json_line({"title": "a\\u2028ok"})
    '{"title": "a\\\\u2028ok"}'
    """
    text = json.dumps(document, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


MOST_SHOWN: Final = 60
"""Characters of a value that a message repeats."""


def written(value: object) -> str:
    """Write a value for a message as its sender wrote it: as JSON."""
    return json.dumps(value, ensure_ascii=False, default=str)


def shown(value: object) -> str:
    """Write a value for a message, and not all of a long one.

    >>> shown({"a": None}), len(shown("a" * 1000))
    ('{"a": null}', 60)
    """
    text = written(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def canonical(value: object) -> str:
    """Write a JSON value so that equal values have equal texts: keys sorted, no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _no_constant(name: str) -> None:
    raise NotationError(Sentence("not JSON: {name} is no JSON number", name=name))


def _no_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise NotationError(Sentence("not JSON: the key “{key}” stands twice", key=key))
        result[key] = value
    return result


def check_format(document: object, expected: str) -> Document:
    """Return the document if it is an object of that format, else raise NotationError."""
    if not isinstance(document, Mapping):
        raise NotationError(
            Sentence("a JSON object in the format “{expected}” is expected", expected=expected)
        )
    if "format" not in document:
        raise NotationError(
            Sentence("the key “format” is missing; “{expected}” is expected", expected=expected)
        )
    if document["format"] != expected:
        found = shown(document["format"])
        raise NotationError(
            Sentence("the format is {found}; “{expected}” is expected", found=found, expected=expected)
        )
    return document


MOST_NAMED: Final = 20
"""Faults of one kind that a sender could repeat at will, of which an answer names the first."""


def check_keys(document: Document, known: Collection[str], what: str) -> None:
    """Raise NotationError if the document has unknown keys."""
    if problems := unknown_keys(document, known, what):
        raise NotationError(*problems)


def unknown_keys(document: Document, known: Collection[str], what: str) -> list[Problem]:
    """Return a problem for each of the first unknown keys of a document, and one for all others.

    >>> [str(each) for each in unknown_keys(dict.fromkeys("cab"), "b", "it")]
    ['it has no key “a”', 'it has no key “c”']
    """
    unknown = sorted(str(key) for key in document if key not in known)
    problems = [
        Problem(Sentence("{what} has no key “{key}”", what=what, key=key), key=key, code="unknown-key")
        for key in unknown[:MOST_NAMED]
    ]
    if (more := len(unknown) - MOST_NAMED) > 0:
        form = Sentence.counted(
            "{what} has {number} more unknown key", "{what} has {number} more unknown keys", more, what=what
        )
        problems.append(Problem(form, code="unknown-key"))
    return problems


def is_int(value: object) -> bool:
    """Return whether a JSON value is a whole number (true and false are not)."""
    return isinstance(value, int) and not isinstance(value, bool)
