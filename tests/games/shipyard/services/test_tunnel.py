"""Runs of the wind tunnel: who may start what, and how workers bring them to their end."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

import rules
from accounts import guests
from accounts.models import User
from games import sweeper
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.reasons import tell
from games.shipyard.models import TunnelBatch, TunnelRun
from games.shipyard.runs import report_for, run_for, runs_of
from games.shipyard.services import tunnel
from games.shipyard.services.drafts import delete_draft, save_draft
from games.shipyard.services.tunnel import (
    ATTEMPTS,
    BATCH,
    LEASE,
    LIMIT,
    LONGEST_FLIGHT,
    MOST_A_DAY,
    MOST_KEPT,
    WORKING,
    cancel_run,
    fly_batch,
    start_run,
)
from rules.tunnel.flying import fly
from rules.tunnel.report import report_of
from rules.tunnel.run import Run, judge
from tests.games.shipyard.drawing import WRECK, document, drafted
from tests.games.shipyard.tunnels import CORNER, LANE, flown, lane, started
from tests.games.support import NOW, later

Messages = list[tuple[str, int]]


class Died(BaseException):
    """A worker is killed: nothing that it would do afterwards happens."""


@pytest.fixture
def dies(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Kills the next workers in the middle of a batch, after one flight."""

    def arm(times: int) -> None:
        left = [times]

        def fly_and_die(*args: Any) -> Any:
            if left[0] and args[3] % BATCH == 1:
                left[0] -= 1
                raise Died
            return fly(*args)

        monkeypatch.setattr(tunnel, "fly", fly_and_die)

    return arm


def flies(run: TunnelRun, now: Any = NOW) -> int:
    """A worker takes a message; return how many flights it stored, 0 where it was killed."""
    try:
        return fly_batch(run_id=run.pk, now=now)
    except Died:
        return 0


# Starting


def test_a_run_keeps_the_draft_as_it_was(alice: User, messages: Messages) -> None:
    draft = lane(alice)
    run = started(alice, draft)
    assert (run.status, run.version, run.ruleset, run.players) == ("waiting", 1, "robo-runner", 2)
    assert messages == [("fly_run", run.pk)]
    other = document("a a . . . . .+i1+wE")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=other, now=NOW)
    flown(run)
    assert run.report == json.loads(json.dumps(report_of(*_judged(run))))
    assert run.document["rows"] == list(LANE)


def _judged(run: TunnelRun) -> tuple[Run, Any]:
    """What the rules alone come to with a run's ship, flights and seed."""
    ship = rules.read_starship(run.document)
    setup = rules.make_setup(rules.ruleset(run.ruleset), {}, ship, run.players)
    given = Run(setup, run.players, run.flights, run.seed)
    return given, judge(given, [fly(setup, run.players, run.seed, number) for number in range(run.flown)])


def test_it_comes_to_the_same_report_as_the_command(alice: User) -> None:
    run = flown(started(alice, flights=24))
    assert (run.status, run.flown, run.finished_at) == ("done", 24, NOW)
    assert run.report == json.loads(json.dumps(report_of(*_judged(run))))
    assert not TunnelBatch.objects.exists(), "its flights are not needed any more"


def test_without_a_ruleset_and_players_it_is_flown_as_it_is_drawn_or_as_suits(alice: User) -> None:
    wide = drafted(alice, *["a . . . . . . . . .+i1"] * 1, *[". . . . . . . . . ."] * 9, players=4)
    run = started(alice, wide)
    assert (run.ruleset, run.players) == ("robo-runner", 4)
    cancel_run(user=alice, run_id=run.pk, now=NOW)
    crowded = drafted(alice, *LANE, players=7)
    assert started(alice, crowded).players == 2


def test_another_ruleset_and_number_of_players_may_be_named(alice: User) -> None:
    run = started(alice, ruleset="robo-arena", players=3)
    assert (run.ruleset, run.players) == ("robo-arena", 3)
    assert flown(run).status == "done"


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        ({"ruleset": "nonsense"}, "no-game", "There is no ruleset “nonsense”."),
        ({"ruleset": "robo-recon"}, "unfinished", "airlock for the red and the blue squad"),
        ({"players": 1}, "no-run", "A flight needs 2 players at least."),
        ({"players": 9}, "no-run", "Robo Runner is for 1 to 8 players, not 9."),
        ({"flights": 0}, "no-run", "A run has 1 to 1000 flights."),
        ({"flights": 1001}, "no-run", "A run has 1 to 1000 flights."),
    ],
)
def test_what_cannot_be_flown_is_refused(alice: User, more: dict[str, Any], code: str, reason: str) -> None:
    with pytest.raises(Invalid) as refusal:
        started(alice, **more)
    assert refusal.value.code == code
    assert reason in " ".join(each["detail"] for each in refusal.value.problems)
    assert not TunnelRun.objects.exists()


