"""Wind tunnel runs with several workers and windows, and with killed workers."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from embedded import up
from games.errors import Conflict
from games.shipyard import tunnel
from games.shipyard.flying import fly_batch
from games.shipyard.models import TunnelRun
from games.shipyard.tunnel import start_run
from roborunner.celery import app
from tests.games.shipyard.drawing import drafted
from tests.games.shipyard.tunnels import CORNER, flown, lane, started
from tests.games.support import NOW
from tests.games.together import together, wait_until
from tests.support.loaded import ForkedWorker
from tests.support.worker import Worker

pytestmark = pytest.mark.django_db(transaction=True)

HALL = ("a . . .+i1 . .", ". o . . . .", ". . . . o .", ". .+i3 . . . .", ". . . . . .", ". . . .+i2 . .")
"""A ship on which flights take longer."""


def processes() -> set[int]:
    """Return the process IDs of the worker's children."""
    workers = app.control.inspect(timeout=30, limit=1).stats() or {}
    return {process for stats in workers.values() for process in stats["pool"]["processes"]}


def status_of(run: TunnelRun) -> str:
    run.refresh_from_db()
    return run.status


def test_two_simultaneous_starts_of_one_ship_make_one_run(alice: User) -> None:
    draft = lane(alice)
    start = partial(start_run, user=alice, draft_id=draft.pk, flights=4, now=NOW)
    first, second = together(start, start)
    assert first == second == TunnelRun.objects.get()


def test_of_two_ships_started_simultaneously_one_waits(alice: User) -> None:
    starts = [
        partial(start_run, user=alice, draft_id=draft.pk, flights=4, now=NOW)
        for draft in (lane(alice), lane(alice, *CORNER))
    ]
    answers = together(*starts)
    assert sorted(type(answer) for answer in answers if not isinstance(answer, TunnelRun)) == [Conflict]
    assert TunnelRun.objects.count() == 1


def test_two_simultaneous_workers_give_the_report_of_one(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = flown(started(bob, flights=8))
    monkeypatch.setattr(tunnel, "BATCH_SIZE", 2)
    run = started(alice, flights=8)
    work = partial(fly_batch, run_id=run.pk, now=NOW)
    for _ in range(3):
        answers = together(work, work)
        assert all(isinstance(answer, int) for answer in answers), answers
    assert status_of(run) == "done" and run.report == alone.report


def test_a_worker_process_that_has_grown_too_large_is_replaced(
    alice: User, bob: User, start_worker: Callable[..., Worker]
) -> None:
    alone = flown(started(bob, flights=21))
    start_worker(command=up.commands(0)["lab"], WORKER_MEMORY="1")
    before = processes()
    run = started(alice, flights=21, now=timezone.now())
    wait_until(lambda: status_of(run) == "done", 120)
    assert run.report == alone.report
    wait_until(lambda: before.isdisjoint(processes()))


def test_real_workers_finish_a_run_although_the_first_is_killed(
    alice: User, bob: User, fork_worker: Callable[..., ForkedWorker]
) -> None:
    alone = flown(started(bob, drafted(bob, *HALL, ruleset="robo-runner", players=2), flights=24))
    first = fork_worker(command=up.commands(0)["lab"])
    hall = drafted(alice, *HALL, ruleset="robo-runner", players=2)
    run = started(alice, hall, flights=24, now=timezone.now())
    wait_until(lambda: run.batches.filter(attempts=1).exists() or status_of(run) == "done")
    first.kill()
    run.batches.filter(lease_until__isnull=False).update(lease_until=timezone.now())  # as if time had passed
    TunnelRun.objects.update(offered_at=timezone.now() - timedelta(minutes=2))
    fork_worker(beat=True)
    wait_until(lambda: status_of(run) == "done", 120)
    assert run.report == alone.report
