"""Cursors: how far someone has read what happened in a game, and what was said."""

import re
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.errors import Malformed

_WRITTEN = re.compile(r"(?P<first>[0-9]{1,18})(?:-(?P<chat>[0-9]{1,18}))?", re.ASCII)


class Cursor(NamedTuple):
    """A place in a game: the ``seq`` of the last event of its log, and the id of the last line of its chat.

    Written ``SEQ-CHAT``; 0 is before the first.
    """

    seq: int
    chat: int

    def __str__(self) -> str:
        return f"{self.seq}-{self.chat}"


def read_cursor(text: str) -> Cursor:
    """Return the cursor that a text is; a plain number is one of the log, and nothing said was read yet.

    Raises Malformed for what is neither.

    >>> read_cursor("418-12"), read_cursor("418")
    (Cursor(seq=418, chat=12), Cursor(seq=418, chat=0))
    """
    found = _match(text)
    return Cursor(int(found["first"]), int(found["chat"] or 0))


def log_place(text: str) -> int:
    """Return after which event to go on: a plain number is its ``seq``. Raises Malformed as `read_cursor`."""
    return read_cursor(text).seq


def chat_place(text: str) -> int:
    """Return after which line of the chat to go on: a plain number is its id. Raises
    Malformed as `read_cursor`.

    >>> chat_place("418-12"), chat_place("12")
    (12, 12)
    """
    found = _match(text)
    return int(found["chat"] or found["first"])


def _match(text: str) -> re.Match[str]:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        detail = _(
            "“{text}” is no cursor. A cursor is a number, such as 418, or two, such as 418-12."
        ).format(text=text[:40])
        raise Malformed("cursor", detail, [{"code": "cursor", "detail": detail, "key": "after"}])
    return found
