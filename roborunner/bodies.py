"""How much is read of what is sent here: in front of Django, which would first put all of it on the disk."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from functools import cache
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from roborunner.headers import in_front

Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

MOST: Final = 128 * 1024
"""Bytes of the largest body: a form of this site has some hundreds, orders by the API less."""

MOST_OF_STAFF: Final = 4 * 1024 * 1024
"""Bytes that may be sent to the pages of staff, who upload starships there."""

MOST_OF_SHIPS: Final = 1_280 * 1024
"""Bytes that may be sent where people draw starships: the largest document, and the form around it."""

ROOMY: Final = {
    "/admin/": MOST_OF_STAFF,
    "/shipyard/": MOST_OF_SHIPS,
    "/api/v1/shipyard/": MOST_OF_SHIPS,
}
"""Beginnings of addresses to which more may be sent."""

PASSED_OVER: Final = 64 * 1024 * 1024
"""Bytes of a body that was refused that are still taken, and thrown away."""

PATIENCE: Final = 5.0
"""Seconds for which they are."""


class _TooLarge(Exception):
    """More has come than may."""


class Bodies:
    """Refuses bodies that are too large, whether they say so at the start or not; hands on all others."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        most = next((size for start, size in ROOMY.items() if scope["path"].startswith(start)), MOST)
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced[:20]) > most:
            await _refuse(scope, receive, send, most)
            return
        read = 0
        answering = False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal answering
            answering = True
            await send(message)

        try:
            await self._application(scope, counted, noted)
        except _TooLarge:
            if not answering:
                await _refuse(scope, receive, send, most)


async def _refuse(scope: Scope, receive: Receive, send: Send, most: int) -> None:
    """Answer, and then hear the sender out: most read no answer before they have sent everything."""
    kind, body = _api_says(most) if scope["path"].startswith("/api/") else _page_says(most)
    headers = in_front() | {
        "content-type": kind,
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "connection": "close",
    }
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 413, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with suppress(TimeoutError):
        await asyncio.wait_for(_pass_over(receive), PATIENCE)
    await send({"type": "http.response.body", "body": b""})


async def _pass_over(receive: Receive) -> None:
    passed, more = 0, True
    while more and passed < PASSED_OVER:
        message = await receive()
        passed += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)


@cache
def _api_says(most: int) -> tuple[str, bytes]:
    detail = _("The body is larger than {most} kB.").format(most=most // 1024)
    return "application/json", json.dumps({"error": "too-large", "detail": detail, "problems": []}).encode()


@cache
def _page_says(most: int) -> tuple[str, bytes]:
    return "text/html; charset=utf-8", render_to_string("413.html", {"most": most // 1024}).encode()
