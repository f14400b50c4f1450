"""Workers fly wind tunnel runs in batches and judge them, even if some are killed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError

from accounts.models import User
from games.shipyard import flying, tunnel
from games.shipyard.flying import ATTEMPTS, LEASE, LONGEST_FLIGHT, TASK_TIME_LIMIT, WORK_SECONDS, fly_batch
from games.shipyard.models import TunnelBatch, TunnelRun
from games.shipyard.services import delete_draft
from games.shipyard.tunnel import BATCH_SIZE, cancel_run, report_for
from games.work import sweeper
from games.work.jobs import reason_in_words
from rules.tunnel.flying import fly
from rules.tunnel.report import report_of
from tests.games.shipyard.tunnels import CORNER, POT, flown, judged, lane, started
from tests.games.support import NOW, later

Messages = list[tuple[str, int]]


class Died(BaseException):
    """Raised when a worker is killed, so that it does nothing more."""


@pytest.fixture
def dies(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A function that kills the next workers in a batch, each after one flight."""

    def arm(times: int) -> None:
        left = [times]

        def fly_and_die(*args: Any) -> Any:
            if left[0] and args[3] % BATCH_SIZE == 1:
                left[0] -= 1
                raise Died
            return fly(*args)

        monkeypatch.setattr(flying, "fly", fly_and_die)

    return arm


def flies(run: TunnelRun, now: Any = NOW) -> int:
    """Handle one message as a worker.

    Return the number of flights that were stored, or 0 if the worker was killed.
    """
    try:
        return fly_batch(run_id=run.pk, now=now)
    except Died:
        return 0


def test_flights_are_flown_in_batches_and_judged_at_each_look(
    alice: User, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "BATCH_SIZE", 3)
    for module in (tunnel, flying):
        monkeypatch.setattr(module, "judged_after", lambda flights: (4, flights))
    run = started(alice, flights=9)
    seen = []
    for _ in range(4):
        fly_batch(run_id=run.pk, now=NOW)
        run.refresh_from_db()
        seen.append((run.status, run.flown, run.report and run.report["flown"]))
    assert seen == [("flying", 3, None), ("flying", 4, 4), ("flying", 7, 4), ("done", 9, 9)]
    assert messages == [("fly_run", run.pk)] * 4, "none after the last"


def test_a_run_stops_once_a_look_is_certain(alice: User) -> None:
    run = flown(started(alice, lane(alice, *POT), flights=200))
    assert (run.status, run.flown) == ("done", 40)
    assert report_for(run)["verdict"] == "red"  # type: ignore[index]
    assert {"corner", "room"} <= {finding["kind"] for finding in run.report["findings"]}  # type: ignore[index]


def test_its_sentences_are_composed_when_they_are_read(alice: User) -> None:
    run = flown(started(alice, lane(alice, *CORNER), flights=40))
    assert run.report and run.sentences
    kept = run.sentences["findings"][0]["message"]
    assert "{" in kept["forms"][0], "a form, and no sentence"
    assert report_for(run) == run.report


def test_two_simultaneous_workers_fly_different_batches(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "BATCH_SIZE", 2)
    run = started(alice)
    first = flying._claim(run.pk, NOW)
    second = flying._claim(run.pk, NOW)
    assert first and second
    assert (first.first, second.first) == (0, 2)
    assert flying._claim(run.pk, NOW) is None
    assert flying._fly(second, NOW) == flying._fly(first, NOW) == 2
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*judged(run))))


def test_a_slow_batch_leaves_the_rest_to_the_next_task(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flying, "WORK_SECONDS", -1.0)
    run = started(alice)
    assert [fly_batch(run_id=run.pk, now=NOW) for _ in range(5)] == [1, 1, 1, 1, 0]
    run.refresh_from_db()
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*judged(run))))


def test_a_lease_lasts_longer_than_any_task(alice: User) -> None:
    assert WORK_SECONDS + LONGEST_FLIGHT < TASK_TIME_LIMIT < LEASE.total_seconds()


def test_a_batch_of_a_killed_worker_is_flown_again_with_the_same_report(
    alice: User, dies: Callable[[int], None], messages: Messages
) -> None:
    run = started(alice)
    dies(1)
    assert flies(run) == 0
    messages.clear()
    free = later(seconds=LEASE.total_seconds())
    assert flies(run, now=later(seconds=60)) == 0, "it is still the dead worker's"
    assert sweeper.offer_runs(now=later(seconds=60)) == 0
    assert sweeper.offer_runs(now=free) == 1
    assert messages == [("fly_run", run.pk)]
    assert flies(run, now=free) == 4
    run.refresh_from_db()
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*judged(run))))


