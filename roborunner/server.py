"""Layers in front of Django: limits on bodies, and reused threads.

Bodies that are too large are refused here, since Django would first write all of them to the disk.

Django itself calls views from its event loop. A request changes from the loop to a thread for the middleware,
back to the loop, and to the thread again for the view. Django's signals change threads too, and each request
gets a new thread, with new connections in it. `Handler` changes threads once, to a reused thread.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import cache, partial
from itertools import takewhile
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.core.signals import request_started
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import set_script_prefix
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from roborunner.middleware import outer_headers

Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

MAX_BODY: Final = 128 * 1024
"""The maximum size of a body in bytes. Forms and orders have a few hundred bytes."""

MAX_STAFF_BODY: Final = 4 * 1024 * 1024
"""The maximum size of a body on staff pages in bytes, for uploaded starships."""

MAX_SHIP_BODY: Final = 1_280 * 1024
"""The maximum size of a body in the shipyard in bytes: a ship and its form."""

BODY_LIMITS: Final = {
    "/admin/": MAX_STAFF_BODY,
    "/shipyard/": MAX_SHIP_BODY,
    "/api/v1/shipyard/": MAX_SHIP_BODY,
}
"""The maximum size of a body in bytes, by the prefix of the request's path.

The limit for all other paths is `MAX_BODY`.
"""

MAX_DISCARDED: Final = 64 * 1024 * 1024
"""The maximum number of bytes of a refused body to read and discard."""

DISCARD_SECONDS: Final = 5.0
"""The maximum number of seconds to read and discard a refused body."""


class _TooLarge(Exception):
    pass


class BodyLimit:
    """Refuses requests with a body that is too large. Passes on all other requests.

    The limit applies both to the size in the header Content-Length and to the bytes received.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        most = next(
            (size for start, size in BODY_LIMITS.items() if scope["path"].startswith(start)), MAX_BODY
        )
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
    """Refuse a request with status 413, and then read the rest of its body.

    Most clients send the whole body before they read the answer.
    """
    kind, body = _api_error(most) if scope["path"].startswith("/api/") else _page_error(most)
    headers = outer_headers() | {
        "content-type": kind,
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "connection": "close",
    }
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 413, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with suppress(TimeoutError):
        await asyncio.wait_for(_discard(receive), DISCARD_SECONDS)
    await send({"type": "http.response.body", "body": b""})


async def _discard(receive: Receive) -> None:
    passed, more = 0, True
    while more and passed < MAX_DISCARDED:
        message = await receive()
        passed += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)


@cache
def _api_error(most: int) -> tuple[str, bytes]:
    detail = _("The body is larger than {most} kB.").format(most=most // 1024)
    return "application/json", json.dumps({"error": "too-large", "detail": detail, "problems": []}).encode()


@cache
def _page_error(most: int) -> tuple[str, bytes]:
    return "text/html; charset=utf-8", render_to_string("413.html", {"most": most // 1024}).encode()


MAX_IDLE_THREADS: Final = 16
"""The maximum number of idle threads. More requests at once get temporary threads."""

Result = TypeVar("Result")

_thread: ContextVar[Executor] = ContextVar("thread of a request")


class Handler(ASGIHandler):
    """Runs the outermost middleware in the event loop, and the rest in a thread."""

    def __init__(self) -> None:
        self._idle: list[ThreadPoolExecutor] = []
        super().__init__()

    def load_middleware(self, is_async: bool = True) -> None:
        """Load middleware and views.

        Middleware that only works asynchronously runs in the event loop, and so does all middleware outside
        it. The rest runs in a thread.
        """
        everything = settings.MIDDLEWARE
        kinds = [import_string(path) for path in everything]
        inner = list(takewhile(lambda kind: getattr(kind, "sync_capable", True), reversed(kinds)))
        outer = kinds[: len(kinds) - len(inner)]
        settings.MIDDLEWARE = everything[len(outer) :]
        try:
            self._pages = BaseHandler()
            self._pages.load_middleware()
        finally:
            settings.MIDDLEWARE = everything
        answer: Callable[..., Any] = self._answer_in_thread
        for kind in reversed(outer):
            answer = convert_exception_to_response(kind(answer))
        self._middleware_chain = answer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1)
        _thread.set(thread)
        try:
            await self._answer(scope, receive, send)
        except BaseException:  # the thread may still be working for a lost request
            thread.shutdown(wait=False)
            raise
        if len(self._idle) < MAX_IDLE_THREADS:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            set_script_prefix(get_script_prefix(scope))
            request, refusal = self.create_request(scope, body)
            response = refusal or await self._middleware_chain(request)
            await self.send_response(response, send)
            if not response.closed:
                await _in_thread(response.close)

    async def _answer_in_thread(self, request: ASGIRequest) -> HttpResponseBase:
        return await _in_thread(partial(self._answer_at_once, request))

    def _answer_at_once(self, request: ASGIRequest) -> HttpResponseBase:
        request_started.send(sender=type(self), scope=request.scope)
        response = self._pages.get_response(request)
        if not response.streaming:
            response.close()  # releases the resources of the response, but not its content
        return response


async def _in_thread(work: Callable[[], Result]) -> Result:
    return await asyncio.get_running_loop().run_in_executor(_thread.get(), copy_context().run, work)
