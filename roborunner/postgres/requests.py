"""Requests that wait a few seconds for the database, and then get a 503 (`games.site.pages.mishaps`)."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from roborunner.postgres import limits


class Limited:
    """Limits each request of an ASGI application."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request; its threads take the limit over."""
        with limits.within(limits.REQUEST, least=limits.LATE):
            await self._application(scope, receive, send)


def limited(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Return a WSGI application whose requests have the same limit."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with limits.within(limits.REQUEST, least=limits.LATE):
            return application(environ, start_response)

    return answer