def test_a_ship_with_errors_is_refused_with_all_of_them(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        started(alice, drafted(alice, *WRECK))
    assert {each["code"] for each in refusal.value.problems} >= {"unreadable", "row-length", "no-rail"}


def test_a_ship_with_start_cells_for_one_is_refused(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        started(alice, drafted(alice, "a1 . . .+i1", ruleset="group-11", players=1))
    assert refusal.value.problems[0]["key"] == "players"


def test_guests_and_others_fly_no_draft_of_alice(alice: User, bob: User, erin: User) -> None:
    draft = lane(alice)
    for other in (bob, erin):
        with pytest.raises(NotFound):
            started(other, draft)
    with pytest.raises(Forbidden):
        started(guests.make_guest(), draft)


def test_a_person_has_one_run_under_way(alice: User, bob: User) -> None:
    first = started(alice)
    with pytest.raises(Conflict) as refusal:
        started(alice, lane(alice, *CORNER))
    assert refusal.value.code == "under-way"
    started(bob)
    flown(first)
    started(alice, lane(alice, *CORNER))


def test_a_person_starts_so_many_within_a_day(alice: User) -> None:
    draft = lane(alice)
    for number in range(MOST_A_DAY):
        run = started(alice, draft, flights=number + 1, now=later(hours=number))
        cancel_run(user=alice, run_id=run.pk, now=later(hours=number))
    with pytest.raises(TooMany) as refusal:
        started(alice, draft, now=later(hours=23))
    assert refusal.value.wait == timedelta(hours=1).total_seconds()
    started(alice, draft, now=later(hours=24, seconds=1))


def test_the_same_cells_are_not_flown_again(alice: User) -> None:
    draft = lane(alice)
    run = started(alice, draft, flights=6)
    assert started(alice, draft, flights=6) == run, "while it is under way"
    flown(run)
    told = document(*LANE, description="Mind the gap.")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=told, now=NOW)
    assert started(alice, draft, flights=4) == run, "more flights than asked for will do"
    more = started(alice, draft, flights=7)
    assert more != run
    cancel_run(user=alice, run_id=more.pk, now=NOW)
    assert started(alice, draft, flights=6, players=3) not in (run, more)


def test_the_oldest_runs_of_a_draft_go(alice: User) -> None:
    draft = lane(alice)
    runs = []
    for number in range(MOST_KEPT + 2):
        runs.append(started(alice, draft, flights=number + 1, now=later(days=number)))
        cancel_run(user=alice, run_id=runs[-1].pk, now=later(days=number))
    assert runs_of(draft=draft) == runs[:1:-1]


# Flying


def test_flights_come_in_batches_and_are_judged_at_each_look(
    alice: User, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "BATCH", 3)
    monkeypatch.setattr(tunnel, "looks", lambda flights: (4, flights))
    run = started(alice, flights=9)
    seen = []
    for _ in range(4):
        fly_batch(run_id=run.pk, now=NOW)
        run.refresh_from_db()
        seen.append((run.status, run.flown, run.report and run.report["flown"]))
    assert seen == [("flying", 3, None), ("flying", 4, 4), ("flying", 7, 4), ("done", 9, 9)]
    assert messages == [("fly_run", run.pk)] * 4, "none after the last"


def test_a_run_stops_at_a_look_that_is_sure(alice: User) -> None:
    run = flown(started(alice, lane(alice, *CORNER), flights=200))
    assert (run.status, run.flown) == ("done", 40)
    assert report_for(run)["verdict"] == "red"  # type: ignore[index]
    assert "corner" in {finding["kind"] for finding in run.report["findings"]}  # type: ignore[index]


def test_its_sentences_are_told_when_they_are_read(alice: User) -> None:
    run = flown(started(alice, lane(alice, *CORNER), flights=40))
    assert run.report and run.sentences
    kept = run.sentences["findings"][0]["message"]
    assert "{" in kept["forms"][0], "a form, and no sentence"
    assert report_for(run) == run.report


def test_two_workers_at_once_fly_different_batches(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "BATCH", 2)
    run = started(alice)
    first = tunnel._claim(run.pk, NOW)
    second = tunnel._claim(run.pk, NOW)
    assert first and second
    assert (first.first, second.first) == (0, 2)
    assert tunnel._claim(run.pk, NOW) is None
    assert tunnel._fly(second, NOW) == tunnel._fly(first, NOW) == 2
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*_judged(run))))


def test_a_batch_that_takes_too_long_leaves_the_rest_to_the_next_task(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "WORKING", -1.0)
    run = started(alice)
    assert [fly_batch(run_id=run.pk, now=NOW) for _ in range(5)] == [1, 1, 1, 1, 0]
    run.refresh_from_db()
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*_judged(run))))


def test_a_lease_lasts_longer_than_any_task(alice: User) -> None:
    assert WORKING + LONGEST_FLIGHT < LIMIT < LEASE.total_seconds()


# Workers that die


