"""A web process answers probes and metrics in time if its database hangs."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from roborunner.operations.probes import ProbeTimeout

TOKEN = "a-token-for-prometheus"


class Pages:
    """A fake application that answers when the test sets its event ``let``."""

    def __init__(self) -> None:
        self.asked = 0
        self.let = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        assert (await receive())["type"] == "http.request"
        await self.let.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"from the database"})


async def ask(limited: ProbeTimeout, path: str, **headers: str) -> tuple[int, bytes]:
    """Return the status and body of a response."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    conversation = ApplicationCommunicator(limited, scope)
    await conversation.send_input({"type": "http.request", "body": b"", "more_body": False})
    start = await conversation.receive_output(2)
    body = await conversation.receive_output(2)
    return start["status"], body["body"]


def played(trial: Callable[[Pages, ProbeTimeout], Any], *, pause: float = 60) -> Pages:
    """Call ``trial`` with a fake application and a probe timeout of 0.05 seconds. Return the application."""

    async def run() -> Pages:
        pages = Pages()
        await trial(pages, ProbeTimeout(pages, seconds=0.05, pause=pause))
        pages.let.set()
        await asyncio.sleep(0)
        return pages

    return asyncio.run(run())


def test_a_timely_answer_is_passed_on() -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        pages.let.set()
        assert await ask(limited, "/readyz") == (200, b"from the database")

    played(trial)


def test_a_silent_database_is_reported() -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        status, body = await ask(limited, "/readyz")
        assert status == 503
        missing = {"database": "The database does not answer."}
        assert json.loads(body) == {"status": "not ready", "missing": missing}

    played(trial)


def test_metrics_report_it_only_with_the_token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN

    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        status, body = await ask(limited, "/metrics", authorization=f"Bearer {TOKEN}")
        assert status == 200
        assert b"robo_runner_database_answers 0.0" in body
        assert b"robo_runner_games_running" not in body
        status, body = await ask(limited, "/metrics")
        assert status == 401
        assert b"robo_runner" not in body

    played(trial)


def test_a_silent_database_is_not_asked_repeatedly() -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        await ask(limited, "/readyz")
        begun = time.monotonic()
        for _ in range(20):
            assert (await ask(limited, "/readyz"))[0] == 503
        assert time.monotonic() - begun < 20 * 0.05

    assert played(trial).asked == 1


def test_a_silent_database_is_asked_again_after_a_pause() -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        await ask(limited, "/readyz")
        await ask(limited, "/readyz")
        assert pages.asked == 2
        pages.let.set()
        assert await ask(limited, "/readyz") == (200, b"from the database")

    played(trial, pause=0)


def test_the_database_is_asked_again_as_soon_as_it_has_answered() -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        await ask(limited, "/readyz")
        pages.let.set()
        await asyncio.sleep(0.01)
        assert (await ask(limited, "/readyz"))[0] == 200

    played(trial)


@pytest.mark.parametrize("path", ["/healthz", "/", "/games/7/"])
def test_other_addresses_have_no_timeout(path: str) -> None:
    async def trial(pages: Pages, limited: ProbeTimeout) -> None:
        asking = asyncio.create_task(ask(limited, path))
        await asyncio.sleep(0.1)
        assert not asking.done()
        pages.let.set()
        assert (await asking)[0] == 200

    played(trial)
