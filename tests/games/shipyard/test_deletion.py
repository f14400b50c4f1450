"""Drafts are in the data export, and are deleted with the account."""

from accounts.models import User
from games.fleet.models import Course
from games.people.selectors.personal_data import personal_data
from games.people.services.deletion import delete_account, erase
from games.play.models import Game
from games.shipyard.models import DraftFlight, DraftVersion, StarshipDraft, TunnelBatch, TunnelRun
from games.shipyard.services import create_draft, fly_draft, save_draft
from tests.games.shipyard.drawing import document, drafted
from tests.games.shipyard.tunnels import flown, started
from tests.games.support import NOW, later


def test_the_export_contains_drafts(alice: User, bob: User) -> None:
    draft = drafted(alice)
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a"), now=NOW)
    game = fly_draft(user=alice, draft_id=drafted(alice).pk, now=NOW)
    drafted(bob)
    held = personal_data(user=alice, now=NOW)
    assert [each["document"]["rows"] for each in held["starship_drafts"]] == [["a"], ["a . .", ". . .+i1"]]
    assert [(each["draft_id"], each["number"]) for each in held["draft_versions"]] == [(draft.pk, 1)]
    assert [each["game_id"] for each in held["test_flights"]] == [game.pk]


def test_a_deleted_account_leaves_neither_drafts_nor_test_flights(alice: User, bob: User) -> None:
    draft = create_draft(user=alice, size=(3, 2), now=NOW)
    assert draft.document["builder"] == "Alice"
    save_draft(
        user=alice,
        draft_id=draft.pk,
        expected_version=1,
        document={**draft.document, "rows": ["a .+i1"]},
        now=NOW,
    )
    fly_draft(user=alice, draft_id=draft.pk, computers=1, now=NOW)
    drafted(bob)
    deletion = delete_account(user=alice, now=NOW)
    assert list(StarshipDraft.objects.values_list("user", flat=True)) == [bob.pk]
    assert not DraftVersion.objects.exists() and not DraftFlight.objects.exists()
    erase(deletion_id=deletion.pk, now=later(minutes=5))
    assert not Game.objects.exists() and not Course.objects.exists()


def test_wind_tunnel_runs_are_exported_and_deleted_with_the_account(alice: User, bob: User) -> None:
    done = flown(started(alice))
    under_way = started(alice, done.draft, flights=5)
    other = started(bob)
    held = personal_data(user=alice, now=NOW)
    assert [each["id"] for each in held["tunnel_runs"]] == [done.pk, under_way.pk]
    assert held["tunnel_runs"][0]["report"] == done.report
    assert [each["run_id"] for each in held["tunnel_batches"]] == [under_way.pk]
    delete_account(user=alice, now=NOW)
    assert TunnelRun.objects.get() == other and TunnelBatch.objects.get().run == other
