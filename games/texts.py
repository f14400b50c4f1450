"""What people write for others to read: plain text of a few lines."""

import re
import unicodedata
from typing import Final

from django.utils.translation import gettext as _

from games.errors import ProblemDocument

TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that make text run the other way, and with it what stands beside it."""


def tidied(text: str) -> str:
    r"""Return a text without space around it, and with at most one empty line in a row.

    >>> tidied("  On my way. \r\n\r\n\r\nWait! ")
    'On my way.\n\nWait!'
    """
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).replace("\t", " ").strip()


def has_controls(text: str) -> bool:
    """Return whether a text has characters in it that control how it is shown."""
    return any(_controls(character) for character in text)


def says_something(text: str) -> bool:
    """Return whether there is anything to read in a text."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in text)


def problems_of(text: str, *, longest: int, code: str = "text", needed: str = "") -> list[ProblemDocument]:
    """Return why a tidied text cannot be kept; ``needed`` is what to say where it may not be empty."""
    found: list[ProblemDocument] = []
    if len(text) > longest:
        detail = _("Your text has {count} characters, and at most {most} are allowed.")
        found.append({"code": code, "detail": detail.format(count=len(text), most=longest)})
    if has_controls(text):
        detail = _("Your text contains control characters. Remove them: only plain text is taken.")
        found.append({"code": code, "detail": detail})
    if needed and not says_something(text):
        found.append({"code": code, "detail": needed})
    return found


def _controls(character: str) -> bool:
    if character == "\n":
        return False
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} or character in TURNING
