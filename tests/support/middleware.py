"""Middleware of test clients: loaded once, and without static files.

The middleware for static files is asynchronous, and would need three threads for each request of a test.
Browsers use the complete site (see `site`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test.client import ClientHandler

WHOLE: list[str] = settings.MIDDLEWARE
WITHOUT_FILES = [each for each in WHOLE if "servestatic" not in each]

_LOADED = ("_middleware_chain", "_view_middleware", "_template_response_middleware", "_exception_middleware")


@contextmanager
def loaded_once() -> Iterator[None]:
    """Share the middleware between all test clients in the block.

    The middleware is loaded again after a change of settings.
    """
    made_for: object = None
    loaded: dict[str, Any] = {}

    def load(handler: ClientHandler, is_async: bool = False) -> None:
        nonlocal made_for, loaded
        if made_for is not settings._wrapped:
            BaseHandler.load_middleware(handler, is_async)
            made_for, loaded = settings._wrapped, {name: vars(handler)[name] for name in _LOADED}
        vars(handler).update(loaded)

    with patch.object(ClientHandler, "load_middleware", load):
        yield
