"""Fixes for the findings of a wind tunnel run: flown, offered and applied."""

import pytest

from accounts.models import User
from games.errors import Conflict, NotFound
from games.shipyard import flying
from games.shipyard.flying import runs_to_fly, take_fix
from games.shipyard.models import TunnelRun
from games.shipyard.services import put_cells
from games.shipyard.tunnel import fix_view, fixes_under_way, is_offered, offered_fixes, runs_of, start_run
from tests.games.shipyard.drawing import rows_of
from tests.games.shipyard.tunnels import CORNER, LANE, flown, lane, started
from tests.games.support import NOW


def judged(alice: User, *rows: str) -> TunnelRun:
    """Return a finished run. Its proposed fixes have not been flown yet."""
    run = flown(started(alice, lane(alice, *(rows or CORNER))))
    assert run.status == TunnelRun.Status.DONE
    return run


def tried(run: TunnelRun) -> TunnelRun:
    """Fly the run's only proposed fix, and return the fix."""
    return flown(run.fixes.get())


def test_a_fix_is_flown_after_the_run_and_offered_once_it_has_helped(
    alice: User,
) -> None:
    run = judged(alice)
    fix = run.fixes.get()
    assert (fix.flights, fix.document["rows"]) == (40, ["a a . . .+i1+wE"])
    assert fix in runs_to_fly(now=NOW) and fixes_under_way(run) == 1
    assert not is_offered(fix) and offered_fixes(run) == []
    assert run.report and "corner" in [each["kind"] for each in run.report["findings"]]
    fix = tried(run)
    assert offered_fixes(run) == [fix] and fixes_under_way(run) == 0
    told = fix_view(fix)
    assert (told["finding"], told["label"]) == ("corner", "Remove a rail beside the checkpoint")
    assert told["cells"] == [{"row": 1, "column": 5, "token": ".+i1+wE"}]
    assert not fix.fixes.exists()
    assert runs_of(draft=run.draft) == [run]
    assert fix.report
    fix.report["findings"] = [{"kind": "line", "severity": "red"}]
    assert not is_offered(fix)


def test_a_run_without_a_finding_tries_no_fix(alice: User) -> None:
    run = flown(started(alice))
    assert all(fix.fix and fix.fix["kind"] != "corner" for fix in run.fixes.all())


def test_a_verdict_remains_if_the_search_for_fixes_fails(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(flying, "remedies_of", fail)
    run = judged(alice)
    assert run.report and not run.fixes.exists()


def test_another_run_can_start_meanwhile_and_cancels_the_fixes(alice: User) -> None:
    run = judged(alice)
    draft = run.draft
    put_cells(user=alice, draft_id=draft.pk, expected_version=1, cells={(4, 0): ".+i1"}, now=NOW)
    start_run(user=alice, draft_id=draft.pk, flights=4, now=NOW)
    assert run.fixes.get().status == TunnelRun.Status.CANCELLED


def test_applying_a_fix_makes_a_new_version(alice: User) -> None:
    run = judged(alice)
    saved = take_fix(user=alice, run_id=run.pk, fix_id=tried(run).pk, now=NOW)
    assert (saved.version, rows_of(saved)) == (2, list(LANE))


def test_a_fix_applies_to_a_draft_changed_elsewhere(alice: User) -> None:
    run = judged(alice)
    fix = tried(run)
    put_cells(user=alice, draft_id=run.draft_id, expected_version=1, cells={(2, 0): "b1:E"}, now=NOW)
    saved = take_fix(user=alice, run_id=run.pk, fix_id=fix.pk, now=NOW)
    assert rows_of(saved) == ["a a b1:E . .+i1+wE"]


def test_a_fix_never_undoes_later_changes(alice: User) -> None:
    run = judged(alice)
    fix = tried(run)
    put_cells(user=alice, draft_id=run.draft_id, expected_version=1, cells={(4, 0): ".+i1"}, now=NOW)
    with pytest.raises(Conflict):
        take_fix(user=alice, run_id=run.pk, fix_id=fix.pk, now=NOW)


def test_fixes_of_others_and_fixes_not_offered_are_not_found(alice: User, bob: User) -> None:
    run = judged(alice)
    for user, fix_id in ((alice, run.pk), (alice, run.fixes.get().pk), (alice, 0)):
        with pytest.raises(NotFound):
            take_fix(user=user, run_id=run.pk, fix_id=fix_id, now=NOW)
    fix = tried(run)
    with pytest.raises(NotFound):
        take_fix(user=bob, run_id=run.pk, fix_id=fix.pk, now=NOW)
