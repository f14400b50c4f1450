"""Read JSON documents, write JSON for messages and hashes, and report every fault of a document.

A report names every unknown key, missing key and wrong type, each with its place. Commands print each value
in one line, so no value can change the layout of their output.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.language import ENGLISH, N_, Sentence, Words, told


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document.

    ``row`` and ``column`` are its place on a board, counted from 1. ``key`` is the affected key. ``code``
    names the kind of fault, for programs. Each of these is None if it is unknown or does not apply.

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
        return self.in_words(ENGLISH)

    def in_words(self, _: Words) -> str:
        values = {"row": self.row, "column": self.column, "problem": told(self.message, _)}
        if self.row is None or self.column is None:
            return told(self.message, _) if self.row is None else _("row {row}: {problem}", **values)
        return _("row {row}, column {column}: {problem}", **values)


class RulesError(ValueError):
    """Raised for input that breaks the rules. ``problems`` has every fault."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(Problem(p) if isinstance(p, str) else p for p in problems)
        super().__init__(*self.problems)

    def __str__(self) -> str:
        # Built on demand: a draft may have ten thousand unreadable cells.
        return "; ".join(map(str, self.problems))


class NotationError(RulesError):
    """Raised for a malformed document."""


class UnknownRuleset(RulesError, LookupError):
    """Raised if there is no ruleset with this key."""


class UnknownVersion(UnknownRuleset):
    """Raised if the ruleset has no version with this number."""


class SetupError(RulesError):
    """Raised if the ruleset, options, starship and seats do not fit together."""


Document = Mapping[str, Any]


def parse(text: str | bytes) -> Document:
    """Parse a JSON object. Raises NotationError if the text is anything else."""
    try:
        document = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_double)
        json.dumps(document, ensure_ascii=False).encode()
    except NotationError:
        raise
    except UnicodeEncodeError:
        raise NotationError(
            Sentence("not JSON: a string contains a lone surrogate (half of a character)")
        ) from None
    except UnicodeDecodeError:
        raise NotationError(Sentence("the text is not UTF-8")) from None
    except json.JSONDecodeError as error:
        form = N_("not JSON: {fault} (line {line}, column {column})")
        raise NotationError(
            Sentence(form, line=error.lineno, column=error.colno, fault=_fault(error))
        ) from None
    except RecursionError:
        raise NotationError(Sentence("not JSON: nested too deeply")) from None
    except ValueError:  # the only other cause: Python limits the digits of numbers
        raise NotationError(Sentence("not JSON: a number has too many digits")) from None
    if not isinstance(document, dict):
        raise NotationError(Sentence("a JSON object is expected"))
    return document


FAULTS: Final = {
    "Expecting value": N_("a value is missing"),
    "Expecting property name": N_("a key in double quotes is missing"),
    "Expecting ':'": N_("a colon is missing"),
    "Expecting ','": N_("a comma, or the end of a list or object, is missing"),
    "Illegal trailing comma": N_("there is a comma before the end of a list or object"),
    "Extra data": N_("there is more text after the end"),
    "Unterminated string": N_("a string is not closed"),
    "Invalid control character": N_("a string contains a control character"),
    "Invalid \\": N_("a string contains an unknown escape sequence"),
}
"""Messages for faults in JSON, by the first words of Python's own message."""


def _fault(error: json.JSONDecodeError) -> Sentence:
    told = (said for start, said in FAULTS.items() if error.msg.startswith(start))
    return Sentence(next(told, N_("part of the text cannot be read")))


def in_one_line(text: str) -> str:
    """Escape line breaks and control characters, so that a name cannot imitate the output of a command.

    >>> in_one_line("FAIL  a.json: Mallory\\nok  a.json: proved")
    'FAIL  a.json: Mallory\\\\nok  a.json: proved'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def json_line(document: object) -> str:
    """Return a document as JSON in one line, with control characters escaped.

    >>> json_line({"title": "a\\u2028ok"})
    '{"title": "a\\\\u2028ok"}'
    """
    text = json.dumps(document, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


MAX_QUOTED_LENGTH: Final = 60
"""The maximum number of characters for a value quoted in a message."""


def as_json(value: object) -> str:
    """Write a value as JSON, for use in a message."""
    return json.dumps(value, ensure_ascii=False, default=str)


def quoted(value: object) -> str:
    """Write a value as JSON for a message, cut to `MAX_QUOTED_LENGTH`.

    >>> quoted({"a": None}), len(quoted("a" * 1000))
    ('{"a": null}', 60)
    """
    text = as_json(value)
    return text if len(text) <= MAX_QUOTED_LENGTH else f"{text[: MAX_QUOTED_LENGTH - 1]}…"


def canonical(value: object) -> str:
    """Write a JSON value with sorted keys and without white space, so that it can be compared or hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _no_constant(name: str) -> None:
    raise NotationError(Sentence("not JSON: {name} is not a JSON number", name=name))


def _no_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise NotationError(Sentence("not JSON: the key “{key}” appears twice", key=key))
        result[key] = value
    return result


def check_format(document: object, expected: str) -> Document:
    """Return the document if it is a JSON object of the expected format. Otherwise raise NotationError."""
    if not isinstance(document, Mapping):
        raise NotationError(
            Sentence("a JSON object with the format “{expected}” is expected", expected=expected)
        )
    if "format" not in document:
        raise NotationError(
            Sentence("the key “format” is missing; “{expected}” is expected", expected=expected)
        )
    if document["format"] != expected:
        found = quoted(document["format"])
        raise NotationError(
            Sentence("the format is {found}; “{expected}” is expected", found=found, expected=expected)
        )
    return document


MAX_NAMED_FAULTS: Final = 20
"""The maximum number of faults of one kind in a report. Without a limit, reports could be endless."""


def check_keys(document: Document, known: Collection[str], what: str) -> None:
    """Raise NotationError if the document has unknown keys. ``what`` names the document in the message."""
    if problems := unknown_keys(document, known, what):
        raise NotationError(*problems)


def unknown_keys(document: Document, known: Collection[str], what: str) -> list[Problem]:
    """Return a problem for each unknown key of a document.

    After `MAX_NAMED_FAULTS` keys, one problem counts the rest. ``what`` names the document in the messages.

    >>> [str(each) for each in unknown_keys(dict.fromkeys("cab"), "b", "it")]
    ['it has an unknown key “a”', 'it has an unknown key “c”']
    """
    unknown = sorted(str(key) for key in document if key not in known)
    problems = [
        Problem(
            Sentence("{what} has an unknown key “{key}”", what=what, key=key), key=key, code="unknown-key"
        )
        for key in unknown[:MAX_NAMED_FAULTS]
    ]
    if (more := len(unknown) - MAX_NAMED_FAULTS) > 0:
        form = Sentence.counted(
            "{what} has {number} more unknown key", "{what} has {number} more unknown keys", more, what=what
        )
        problems.append(Problem(form, code="unknown-key"))
    return problems


def is_int(value: object) -> bool:
    """Return whether a JSON value is a whole number. True and false are not numbers."""
    return isinstance(value, int) and not isinstance(value, bool)
