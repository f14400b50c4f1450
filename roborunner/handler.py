"""Django's own way of answering, by one change of thread for each request.

Alone, Django calls views from its event loop, whatever the middleware around them is: a request changes from
the loop to a thread for the middleware, back to the loop, and to the thread again for the view.
"""

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.utils.module_loading import import_string


class Handler(ASGIHandler):
    """Runs the outermost middleware in the event loop, and all that is within in a thread."""

    def load_middleware(self, is_async: bool = True) -> None:
        """Have middleware and views ready. In the loop is what must be there, and what stands around it."""
        everything = settings.MIDDLEWARE
        kinds = [import_string(path) for path in everything]
        inner = list(takewhile(lambda kind: getattr(kind, "sync_capable", True), reversed(kinds)))
        outer = kinds[: len(kinds) - len(inner)]
        answer: Callable[..., Any] = sync_to_async(
            self._within(everything[len(outer) :]), thread_sensitive=True
        )
        for kind in reversed(outer):
            answer = convert_exception_to_response(kind(answer))
        self._middleware_chain = answer

    def _within(self, middleware: list[str]) -> Callable[..., Any]:
        everything = settings.MIDDLEWARE
        settings.MIDDLEWARE = middleware
        try:
            BaseHandler.load_middleware(self, is_async=False)
        finally:
            settings.MIDDLEWARE = everything
        chain: Callable[..., Any] = self._middleware_chain
        return chain
