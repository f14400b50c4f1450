"""Measure the costs of the sweeper and of My Room on sites of different sizes.

The costs should not grow with the site. Each site has the same amount of work: a few turns are ready, a few
turns are past their deadline, a few reminders are due, and a few notifications are pending. All changes are
rolled back.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from bench.load.plans import Plans, watched
from bench.load.villages import Shape, Village
from games.news.models import Notice
from games.play.models import Game, Hand, Turn
from games.work import sweeper

VILLAGE: Final = Shape(people=5, running=2, against=1, over=16, open=1, past=False)
"""A village of five people with 20 games, most of them over. Past turns are left out to save space."""

DUE_ITEMS: Final = 10
"""The number of due items of each kind, such as ready turns or pending notifications."""

LARGE: Final = 250
"""The minimum size of a sequential scan that is reported, in blocks of 8 kB."""

ROUNDS: Final = 9
"""The number of times that each piece of work is measured. Reports give the median."""


def measure(village: Village, games: int) -> Mapping[str, Any]:
    """Grow a site to this number of games. Return the costs of sweeps and of My Room."""
    begun = time.monotonic()
    village.grow(games // village.shape.games)
    seconds = time.monotonic() - begun
    at = village.now + timedelta(hours=1)
    _settle(at)
    idle = costs(lambda: sweeper.sweep(now=at))
    with _taken_back():
        _make_due(at)
        sweep = costs(lambda: sweeper.sweep(now=at))
    room = costs(_visit(village.shape.people))
    return {
        "games": Game.objects.count(),
        "running": Game.objects.filter(status=Game.Status.RUNNING).count(),
        "people": get_user_model().objects.count(),
        "size in MB": size(),
        "seconds to fill": round(seconds, 1),
        "a sweep": sweep,
        "a sweep with nothing due": idle,
        "My Room": room,
    }


def costs(work: Callable[[], object]) -> dict[str, Any]:
    """Return the costs of a piece of work, and roll its changes back."""
    times, in_database = [], []
    for _ in range(ROUNDS):
        with _taken_back(), _timed_queries() as queries:
            begun = time.perf_counter()
            work()
            times.append(1000 * (time.perf_counter() - begun))
            in_database.append(sum(queries))
    work_plans = _plans_of_next(work)
    return {
        "queries": len(work_plans.found),
        "blocks": work_plans.blocks,
        "ms": round(statistics.median(times), 1),
        "ms in the database": round(statistics.median(in_database), 1),
        "read from end to end": sorted(work_plans.read_through(LARGE)),
    }


def plans_of(work: Callable[[], object]) -> Plans:
    """Return Postgres' plans for all queries of a piece of work, and roll its changes back."""
    with _taken_back():
        work()  # warm up process-wide caches
    return _plans_of_next(work)


def _plans_of_next(work: Callable[[], object]) -> Plans:
    with _taken_back(), watched() as plans:
        work()
    return plans


@contextmanager
def _taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def _timed_queries() -> Iterator[list[float]]:
    took: list[float] = []

    def watch(execute: Callable[..., Any], *arguments: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            took.append(1000 * (time.perf_counter() - begun))

    with connection.execute_wrapper(watch):
        yield took


def _settle(at: datetime) -> None:
    """Sweep until computers have submitted all their orders, as they have on an older site."""
    while Turn.objects.filter(status=Turn.Status.OPEN, asks_computers=True).exists():
        sweeper.sweep(now=at)


def _make_due(at: datetime) -> None:
    """Make `DUE_ITEMS` items of each kind due, spread over the site."""
    turns = Turn.objects.filter(status=Turn.Status.OPEN)
    chosen = _spread(turns.values_list("pk", flat=True).order_by("pk"), 2 * DUE_ITEMS)
    ready, late = chosen[:DUE_ITEMS], chosen[DUE_ITEMS:]
    Turn.objects.filter(pk__in=ready).update(ready_at=at - timedelta(minutes=1))
    Turn.objects.filter(pk__in=late).update(deadline=at - timedelta(minutes=1))
    # Only people whose orders are missing are reminded. A mix with computers would depend on the site's size.
    waiting = Hand.objects.filter(turn__in=turns, program=None, seat__user__isnull=False)
    others = waiting.exclude(turn__in=chosen).values_list("pk", flat=True).order_by("pk")
    Hand.objects.filter(pk__in=_spread(others, DUE_ITEMS)).update(remind_at=at - timedelta(minutes=1))
    notices = _spread(Notice.objects.values_list("pk", flat=True).order_by("pk"), DUE_ITEMS)
    Notice.objects.filter(pk__in=notices).update(status=Notice.Status.PENDING, sent_at=None)


def _spread(rows: Any, number: int) -> list[int]:
    """Return the primary keys of ``number`` rows, spread over the table."""
    found = list(rows)
    return found[:: max(1, len(found) // number)][:number]


def _visit(village: int) -> Callable[[], object]:
    """Return a function that visits My Room as a player of the middle village.

    ``village`` is the number of people in a village.
    """
    people = get_user_model().objects.order_by("pk")
    before = people.count() // village // 2
    client = Client(HTTP_HOST=urlsplit(settings.BASE_URL).netloc)
    client.force_login(people[before * village])

    def visit() -> None:
        answer = client.get(reverse("games:mine"))
        assert answer.status_code == 200, answer.status_code

    return visit


def size() -> int:
    """Return the size of the database, in MB."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0] / 1e6)


def run(sizes: list[int], now: datetime, *, shape: Shape = VILLAGE, show: bool = False) -> dict[str, Any]:
    """Measure sites of these sizes, and return the report. Each site grows from the previous one."""
    village = Village(shape, now)
    village.create()
    sites = []
    for size in sorted(sizes):
        sites.append(measure(village, size))
        print(f"{time.strftime('%H:%M:%S')} measured with {size} games", file=sys.stderr, flush=True)
    if show:
        at = now + timedelta(hours=1)
        print(plans_of(lambda: sweeper.sweep(now=at)).text(), file=sys.stderr)
        print(plans_of(_visit(shape.people)).text(), file=sys.stderr)
    return {"sites": sites, "breaches": []}
