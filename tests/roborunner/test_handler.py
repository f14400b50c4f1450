"""The web process handles each request in one thread, and reuses threads."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from typing import Any

import pytest
from asgiref.sync import markcoroutinefunction
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from roborunner import server
from roborunner.server import Handler

threads: list[int] = []
gates: dict[str, threading.Event] = {}
"""Events that block requests until a test sets them, by query string."""


def _view(request: HttpRequest) -> HttpResponse:
    threads.append(threading.get_ident())
    if gate := gates.get(request.META["QUERY_STRING"]):
        assert gate.wait(10)
    return HttpResponse("answer")


def _parts(request: HttpRequest) -> StreamingHttpResponse:
    async def parts() -> AsyncIterator[str]:
        yield "one, "
        yield "two"

    return StreamingHttpResponse(parts())


urlpatterns = [path("one/", _view), path("parts/", _parts)]


@pytest.fixture(autouse=True)
def _empty() -> None:
    threads.clear()
    gates.clear()


@pytest.fixture
def pages() -> Handler:
    with override_settings(MIDDLEWARE=["roborunner.middleware.headers"]):
        return Handler()


async def ask(pages: Handler, page: str = "/one/", query: str = "") -> bytes:
    """Send a request to the handler. Return the response."""
    method, _, page = page.rpartition(" ")
    scope = {
        "type": "http",
        "method": method or "GET",
        "path": page,
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost")],
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await pages(scope, receive, send)
    assert sent[0]["status"] == 200
    return b"".join(message.get("body", b"") for message in sent[1:])


def run(work: Callable[[], Any]) -> Any:
    """Run a coroutine with the URLs of this module."""
    with override_settings(ROOT_URLCONF=__name__):
        return asyncio.run(work())


def test_one_request_after_the_other_is_answered_in_the_same_thread(pages: Handler) -> None:
    async def work() -> None:
        for _ in range(5):
            assert await ask(pages) == b"answer"

    run(work)
    assert len(threads) == 5
    assert set(threads) == {threads[0]} != {threading.get_ident()}


def test_simultaneous_requests_have_different_threads_and_some_stay(
    pages: Handler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_IDLE_THREADS", 2)
    gates["all"] = threading.Event()

    async def work() -> None:
        asked = [asyncio.create_task(ask(pages, query="all")) for _ in range(5)]
        while len(threads) < 5:
            await asyncio.sleep(0.01)
        gates["all"].set()
        assert await asyncio.gather(*asked) == [b"answer"] * 5

    before = threading.active_count()
    run(work)
    assert len(set(threads)) == 5
    _wait_for(lambda: threading.active_count() <= before + 2)


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it does not come")


def test_an_abandoned_request_keeps_its_thread(pages: Handler) -> None:
    gates["slow"] = threading.Event()

    async def work() -> None:
        slow = asyncio.create_task(ask(pages, query="slow"))
        while not threads:
            await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        assert await asyncio.wait_for(ask(pages), 5) == b"answer"
        gates["slow"].set()

    run(work)
    assert len(set(threads)) == 2


def test_a_request_changes_its_thread_once(pages: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[Any] = []
    given = asyncio.BaseEventLoop.run_in_executor

    def note(loop: Any, executor: Executor, *work: Any) -> Any:
        changes.append(executor)
        return given(loop, executor, *work)

    monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", note)
    run(lambda: ask(pages))
    assert len(changes) == 1


@pytest.mark.parametrize("page", ["/one/", "/parts/", "HEAD /one/"])
def test_connections_of_a_request_are_returned_in_its_thread(pages: Handler, page: str) -> None:
    """Django returns connections to the pool on the signal `request_finished`."""
    told: list[tuple[str, int]] = []

    def started(**_: Any) -> None:
        told.append(("started", threading.get_ident()))

    def finished(**_: Any) -> None:
        told.append(("finished", threading.get_ident()))

    request_started.connect(started)
    request_finished.connect(finished)
    try:
        content = run(lambda: ask(pages, page))
    finally:
        request_started.disconnect(started)
        request_finished.disconnect(finished)
    assert content in (b"answer", b"one, two")
    assert [word for word, _ in told] == ["started", "finished"]
    assert told[0][1] == told[1][1] != threading.get_ident()


def test_answers_have_the_headers_added_in_the_event_loop() -> None:
    with override_settings(
        MIDDLEWARE=["roborunner.middleware.headers", "tests.roborunner.test_handler.Loop"]
    ):
        pages = Handler()
    assert run(lambda: ask(pages)) == b"answer in the loop"


class Loop:
    async_capable, sync_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> Any:
        response = await self._get_response(request)
        response.content += b" in the loop"
        return response
