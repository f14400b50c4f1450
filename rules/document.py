"""Reading JSON documents: every unknown key, missing key and wrong type is named."""

import json
from collections.abc import Mapping
from typing import Any

from rules.errors import NotationError

Document = Mapping[str, Any]


def parse(text: str | bytes) -> Document:
    """Parse a JSON object; raises NotationError where the text is none."""
    try:
        document = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_double)
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotationError("not JSON: a text has half a character in it (a lone surrogate)") from None
    except UnicodeDecodeError:
        raise NotationError("the text is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise NotationError(f"not JSON: {reason}") from None
    if not isinstance(document, dict):
        raise NotationError("a JSON object is expected")
    return document


def canonical(value: object) -> str:
    """Write a JSON value so that equal values have equal texts: keys sorted, no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _no_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key “{double}” stands twice")
    return result


def check_format(document: object, expected: str) -> Document:
    """Return the document if it is an object of that format, else raise NotationError."""
    if not isinstance(document, Mapping):
        raise NotationError(f"a JSON object in the format “{expected}” is expected")
    if "format" not in document:
        raise NotationError(f"the key “format” is missing; “{expected}” is expected")
    if document["format"] != expected:
        raise NotationError(f"the format is {document['format']!r}; “{expected}” is expected")
    return document


def check_keys(document: Document, known: Mapping[str, Any] | set[str] | frozenset[str], what: str) -> None:
    """Raise NotationError where the document has keys that are not known."""
    unknown = sorted(str(key) for key in document if key not in known)
    if unknown:
        raise NotationError(*(f"{what} has no key “{key}”" for key in unknown))


def is_int(value: object) -> bool:
    """Return whether a JSON value is a whole number (true and false are not)."""
    return isinstance(value, int) and not isinstance(value, bool)
