"""Draft ships: creating, saving, restoring and deleting them."""

from functools import partial

import pytest

from accounts import guests
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet.models import Starship
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import draft_for, number_of, parent_of, versions_of
from games.shipyard.services import (
    MOST_DRAFTS,
    Stale,
    create_draft,
    delete_draft,
    put_cells,
    restore_version,
    save_by_name,
    save_draft,
)
from tests.games.shipyard.drawing import CANOE, WRECK, document, drafted, parent, rows_of
from tests.games.support import NOW, later


def numbers(draft: StarshipDraft) -> list[int]:
    return [number_of(version) for version in versions_of(draft=draft)]


def test_a_draft_starts_with_plain_hull_or_unreadable_cells(alice: User) -> None:
    draft = create_draft(user=alice, size=(3, 2), ruleset="websocket", players=2, name=" Tub ", now=NOW)
    assert rows_of(draft) == [". . .", ". . ."]
    assert (draft.name, draft.ruleset, draft.players, draft.version) == ("Tub", "websocket", 2, 1)
    assert (draft.width, draft.height, draft.document["builder"]) == (3, 2, "Alice")
    assert rows_of(drafted(alice, *WRECK)) == list(WRECK)
    for more in ({}, {"size": (3, 3), "document": document()}):
        with pytest.raises(Invalid, match="Choose exactly one thing to start with"):
            create_draft(user=alice, now=NOW, **more)  # type: ignore[arg-type]


def test_a_document_is_saved_by_name_and_the_earlier_version_is_kept(alice: User, bob: User) -> None:
    drafted(bob)
    older, draft = drafted(alice), drafted(alice)
    named = {**document("a .+i1"), "name": "CANOE", "builder": "Bob"}
    saved = save_by_name(user=alice, document=named, now=later(seconds=1))
    assert saved == draft
    assert (saved.version, rows_of(saved), saved.document["builder"]) == (2, ["a .+i1"], "")
    assert numbers(saved) == [2, 1]
    older.refresh_from_db()
    assert older.version == 1


def test_a_document_without_a_matching_draft_saves_nothing(alice: User) -> None:
    drafted(alice)
    for name in ("Raft", " ", None):
        assert save_by_name(user=alice, document={**document("a"), "name": name}, now=NOW) is None
    assert save_by_name(user=alice, document=[], now=NOW) is None


def test_a_copy_names_its_starship_and_a_retired_one_cannot_be_copied(
    alice: User, starship: Starship
) -> None:
    draft = create_draft(user=alice, starship_id=starship.pk, now=NOW)
    assert starship.current
    assert rows_of(draft) == [" ".join(row.split()) for row in starship.current.document["rows"]]
    assert draft.document["builder"] == "Alice"
    assert parent_of(draft) == parent("starship", starship.pk, "Hall")
    Starship.objects.update(retired=True)
    with pytest.raises(NotFound):
        create_draft(user=alice, starship_id=starship.pk, now=NOW)


def test_a_copy_names_its_draft_until_that_is_deleted(alice: User) -> None:
    first = drafted(alice, ruleset="robo-arena", players=3)
    copy = create_draft(user=alice, draft_id=first.pk, now=NOW)
    assert parent_of(copy) == parent("draft", first.pk, "Canoe")
    assert (copy.ruleset, copy.players) == ("robo-arena", 3)
    delete_draft(user=alice, draft_id=first.pk)
    assert parent_of(draft_for(viewer=alice, draft_id=copy.pk)) is None


def test_a_guest_cannot_draw(db: None) -> None:
    guest = guests.make_guest()
    for deed in (
        partial(create_draft, user=guest, size=(3, 3), now=NOW),
        partial(save_draft, user=guest, draft_id=1, expected_version=1, document=document(), now=NOW),
        partial(restore_version, user=guest, draft_id=1, number=1, now=NOW),
        partial(delete_draft, user=guest, draft_id=1),
    ):
        with pytest.raises(Forbidden):
            deed()


def test_a_person_has_at_most_twenty_drafts(alice: User, bob: User) -> None:
    for _ in range(MOST_DRAFTS):
        last = drafted(alice)
    with pytest.raises(Conflict, match="You have 20 drafts"):
        drafted(alice)
    drafted(bob)
    delete_draft(user=alice, draft_id=last.pk)
    drafted(alice)


