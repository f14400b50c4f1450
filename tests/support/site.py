"""The real web server in a thread, connected to the test's database.

Django's live server never ends event streams, so this is the production server.
"""

import threading
import time
from typing import Any

import uvicorn
from django.db import connection
from django.test import override_settings
from uvicorn.importer import import_from_string

from tests.support import middleware

_CONDITIONS = frozenset({b"range", b"if-none-match", b"if-modified-since"})
"""Request headers that ask for a part of a file, or for a file only if it changed."""


class Site:
    """The web server at `url`, from `start` to `stop`.

    It serves the whole ``application`` by default. It requests each static file from the application only
    once: a page has dozens of files, and every browser requests all of them.
    """

    def __init__(self, application: Any = "roborunner.asgi:application") -> None:
        self.url = ""
        self._application = application
        self._answering = 0
        self._files: dict[tuple[str, str], list[Any]] = {}
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve at a free port. Return when the server responds."""
        config = uvicorn.Config(
            self._answer,
            interface="asgi3",
            http="roborunner.protocol:Bounded",
            host="127.0.0.1",
            port=0,
            log_config=None,
            access_log=False,
            lifespan="off",
            date_header=False,  # with a date of another time, browsers would treat files as old
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, name="site", daemon=True)
        with override_settings(MIDDLEWARE=middleware.WHOLE):  # in-process clients do not need static files
            self._application = import_from_string(self._application)
            self._thread.start()
            end = time.monotonic() + 60
            while not self._server.started:
                assert self._thread.is_alive() and time.monotonic() < end, "the site does not start"
                time.sleep(0.02)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://localhost:{port}"

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if _is_file(scope):
            file = scope["method"], scope["path"]
            if file not in self._files:
                self._files[file] = await self._answer_of(scope, receive)
            for message in self._files[file]:
                await send(message)
            return
        self._answering += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self._answering -= 1

    async def _answer_of(self, scope: Any, receive: Any) -> list[Any]:
        messages: list[Any] = []

        async def note(message: Any) -> None:
            messages.append(message)

        await self._application(scope, receive, note)
        return messages

    def rest(self) -> None:
        """Wait until all responses and queries have ended, even if clients have left."""
        busy = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
        )
        still, end = 0, time.monotonic() + 60
        while still < 3 and time.monotonic() < end:
            with connection.cursor() as cursor:
                cursor.execute(busy)
                still = 0 if self._answering or cursor.fetchone()[0] else still + 1
            time.sleep(0.02)

    def stop(self) -> None:
        assert self._server and self._thread
        self._server.should_exit = True
        self._thread.join(20)


def _is_file(scope: Any) -> bool:
    """Return whether a request asks for a complete static file."""
    named = {name for name, _ in scope["headers"]}
    return scope["path"].startswith("/static/") and _CONDITIONS.isdisjoint(named)
