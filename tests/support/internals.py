"""Hints of internals, which error messages never contain."""

import re

INTERNALS = re.compile(
    r"\b(?:None|NoneType|True(?! or false)|False|str|int|dict|bool|float|tuple)\b"
    r"|\w(?:Error|Exception)\b|Traceback|<class| object at |non_field|\bsys\.|subscript|\bdictionary\b"
    r"|Expecting|Extra data|Invalid data|Invalid control|Unterminated|Ensure this|This field"
    r"|\(char \d+\)|\{'|\['|\b0x[0-9a-f]{6}"
)
"""Names of Python's types and errors, and words of JSON and Django's forms."""


def hint_in(text: str) -> str | None:
    """Return the first hint of the inside that a message has in it, or None.

    >>> hint_in("Expected a list, got type dict."), hint_in("True or false is expected.")
    ('dict', None)
    """
    found = INTERNALS.search(text)
    return found[0] if found else None
