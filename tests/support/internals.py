"""Traces of Python and Django that error messages must not contain."""

import re

INTERNALS = re.compile(
    r"\b(?:None|NoneType|True(?! or false)|False|str|int|dict|bool|float|tuple)\b"
    r"|\w(?:Error|Exception)\b|Traceback|<class| object at |non_field|\bsys\.|subscript|\bdictionary\b"
    r"|Expecting|Extra data|Invalid data|Invalid control|Unterminated|Ensure this|This field"
    r"|\(char \d+\)|\{'|\['|\b0x[0-9a-f]{6}"
)
"""Matches names of Python's types and errors, and phrases of JSON and Django."""


def hint_in(text: str) -> str | None:
    """Return the first trace of Python or Django in a message, or None.

    >>> hint_in("Expected a list, got type dict."), hint_in("True or false is expected.")
    ('dict', None)
    """
    found = INTERNALS.search(text)
    return found[0] if found else None
