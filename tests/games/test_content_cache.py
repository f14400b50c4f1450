"""Cached values of boards: limited in size, and computed without a connection."""

import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier, Event
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from games import content_cache
from games.fleet import pictures
from games.people.tokens import make_token
from games.play.models import Game
from games.reading import SnapshotMiddleware, snapshot
from games.shipyard.models import StarshipDraft
from games.shipyard.services import make_link
from roborunner.postgres.base import DatabaseWrapper
from roborunner.postgres.connections import POOL, configuration
from tests.games.shipyard.drawing import document, drafted
from tests.games.support import NOW, YARD

VISITORS = 12


@pytest.fixture
def name() -> str:
    return uuid4().hex


def test_a_text_is_computed_once_for_all_processes(name: str) -> None:
    numbers = count()
    texts = {content_cache.cached_text(name, make=lambda: f"text {next(numbers)}") for _ in range(3)}
    content_cache.TEXTS.clear()  # as in another process
    texts.add(content_cache.cached_text(name, make=lambda: f"text {next(numbers)}"))
    assert texts == {"text 0"}


def test_other_contents_make_another_text(name: str) -> None:
    assert content_cache.cached_text(name, 1, make=lambda: "one") == "one"
    assert content_cache.cached_text(name, 2, make=lambda: "two") == "two"


def test_redis_stores_no_more_bytes_than_the_limit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_cache, "BYTES_PER_DAY", 0)
    assert content_cache.cached_text(name, make=lambda: "long") == "long"
    assert content_cache.fetch([content_cache.content_key(name)]) == {}


def test_memory_is_limited_by_bytes_not_entries() -> None:
    memory = content_cache.LRUCache[bytes](10, len)
    memory.put({"one": b"12345", "two": b"12345"})
    memory.put({"three": b"1234567890"})
    assert list(memory.get(["one", "two", "three"])) == ["three"]


@pytest.mark.django_db(transaction=True)
def test_values_in_a_response_are_computed_after_its_transaction(name: str) -> None:
    within: list[bool] = []

    def make() -> str:
        within.append(connection.in_atomic_block)
        return '<svg id="a">'

    def view(form: str) -> HttpResponse:
        with snapshot():
            text = content_cache.cached_text(name, form, make=make) + "".join(
                content_cache.cached_text(name, make=make) for _ in "ab"
            )
        return JsonResponse({"text": text}) if form == "json" else HttpResponse(text)

    for form in ("html", "json"):
        answer = SnapshotMiddleware(lambda request, form=form: view(form))(HttpRequest())
        found = json.loads(answer.content)["text"] if form == "json" else answer.content.decode()
        assert found == 3 * '<svg id="a">'
    assert within == [False] * 3, "once for each of three texts"


@pytest.mark.django_db
def test_values_outside_a_response_are_computed_immediately(name: str) -> None:
    with snapshot():
        assert content_cache.cached_text(name, make=lambda: "made") == "made"


@pytest.fixture
def pooled(transactional_db: None) -> Iterator[dict[str, Any]]:
    """Return database settings with a connection pool, as web processes have."""
    settings: dict[str, Any] = copy.deepcopy(connection.settings_dict)
    settings["OPTIONS"] |= configuration({}, pool=True)["OPTIONS"]
    settings |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False}
    yield settings
    DatabaseWrapper(settings).close_pool()


@pytest.mark.parametrize("place", ["starship", "game"])
def test_twelve_simultaneous_drawings_leave_connections_for_others(
    pooled: dict[str, Any], duel: Game, alice: User, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert POOL["max_size"] < VISITORS
    paths = {
        "starship": reverse("starships:drawing", args=[YARD.saved().current_id, "light"]),
        "game": reverse("games:drawing", args=[duel.pk, "dark"]),
    }
    known = Client()
    known.force_login(alice)
    together = Barrier(VISITORS, timeout=60)

    def slow(*given: Any, **more: Any) -> str:
        together.wait()
        return rules.draw(*given, **more)

    monkeypatch.setattr(pictures, "draw", slow)
    edition = uuid4().hex
    monkeypatch.setattr(content_cache, "_release_hash", lambda: edition)
    content_cache.TEXTS.clear()

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


def test_one_thread_computes_a_value_while_others_wait(name: str) -> None:
    memory, numbers, begun, wait = content_cache.LRUCache[int](100, lambda _: 1), count(1), Event(), Event()

    def make() -> int:
        begun.set()
        assert wait.wait(20)
        return next(numbers)

    with ThreadPoolExecutor(VISITORS) as visitors:
        made = [visitors.submit(memory.get_or_make, name, make) for _ in range(VISITORS)]
        assert begun.wait(20)
        wait.set()
        assert {each.result(20) for each in made} == {1}


RULES = str(Path(rules.__file__).parent)

FEW = 200
"""The maximum number of calls into the rules while a request has a connection."""


def test_the_rules_do_not_run_while_a_connection_is_held(
    pooled: dict[str, Any], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = 4
    rows = ["a . .+i1 qq .+l1N" + " b1:E ." * side, *[" ".join(["b1:NES .+wN"] * side)] * side]
    draft = make_link(user=alice, draft_id=drafted(alice, *rows).pk, now=NOW)
    link, client = draft.link_token, Client()
    client.force_login(alice)
    token = {"Authorization": f"Bearer {make_token(user=alice, now=NOW)}"}
    ship = YARD.saved()
    boards = [{"starship": ship.pk, "at": [x, 0], "turned": x} for x in range(2)]
    sent: dict[str, Any] = {"document": document(*rows), "ruleset": "robo-runner"}
    places = {
        f"/shipyard/shared/{link}/": None,
        f"/api/v1/shipyard/shared/{link}": None,
        "/api/v1/shipyard/check": {**sent, "drawing": True},
        "/api/v1/shipyard/outlook": sent,
        "/api/v1/games": {"name": "Two yards", "ruleset": "factory-1999", "boards": boards},
    }
    calls: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    usual, pool = connections["default"], DatabaseWrapper(pooled)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(RULES):
            calls[pool.connection is not None][place] += 1

    connections["default"] = pool
    try:
        for place, body in places.items():
            monkeypatch.setattr(content_cache, "_release_hash", lambda: uuid4().hex)
            drawn = StarshipDraft.objects.get().document | {"description": uuid4().hex}
            StarshipDraft.objects.update(document=drawn)
            method = "GET" if body is None else "POST"
            content = json.dumps(body or {})
            headers = token if place.startswith("/api/") else {}
            sys.setprofile(note)
            try:
                answer = client.generic(method, place, content, "application/json", headers=headers)
            finally:
                sys.setprofile(None)
            assert answer.status_code in (200, 201, 422), place
    finally:
        pool.close()
        connections["default"] = usual
    assert {place: number for place, number in calls[True].items() if number > FEW} == {}
    assert min(calls[False][place] for place in places) > 0, "each of them asks the rules"
