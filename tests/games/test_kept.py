"""What follows from a board is made once, with no connection held, and kept within a bound of bytes."""

import copy
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from games import kept
from games.fleet.pages import pictures
from games.play.models import Game
from games.snapshots import SnapshotMiddleware, snapshot
from roborunner.postgres.base import DatabaseWrapper
from roborunner.postgres.configuration import POOL, configuration
from tests.games.support import YARD

VISITORS = 12


@pytest.fixture
def name() -> str:
    return uuid4().hex


def test_a_text_is_made_once_for_all_processes(name: str) -> None:
    numbers = count()
    texts = {kept.text_of(name, make=lambda: f"text {next(numbers)}") for _ in range(3)}
    kept.TEXTS.clear()  # as in another process
    texts.add(kept.text_of(name, make=lambda: f"text {next(numbers)}"))
    assert texts == {"text 0"}


def test_a_text_of_other_contents_is_another(name: str) -> None:
    assert kept.text_of(name, 1, make=lambda: "one") == "one"
    assert kept.text_of(name, 2, make=lambda: "two") == "two"


def test_redis_takes_no_more_bytes_than_its_bound(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "A_DAY", 0)
    assert kept.text_of(name, make=lambda: "long") == "long"
    assert kept.fetched([kept.named(name)]) == {}


def test_a_process_remembers_bytes_and_not_numbers() -> None:
    memory = kept.Memory[bytes](10, len)
    memory.put({"one": b"12345", "two": b"12345"})
    memory.put({"three": b"1234567890"})
    assert list(memory.get(["one", "two", "three"])) == ["three"]


@pytest.mark.django_db(transaction=True)
def test_what_an_answer_shows_is_made_after_its_transaction(name: str) -> None:
    within: list[bool] = []

    def make() -> str:
        within.append(connection.in_atomic_block)
        return '<svg id="a">'

    def view(form: str) -> HttpResponse:
        with snapshot():
            text = kept.text_of(name, form, make=make) + "".join(kept.text_of(name, make=make) for _ in "ab")
        return JsonResponse({"text": text}) if form == "json" else HttpResponse(text)

    for form in ("html", "json"):
        answer = SnapshotMiddleware(lambda request, form=form: view(form))(HttpRequest())
        found = json.loads(answer.content)["text"] if form == "json" else answer.content.decode()
        assert found == 3 * '<svg id="a">'
    assert within == [False] * 3, "once for each of three texts"


@pytest.mark.django_db
def test_what_no_answer_waits_for_is_made_at_once(name: str) -> None:
    with snapshot():
        assert kept.text_of(name, make=lambda: "made") == "made"


@pytest.fixture
def pooled(transactional_db: None) -> Iterator[dict[str, Any]]:
    """Describe the test's database with a pool of connections, as the web processes have."""
    settings: dict[str, Any] = copy.deepcopy(connection.settings_dict)
    settings["OPTIONS"] |= configuration({}, pool=True)["OPTIONS"]
    settings |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False}
    yield settings
    DatabaseWrapper(settings).close_pool()


@pytest.mark.parametrize("place", ["starship", "game"])
def test_twelve_drawings_at_once_leave_connections_for_others(
    pooled: dict[str, Any], duel: Game, alice: User, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert POOL["max_size"] < VISITORS
    paths = {
        "starship": reverse("starships:drawing", args=[YARD.saved().current_id, "light"]),
        "game": reverse("games:drawing", args=[duel.pk, "dark"]),
    }
    known = Client()
    known.force_login(alice)
    together = Barrier(VISITORS, timeout=20)

    def slow(*given: Any, **more: Any) -> str:
        together.wait()
        return rules.draw(*given, **more)

    monkeypatch.setattr(pictures, "draw", slow)
    edition = uuid4().hex
    monkeypatch.setattr(kept, "_edition", lambda: edition)
    kept.TEXTS.clear()

    def visit(_: int) -> int:
        connections["default"] = DatabaseWrapper(pooled)
        client = Client()
        client.cookies = known.cookies
        try:
            return client.get(paths[place]).status_code
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(VISITORS) as visitors:
        assert list(visitors.map(visit, range(VISITORS))) == [200] * VISITORS
