"""Wind tunnel runs: starting, viewing and cancelling them."""

import json
from datetime import timedelta
from typing import Any

import pytest

from accounts import guests
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.shipyard import tunnel
from games.shipyard.models import TunnelBatch, TunnelRun
from games.shipyard.services import delete_draft, save_draft
from games.shipyard.tunnel import cancel_run, run_for, runs_of
from rules.tunnel.report import report_of
from tests.games.shipyard.drawing import WRECK, document, drafted
from tests.games.shipyard.tunnels import CORNER, LANE, flown, judged, lane, started
from tests.games.support import NOW, later

Messages = list[tuple[str, int]]


def test_a_run_stores_the_draft_as_it_was(alice: User, messages: Messages) -> None:
    draft = lane(alice)
    run = started(alice, draft)
    assert (run.status, run.version, run.ruleset, run.players) == ("waiting", 1, "robo-runner", 2)
    assert messages == [("fly_run", run.pk)]
    other = document("a a . . . . .+i1+wE")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=other, now=NOW)
    flown(run)
    assert run.report == json.loads(json.dumps(report_of(*judged(run))))
    assert run.document["rows"] == list(LANE)


def test_a_run_gives_the_same_report_as_the_command(alice: User) -> None:
    run = flown(started(alice, flights=24))
    assert (run.status, run.flown, run.finished_at) == ("done", 24, NOW)
    assert run.report == json.loads(json.dumps(report_of(*judged(run))))
    assert not TunnelBatch.objects.exists(), "its flights are not needed any more"


def test_the_defaults_are_the_draft_s_ruleset_and_players_or_suitable_ones(alice: User) -> None:
    wide = drafted(alice, *["a . . . . . . . . .+i1"] * 1, *[". . . . . . . . . ."] * 9, players=4)
    run = started(alice, wide)
    assert (run.ruleset, run.players) == ("robo-runner", 4)
    cancel_run(user=alice, run_id=run.pk, now=NOW)
    crowded = drafted(alice, *LANE, players=7)
    assert started(alice, crowded).players == 2


def test_ruleset_and_number_of_players_can_be_chosen(alice: User) -> None:
    run = started(alice, ruleset="robo-arena", players=3)
    assert (run.ruleset, run.players) == ("robo-arena", 3)
    assert flown(run).status == "done"


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        ({"ruleset": "nonsense"}, "no-game", "There is no ruleset “nonsense”."),
        ({"ruleset": "robo-recon"}, "unfinished", "airlock for neither the red squad nor the blue squad"),
        ({"players": 1}, "no-run", "A flight needs at least 2 players."),
        ({"players": 9}, "no-run", "Robo Runner is for 1 to 8 players, not 9."),
    ],
)
def test_impossible_runs_are_refused(alice: User, more: dict[str, Any], code: str, reason: str) -> None:
    with pytest.raises(Invalid) as refusal:
        started(alice, **more)
    assert refusal.value.code == code
    assert reason in " ".join(each["detail"] for each in refusal.value.problems)
    assert not TunnelRun.objects.exists()


def test_a_ship_with_errors_or_only_one_start_cell_is_refused(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        started(alice, drafted(alice, *WRECK))
    assert {each["code"] for each in refusal.value.problems} >= {"unreadable", "row-length", "no-rail"}
    with pytest.raises(Invalid) as refusal:
        started(alice, drafted(alice, "a1 . . .+i1", ruleset="group-11", players=1))
    assert refusal.value.problems[0]["key"] == "players"


def test_only_alice_flies_her_drafts(alice: User, bob: User, erin: User) -> None:
    draft = lane(alice)
    for other in (bob, erin):
        with pytest.raises(NotFound):
            started(other, draft)
    with pytest.raises(Forbidden):
        started(guests.make_guest(), draft)


def test_a_person_has_one_active_run(alice: User, bob: User) -> None:
    first = started(alice)
    with pytest.raises(Conflict) as refusal:
        started(alice, lane(alice, *CORNER))
    assert refusal.value.code == "under-way"
    started(bob)
    flown(first)
    started(alice, lane(alice, *CORNER))


def test_a_person_starts_a_limited_number_of_runs_a_day(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "RUNS_A_DAY", 3)
    draft = lane(alice)
    for number in range(3):
        run = started(alice, draft, flights=number + 1, now=later(hours=number))
        cancel_run(user=alice, run_id=run.pk, now=later(hours=number))
    with pytest.raises(TooMany) as refusal:
        started(alice, draft, now=later(hours=23))
    assert refusal.value.wait == timedelta(hours=1).total_seconds()
    started(alice, draft, now=later(hours=24, seconds=1))


def test_deleting_runs_does_not_raise_the_daily_limit(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "RUNS_A_DAY", 3)
    for number in range(3):
        draft = lane(alice)
        run = started(alice, draft, now=later(minutes=number))
        cancel_run(user=alice, run_id=run.pk, now=NOW)
        delete_draft(user=alice, draft_id=draft.pk)
    assert not TunnelRun.objects.exists()
    with pytest.raises(TooMany):
        started(alice, lane(alice), now=later(hours=1))


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


def test_the_oldest_runs_of_a_draft_are_deleted(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "RUNS_KEPT", 2)
    draft = lane(alice)
    runs = []
    for number in range(4):
        runs.append(started(alice, draft, flights=number + 1, now=later(days=number)))
        cancel_run(user=alice, run_id=runs[-1].pk, now=later(days=number))
    assert runs_of(draft=draft) == runs[:1:-1]


def test_only_the_owner_sees_and_cancels_a_run_and_only_before_its_end(
    alice: User, bob: User, erin: User
) -> None:
    run = started(alice)
    for other in (bob, erin):
        with pytest.raises(NotFound):
            run_for(viewer=other, run_id=run.pk)
        with pytest.raises(NotFound):
            cancel_run(user=other, run_id=run.pk, now=NOW)
    flown(run)
    with pytest.raises(Conflict) as refusal:
        cancel_run(user=alice, run_id=run.pk, now=NOW)
    assert refusal.value.code == "over"
