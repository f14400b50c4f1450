"""Django's own way of answering, by one change of thread for each request, to a thread that stays.

Alone, Django calls views from its event loop, whatever the middleware around them is: a request changes from
the loop to a thread for the middleware, back to the loop, and to the thread again for the view. Its signals
change threads as well, and each request gets a thread of its own, with new connections in it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from itertools import takewhile
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.core.signals import request_started
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from django.utils.module_loading import import_string

IDLE: Final = 16
"""How many threads wait for requests at most. More requests at once get threads of their own."""

Result = TypeVar("Result")

_thread: ContextVar[Executor] = ContextVar("thread of a request")


class Handler(ASGIHandler):
    """Runs the outermost middleware in the event loop, and all that is within in a thread."""

    def __init__(self) -> None:
        self._idle: list[ThreadPoolExecutor] = []
        super().__init__()

    def load_middleware(self, is_async: bool = True) -> None:
        """Have middleware and views ready. In the loop is what must be there, and what stands around it."""
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
        """Answer a request."""
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1)
        _thread.set(thread)
        try:
            await self._answer(scope, receive, send)
        except BaseException:  # it may still be at work, for someone who does not wait any more
            thread.shutdown(wait=False)
            raise
        if len(self._idle) < IDLE:
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
            response.close()  # its content stays, and what was opened for it is given back
        return response


async def _in_thread(work: Callable[[], Result]) -> Result:
    """Do something in the request's thread, with its context."""
    return await asyncio.get_running_loop().run_in_executor(_thread.get(), copy_context().run, work)
