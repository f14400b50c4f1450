"""The mailbox to which mail comes back, where the site has to fetch it (POP3)."""

import poplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import unquote, urlsplit

SECONDS: Final = 20.0
"""How long the server may take for each answer."""

MOST: Final = 200
"""Mails that are fetched in one go; the rest comes with the next."""

LARGEST: Final = 1_000_000
"""Octets of the largest mail that is looked at; reports of what was not delivered are far smaller."""


def fetched(url: str) -> Iterator[bytes]:
    """Yield the mails of a mailbox, but for what is too large; once all were taken they are deleted there.

    Else they come again. Raises OSError or poplib.error_proto where the server does not answer, or does not
    let the site in.
    """
    with _opened(url) as box:
        for line in box.list()[1][:MOST]:
            number, size = (int(figure) for figure in line.split()[:2])
            if size <= LARGEST:
                yield b"\r\n".join(box.retr(number)[1])
            box.dele(number)
        box.quit()


def waiting_in(url: str) -> int:
    """Return how many mails are in a mailbox, and leave them there; raises as `fetched` does."""
    with _opened(url) as box:
        return len(box.list()[1])


@contextmanager
def _opened(url: str) -> Iterator[poplib.POP3]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    box: poplib.POP3
    if parts.scheme == "pop3s":
        context = ssl.create_default_context()
        box = poplib.POP3_SSL(host, parts.port or 995, timeout=SECONDS, context=context)
    else:
        box = poplib.POP3(host, parts.port or 110, timeout=SECONDS)
    try:
        box.user(unquote(parts.username or ""))
        box.pass_(unquote(parts.password or ""))
        yield box
    finally:
        with suppress(OSError):
            box.close()