def test_all_errors_of_a_draft_are_reported_together(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        create_draft(
            user=alice,
            document={**document(".\x07"), "colour": "red"},
            name="x" * 81,
            ruleset="nonsense",
            players=9,
            now=NOW,
        )
    codes = [problem["code"] for problem in refusal.value.problems]
    assert codes == ["ruleset", "players", "unknown-key", "document", "document"]
    assert not StarshipDraft.objects.exists()


def test_a_document_over_a_megabyte_is_refused(alice: User) -> None:
    rows = [" ".join(["x" * 150] * 100)] * 100
    with pytest.raises(Invalid) as refusal:
        create_draft(user=alice, document=document(*rows), now=NOW)
    assert [problem["code"] for problem in refusal.value.problems] == ["too-large"]


def test_saving_makes_the_next_version(alice: User) -> None:
    draft = drafted(alice)
    saved = save_draft(
        user=alice,
        draft_id=draft.pk,
        expected_version=1,
        document=document("a .+i1", name="Raft"),
        ruleset="robo-arena",
        players=2,
        now=later(minutes=5),
    )
    assert (saved.version, saved.name, saved.ruleset, saved.players) == (2, "Raft", "robo-arena", 2)
    assert (saved.saved_at, saved.created_at) == (later(minutes=5), NOW)
    assert rows_of(draft) == ["a .+i1"]


def test_an_unchanged_document_makes_no_version(alice: User) -> None:
    draft = drafted(alice)
    again = partial(save_draft, user=alice, draft_id=draft.pk, document=document("a   .  .", *CANOE[1:]))
    assert again(expected_version=1, now=later(minutes=5)).version == 1
    assert again(expected_version=7, now=later(minutes=5)).version == 1, "the answer to it may have been lost"


def test_a_draft_saved_meanwhile_is_not_overwritten(alice: User) -> None:
    draft = drafted(alice)
    save = partial(save_draft, user=alice, draft_id=draft.pk, expected_version=1, now=NOW)
    save(document=document("a .+i1"))
    with pytest.raises(Stale) as refusal:
        save(document=document("a o .+i1"))
    assert refusal.value.draft.version == 2
    assert refusal.value.document["draft"]["document"]["rows"] == ["a .+i1"]
    assert rows_of(draft) == ["a .+i1"]


def test_strokes_within_a_minute_make_one_version(alice: User) -> None:
    draft = drafted(alice)
    save = partial(save_draft, user=alice, draft_id=draft.pk, expected_version=None)
    for number in range(1, 30):
        save(document=document(f"a .+i{number}"), now=later(seconds=3 * number))
    draft.refresh_from_db()
    assert numbers(draft) == [30, 21, 1]


def test_a_version_that_lasted_is_kept(alice: User) -> None:
    draft = drafted(alice)
    save = partial(save_draft, user=alice, draft_id=draft.pk, expected_version=None)
    save(document=document("a"), now=later(seconds=10))
    save(document=document("o"), now=later(hours=8))
    draft.refresh_from_db()
    assert numbers(draft) == [3, 2, 1]


def test_a_restored_version_is_a_new_one(alice: User) -> None:
    draft = drafted(alice, ruleset="robo-arena")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a"), ruleset="", now=NOW)
    saved = restore_version(user=alice, draft_id=draft.pk, number=1, now=later(seconds=1))
    assert (saved.version, saved.ruleset) == (3, "robo-arena")
    assert rows_of(draft) == list(CANOE)
    assert numbers(saved) == [3, 2, 1], "what it took the place of is kept, however short it stood"
    with pytest.raises(NotFound, match="There is no such version"):
        restore_version(user=alice, draft_id=drafted(alice).pk, number=7, now=NOW)


def test_a_fix_changes_only_its_cells(alice: User) -> None:
    draft = drafted(alice, *WRECK)
    put_cells(user=alice, draft_id=draft.pk, expected_version=1, cells={(1, 0): ".", (3, 1): "."}, now=NOW)
    assert rows_of(draft) == ["a . .+l1N .+i1", ". .+i1 t:red ."]
    with pytest.raises(Stale):
        put_cells(user=alice, draft_id=draft.pk, expected_version=1, cells={(0, 0): "."}, now=NOW)


def test_a_draft_deleted_meanwhile_is_not_found(alice: User) -> None:
    draft = drafted(alice)
    delete_draft(user=alice, draft_id=draft.pk)
    with pytest.raises(NotFound):
        save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a"), now=NOW)
    with pytest.raises(NotFound):
        delete_draft(user=alice, draft_id=draft.pk)
