"""Whether the sender of a request may have a stream, asked within the limits of a request."""

from io import BytesIO
from typing import Any, NamedTuple

from django.core.handlers.asgi import ASGIRequest

from roborunner import gate
from roborunner.postgres import limits
from roborunner.streams.source import Pass, Source

Scope = dict[str, Any]


class Refusal(NamedTuple):
    """An answer in place of a stream."""

    status: int
    headers: dict[str, str]
    body: bytes


def admit(source: Source, scope: Scope, number: int, *, api: bool) -> Pass | Refusal:
    """Return what a source says to a request; ``api`` where a stream takes an account.

    It uses the database of the thread that it runs in.
    """
    page = ASGIRequest(scope, BytesIO())
    try:
        with limits.within(limits.REQUEST, least=limits.LATE):
            return source.admit(page, number, api=api, check_host=gate.check)
    except Exception as error:
        return Refusal(*source.refusal(error, page))