def test_a_batch_whose_worker_was_killed_is_flown_again_to_the_same_report(
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
    assert run.status == "done" and run.report == json.loads(json.dumps(report_of(*_judged(run))))


def test_a_batch_that_kills_three_workers_ends_its_run_alone(
    alice: User, bob: User, dies: Callable[[int], None]
) -> None:
    run, other = started(alice), started(bob)
    dies(ATTEMPTS)
    for attempt in range(ATTEMPTS + 1):
        assert flies(run, now=later(minutes=5 * attempt)) == 0
    run.refresh_from_db()
    assert (run.status, run.finished_at) == ("failed", later(minutes=15))
    assert tell(run.failure) == (
        "The worker that flew this ship died 3 times. The ship may be too large to fly."
    )
    assert not run.batches.exists() and sweeper.offer_runs(now=later(hours=1)) == 1
    assert flown(other, now=later(hours=1)).status == "done"
    started(alice, now=later(hours=1))


def test_a_worker_that_dies_while_it_judges_is_followed_by_another_three_times(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(alice)

    def die(*args: Any) -> None:
        raise Died

    monkeypatch.setattr(tunnel, "judge", die)
    flies(run)
    assert sweeper.offer_runs(now=later(minutes=5)) == 1, "all is flown, and no verdict is there"
    for _ in range(ATTEMPTS):
        flies(run)
    run.refresh_from_db()
    assert run.status == "failed" and run.flown == 4


def test_a_fault_that_passes_does_not_count(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(alice)

    def away(*args: Any) -> None:
        raise OperationalError("the server closed the connection")

    with monkeypatch.context() as broken:
        broken.setattr(tunnel, "_store", away)
        for attempt in range(ATTEMPTS + 2):
            with pytest.raises(OperationalError):
                fly_batch(run_id=run.pk, now=later(minutes=5 * attempt))
    assert run.batches.get().attempts == 0
    assert flown(run, now=later(hours=1)).status == "done"


def test_a_document_that_cannot_be_read_any_more_ends_the_run_with_a_sentence(alice: User) -> None:
    run = started(alice)
    TunnelRun.objects.update(document={"format": "starship/1", "rows": ["?"]})
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert run.status == "failed" and "a fault of ours" in tell(run.failure)


def test_a_flight_that_takes_too_long_spoils_itself_alone(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "LONGEST_FLIGHT", 1e-4)
    run = flown(started(alice))
    assert run.status == "done" and run.report
    assert run.report["verdict"] == "red" and len(run.report["failed"]) == 4


# Messages are only hints


def test_the_sweeper_offers_what_waits_and_not_what_is_being_flown(alice: User, messages: Messages) -> None:
    run = started(alice)
    messages.clear()  # the message was lost
    assert sweeper.offer_runs(now=later(seconds=30)) == 0, "it may still come"
    assert sweeper.offer_runs(now=later(seconds=60)) == 1
    assert tunnel._claim(run.pk, later(seconds=60))
    assert sweeper.offer_runs(now=later(seconds=120)) == 0
    assert messages == [("fly_run", run.pk)]


def test_messages_too_many_do_no_harm(alice: User) -> None:
    run = flown(started(alice))
    before = run.report
    assert fly_batch(run_id=run.pk, now=later(hours=1)) == 0
    assert fly_batch(run_id=run.pk + 1000, now=later(hours=1)) == 0
    run.refresh_from_db()
    assert (run.report, run.finished_at) == (before, NOW)


# Cancelling


def test_a_run_that_is_cancelled_ends_at_once(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(alice)

    def cancel_meanwhile(*args: Any) -> Any:
        cancel_run(user=alice, run_id=run.pk, now=NOW)
        return fly(*args)

    with monkeypatch.context() as patched:
        patched.setattr(tunnel, "LOOKING", -1.0)
        patched.setattr(tunnel, "fly", cancel_meanwhile)
        assert fly_batch(run_id=run.pk, now=NOW) == 0
    run.refresh_from_db()
    assert (run.status, run.flown, run.report) == ("cancelled", 0, None)
    assert not TunnelBatch.objects.exists()
    assert cancel_run(user=alice, run_id=run.pk, now=later(hours=1)).finished_at == NOW
    assert started(alice, run.draft) != run, "it may be flown again"


def test_what_is_over_cannot_be_cancelled(alice: User) -> None:
    run = flown(started(alice))
    with pytest.raises(Conflict) as refusal:
        cancel_run(user=alice, run_id=run.pk, now=NOW)
    assert refusal.value.code == "over"


def test_nobody_else_sees_or_cancels_a_run(alice: User, bob: User, erin: User) -> None:
    run = started(alice)
    for other in (bob, erin):
        with pytest.raises(NotFound):
            run_for(viewer=other, run_id=run.pk)
        with pytest.raises(NotFound):
            cancel_run(user=other, run_id=run.pk, now=NOW)


def test_a_run_goes_with_its_draft_whoever_is_flying_it(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(alice)

    def delete_meanwhile(*args: Any) -> Any:
        monkeypatch.setattr(tunnel, "fly", fly)
        delete_draft(user=alice, draft_id=run.draft_id)
        return fly(*args)

    monkeypatch.setattr(tunnel, "fly", delete_meanwhile)
    assert fly_batch(run_id=run.pk, now=NOW) == 0
    assert not TunnelRun.objects.exists() and not TunnelBatch.objects.exists()


def test_a_run_may_be_started_with_the_usual_number_of_flights(alice: User) -> None:
    assert start_run(user=alice, draft_id=lane(alice).pk, now=NOW).flights == 200