def test_a_batch_that_kills_three_workers_ends_only_its_own_run(
    alice: User, bob: User, dies: Callable[[int], None]
) -> None:
    run, other = started(alice), started(bob)
    dies(ATTEMPTS)
    for attempt in range(ATTEMPTS + 1):
        assert flies(run, now=later(minutes=5 * attempt)) == 0
    run.refresh_from_db()
    assert (run.status, run.finished_at) == ("failed", later(minutes=15))
    assert reason_in_words(run.failure) == (
        "The worker that flew this ship died 3 times. The ship may be too large to fly."
    )
    assert not run.batches.exists() and sweeper.offer_runs(now=later(hours=1)) == 1
    assert flown(other, now=later(hours=1)).status == "done"
    started(alice, now=later(hours=1))


def test_judging_is_retried_three_times_after_a_worker_dies(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(alice)

    def die(*args: Any) -> None:
        raise Died

    monkeypatch.setattr(flying, "judge", die)
    flies(run)
    assert sweeper.offer_runs(now=later(minutes=5)) == 1, "all is flown, and no verdict is there"
    for _ in range(ATTEMPTS):
        flies(run)
    run.refresh_from_db()
    assert run.status == "failed" and run.flown == 4


def test_a_passing_fault_does_not_count(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(alice)

    def away(*args: Any) -> None:
        raise OperationalError("the server closed the connection")

    with monkeypatch.context() as broken:
        broken.setattr(flying, "_store", away)
        for attempt in range(ATTEMPTS + 2):
            with pytest.raises(OperationalError):
                fly_batch(run_id=run.pk, now=later(minutes=5 * attempt))
    assert run.batches.get().attempts == 0
    assert flown(run, now=later(hours=1)).status == "done"


def test_an_unreadable_document_ends_the_run_with_a_sentence(alice: User) -> None:
    run = started(alice)
    TunnelRun.objects.update(document={"format": "starship/1", "rows": ["?"]})
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert run.status == "failed" and "an error on our side" in reason_in_words(run.failure)


def test_a_flight_that_takes_too_long_fails_without_affecting_others(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flying, "LONGEST_FLIGHT", 1e-4)
    run = flown(started(alice))
    assert run.status == "done" and run.report
    assert run.report["verdict"] == "red" and len(run.report["failed"]) == 4


def test_the_sweeper_offers_waiting_batches_but_not_those_being_flown(
    alice: User, messages: Messages
) -> None:
    run = started(alice)
    messages.clear()  # the message was lost
    assert sweeper.offer_runs(now=later(seconds=30)) == 0, "it may still come"
    assert sweeper.offer_runs(now=later(seconds=60)) == 1
    assert flying._claim(run.pk, later(seconds=60))
    assert sweeper.offer_runs(now=later(seconds=120)) == 0
    assert messages == [("fly_run", run.pk)]


def test_surplus_messages_do_no_harm(alice: User) -> None:
    run = flown(started(alice))
    before = run.report
    assert fly_batch(run_id=run.pk, now=later(hours=1)) == 0
    assert fly_batch(run_id=run.pk + 1000, now=later(hours=1)) == 0
    run.refresh_from_db()
    assert (run.report, run.finished_at) == (before, NOW)


def test_a_cancelled_run_ends_immediately(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(alice)

    def cancel_meanwhile(*args: Any) -> Any:
        cancel_run(user=alice, run_id=run.pk, now=NOW)
        return fly(*args)

    with monkeypatch.context() as patched:
        patched.setattr(flying, "SECONDS_BETWEEN_CHECKS", -1.0)
        patched.setattr(flying, "fly", cancel_meanwhile)
        assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert (run.status, run.flown, run.report) == ("cancelled", 0, None)
    assert not TunnelBatch.objects.exists()
    assert cancel_run(user=alice, run_id=run.pk, now=later(hours=1)).finished_at == NOW
    assert started(alice, run.draft) != run, "it may be flown again"


def test_a_run_is_deleted_with_its_draft_while_workers_fly_it(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(alice)

    def delete_meanwhile(*args: Any) -> Any:
        monkeypatch.setattr(flying, "fly", fly)
        delete_draft(user=alice, draft_id=run.draft_id)
        return fly(*args)

    monkeypatch.setattr(flying, "fly", delete_meanwhile)
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    assert not TunnelRun.objects.exists() and not TunnelBatch.objects.exists()
