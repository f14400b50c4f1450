"""The ASGI application in front of Django's: it answers the addresses of streams itself."""

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from django.conf import settings

from roborunner.headers import in_front
from roborunner.streams.admission import Refusal, Scope, admit
from roborunner.streams.hub import Hub, Reader
from roborunner.streams.process import most_streams, when_it_ends
from roborunner.streams.source import Item, Pass, Source

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PING = 15.0
"""Seconds of silence after which a comment is sent: proxies cut connections that are silent."""

STUCK = 60.0
"""Seconds for which someone may take nothing of what is sent to them."""

LIFE = (20 * 60, 30 * 60)
"""Seconds after which a stream ends, so that it is asked again who may have it: between these two."""

RETRY = (1000, 4000)
"""Milliseconds after which a browser asks again: between these two, for not all of them to come at once."""

HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "vary": "Cookie, Authorization",
}


class Streams:
    """Streams of a ``source``, in front of the ``pages``, which get all that is asked otherwise."""

    def __init__(self, pages: Application, source: Source) -> None:
        self._pages = pages
        self._source = source
        self._hub: Hub | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._most = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and (found := self._stream_in(scope)):
            await self._answer(scope, receive, send, int(found["number"]), api=bool(found["api"]))
        else:
            await self._pages(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Take note of the beginning and the end of the server."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._hub:
                    await self._hub.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _opened(self) -> Hub:
        """Return the hub of this process; the first stream opens it."""
        loop = asyncio.get_running_loop()
        if self._hub is None or self._loop is not loop:
            self._hub, self._loop = Hub(settings.REDIS_URL, self._source), loop
            self._most = most_streams()
            self._hub.open()
            when_it_ends(loop, self._hub.end_streams)
        return self._hub

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        number: int,
        *,
        api: bool,
    ) -> None:
        hub = self._opened()
        if hub.size >= self._most or hub.closing:
            await _answer_at_once(send, self._refusal(self._source.full()), scope)
            return
        with hub.reader(number) as reader:
            hints = reader.room.hints
            admitted = await hub.in_thread(admit, self._source, scope, number, api=api)
            if isinstance(admitted, Refusal):
                await _answer_at_once(send, admitted, scope)
            elif scope["method"] == "HEAD":
                await _answer_at_once(send, Refusal(200, HEADERS, b""), scope)
            elif hub.streams_of(admitted.client) >= self._source.most_of_client:
                await _answer_at_once(send, self._refusal(self._source.too_many()), scope)
            else:
                hub.count(reader, admitted.client)
                reader.ground = admitted.ground
                reader.room.note(admitted.state)
                if reader.room.hints != hints:  # what was read may be older than what is there
                    hub.hint([number])
                watch = asyncio.create_task(_watch(receive, reader))
                try:
                    await self._stream(send, hub, reader, admitted)
                except TimeoutError:
                    pass  # no one takes what is sent: the server closes the connection
                finally:
                    watch.cancel()

    def _stream_in(self, scope: Scope) -> re.Match[str] | None:
        """Return which stream is asked for, if any; OPTIONS of the API are answered as for all its calls."""
        found = self._source.address.fullmatch(scope["path"])
        return None if found and found["api"] and scope["method"] == "OPTIONS" else found

    def _refusal(self, error: Exception) -> Refusal:
        return Refusal(*self._source.refusal(error))

    async def _stream(self, send: Send, hub: Hub, reader: Reader, admitted: Pass) -> None:
        now = asyncio.get_running_loop().time
        end = now() + random.uniform(*LIFE)
        await send(_start(200, HEADERS))
        told = admitted.state
        first = self._source.first_news(admitted.read, told)
        await _send(send, f"retry: {random.randint(*RETRY)}\n\n{_written(first)}")
        while not (reader.gone or reader.lost or hub.closing):
            state = reader.room.state or told
            if state != told:
                text, told = _written(self._source.news(told, state)), state
            elif await _woken(reader, min(PING, end - now())):
                continue
            elif now() >= end:
                break
            else:
                text = ": ping\n\n"
            if text:
                await _send(send, text)
        if reader.lost and not reader.gone:
            await _send(send, _written(self._source.farewell(told)))
        if not reader.gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _woken(reader: Reader, seconds: float) -> bool:
    """Wait until there is something for a reader, at most for so long; return whether there is."""
    try:
        async with asyncio.timeout(seconds):
            await reader.wake.wait()
    except TimeoutError:
        return False
    reader.wake.clear()
    return True


async def _watch(receive: Receive, reader: Reader) -> None:
    """Notice when no one is at the other end any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.leave()


def _written(items: Iterable[Item]) -> str:
    return "".join(
        f"id: {item.cursor}\nevent: {item.kind}\ndata: {json.dumps(item.data, ensure_ascii=False)}\n\n"
        for item in items
    )


async def _send(send: Send, text: str) -> None:
    async with asyncio.timeout(STUCK):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def _start(status: int, headers: dict[str, str]) -> Message:
    raw = [(name.encode(), value.encode()) for name, value in (in_front() | headers).items()]
    return {"type": "http.response.start", "status": status, "headers": raw}


async def _answer_at_once(send: Send, answer: Refusal, scope: Scope) -> None:
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send(_start(answer.status, answer.headers | {"content-length": str(len(answer.body))}))
    await send({"type": "http.response.body", "body": body, "more_body": False})
