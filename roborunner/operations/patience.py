"""Answers about the service in time, even while its database says neither yes nor no.

A database that was stopped is found to be away at once. One whose disk hangs takes a question and never
answers it, and neither would anyone who asked: then the answer here is that it does not answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, NoReturn

from roborunner.operations import metrics, probes
from roborunner.operations.addresses import METRICS, READY

Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Application = Callable[[Any, Any, Any], Awaitable[None]]
Substitute = Callable[[str], tuple[int, str, bytes]]

SECONDS: Final = 4.0
"""How long an answer may take: anyone who asks waits a little longer."""

PAUSE: Final = 15.0
"""Seconds for which a database that kept silent is not asked again: each question holds a connection."""

SUBSTITUTES: Final[dict[str, Substitute]] = {
    READY: lambda authorization: probes.silent(),
    METRICS: metrics.silent,
}
"""What is answered instead, to anyone who shows this authorization."""


class Patience:
    """Waits for the answers to those addresses, but not for long; hands on all others."""

    def __init__(self, application: Application, *, seconds: float = SECONDS, pause: float = PAUSE) -> None:
        self._application = application
        self._seconds, self._pause = seconds, pause
        self._late: set[asyncio.Task[list[Message]]] = set()
        self._asked_again_at = 0.0

    async def __call__(self, scope: Scope, receive: Any, send: Callable[[Message], Awaitable[None]]) -> None:
        if scope["type"] != "http" or scope["path"] not in SUBSTITUTES:
            await self._application(scope, receive, send)
            return
        for message in await self._answer(scope) or _instead(scope):
            await send(message)

    async def _answer(self, scope: Scope) -> list[Message] | None:
        """Return what the application answers; None where that takes too long, and it is left to end."""
        now = asyncio.get_running_loop().time
        if self._late and now() < self._asked_again_at:
            return None
        asked = asyncio.create_task(self._heard(scope))
        await asyncio.wait({asked}, timeout=self._seconds)
        if asked.done():
            return asked.result()
        self._asked_again_at = now() + self._pause
        self._late.add(asked)
        asked.add_done_callback(self._came)
        return None

    def _came(self, asked: asyncio.Task[list[Message]]) -> None:
        self._late.discard(asked)
        if not asked.cancelled():
            asked.exception()  # no one waits for it any more

    async def _heard(self, scope: Scope) -> list[Message]:
        requests = [{"type": "http.request", "body": b"", "more_body": False}]
        answer: list[Message] = []

        async def receive() -> Message:
            return requests.pop() if requests else await _for_ever()

        async def send(message: Message) -> None:
            answer.append(message)

        await self._application(scope, receive, send)
        return answer


async def _for_ever() -> NoReturn:
    """Wait: the one who asked does not go away from what may be answered without them."""
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


def _instead(scope: Scope) -> list[Message]:
    shown = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    status, kind, body = SUBSTITUTES[scope["path"]](shown)
    headers = {
        "content-type": kind,
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return [
        {"type": "http.response.start", "status": status, "headers": pairs},
        {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body},
    ]
