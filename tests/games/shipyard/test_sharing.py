"""Links to draft ships: public parts, private parts, and copies."""

from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts import guests
from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound
from games.people.selectors.personal_data import personal_data
from games.people.services.deletion import delete_account
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import link_in, parent_of, shared_draft
from games.shipyard.services import MOST_DRAFTS, create_draft, delete_draft, drop_link, make_link, save_draft
from tests.games.api_client import Api
from tests.games.reader import reader
from tests.games.shipyard.drawing import CANOE, WRECK, document, drafted, parent, rows_of
from tests.games.support import NOW

HOSTS = {"robots.example.org"}
DEAD = "This link is incomplete or no longer works. Ask the person who sent it for a new one."


def shared(user: User, *rows: str, **more: Any) -> StarshipDraft:
    return make_link(user=user, draft_id=drafted(user, *rows, **more).pk, now=NOW)


def copied(user: User, draft: StarshipDraft) -> StarshipDraft:
    return create_draft(user=user, link=draft.link_token, now=NOW)


def page_of(draft: StarshipDraft) -> str:
    return f"/shipyard/shared/{draft.link_token}/"


def as_person(user: User | None) -> Client:
    return reader(user).client


def test_a_draft_has_no_link_until_its_builder_creates_one_and_a_new_one_replaces_it(alice: User) -> None:
    draft = drafted(alice)
    assert draft.link_token == ""
    with pytest.raises(NotFound):
        shared_draft(link="")
    made = make_link(user=alice, draft_id=draft.pk, now=NOW)
    assert len(made.link_token) == 32 and shared_draft(link=made.link_token) == draft
    draft = shared(alice)
    again = make_link(user=alice, draft_id=draft.pk, now=NOW)
    with pytest.raises(NotFound):
        shared_draft(link=draft.link_token)
    assert shared_draft(link=again.link_token) == draft
    assert again.version == draft.version, "the ship is the same"


def test_a_removed_link_opens_nothing(alice: User) -> None:
    draft = shared(alice)
    for _ in range(2):  # repeated, as after a lost response
        assert drop_link(user=alice, draft_id=draft.pk).link_token == ""
    for path in ("", "file/"):
        answer = Client().get(f"{page_of(draft)}{path}")
        assert answer.status_code == 404 and DEAD in answer.content.decode()
    assert Api(None).get(f"shipyard/shared/{draft.link_token}").refusal == (404, "no-shared-draft")


def test_only_the_builder_shares_a_draft(alice: User, dave: User) -> None:
    draft = shared(alice)
    for change in (partial(make_link, now=NOW), drop_link):
        with pytest.raises(NotFound):
            change(user=dave, draft_id=draft.pk)
        with pytest.raises(Forbidden):
            change(user=guests.make_guest(), draft_id=draft.pk)
    assert shared_draft(link=draft.link_token) == draft


def test_an_invalid_link_opens_nothing(alice: User) -> None:
    shared(alice)
    for link in ("x", "%00", "a" * 65, "%F0%9F%A4%96"):
        assert Client().get(f"/shipyard/shared/{link}/").status_code == 404
        assert Api(None).get(f"shipyard/shared/{link}").status == 404


def test_links_of_deleted_drafts_and_closed_accounts_open_nothing(
    alice: User, bob: User, carol: User
) -> None:
    gone, closed, deleted = shared(alice), shared(bob), shared(carol)
    delete_draft(user=alice, draft_id=gone.pk)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    delete_account(user=carol, now=NOW)
    for draft in (gone, closed, deleted):
        assert Client().get(page_of(draft)).status_code == 404


def test_anyone_with_the_link_sees_the_last_saved_ship(alice: User, bob: User) -> None:
    draft = shared(alice, *WRECK)
    told = document("a . . .+i1", name="Rowing boat", description="<b>Mind</b> the gap.")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=told, now=NOW)
    for viewer in (None, bob, guests.make_guest()):
        page = as_person(viewer).get(page_of(draft)).content.decode()
        assert "Rowing boat" in page and "/players/Alice/" in page and "a . . .+i1" in page
        assert "&lt;b&gt;Mind&lt;/b&gt; the gap." in page and "<b>Mind" not in page
        assert ("Copy to my shipyard" in page) == (viewer == bob)


def test_the_page_shows_problems_without_buttons_to_fix_them(alice: User, bob: User) -> None:
    page = as_person(bob).get(page_of(shared(alice, *WRECK))).content.decode()
    assert 'class="ship-problem is-error"' in page
    assert "/fix/" not in page


def test_it_shows_nothing_else(alice: User, bob: User) -> None:
    draft = shared(alice)
    for version in (1, 2):
        told = document("a . . .+i1" + " ." * version)
        save_draft(user=alice, draft_id=draft.pk, expected_version=version, document=told, now=NOW)
    page = as_person(bob).get(page_of(draft)).content.decode()
    assert f"/shipyard/{draft.pk}/" not in page
    assert "ersion" not in page.split("<main")[1].split("</main>")[0]
    told = Api(None).get(f"shipyard/shared/{draft.link_token}").body
    assert set(told) == {
        *("name", "builder", "ruleset", "players", "width", "height", "suits", "document", "problems")
    }
    assert (told["builder"], told["document"]["rows"]) == ("Alice", ["a . . .+i1 . ."])


def test_search_engines_and_other_sites_do_not_learn_the_address(alice: User) -> None:
    there = page_of(shared(alice))
    for answer in (Client().get(there), Client().get(f"{there}file/")):
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert "no-store" in answer.headers["Cache-Control"]


def test_the_file_is_the_document(alice: User) -> None:
    draft = shared(alice)
    answer = Client().get(f"{page_of(draft)}file/")
    assert answer.json() == draft.document
    assert answer.headers["Content-Disposition"] == 'attachment; filename="canoe.json"'


def test_requests_are_limited(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = shared(alice)
    waits = {"checks": 30}
    monkeypatch.setattr("accounts.limits.consume", lambda limit, *_, **more: waits.get(limit.name, 0))
    assert Client().get(page_of(draft)).status_code == 429
    assert Api(None).get(f"shipyard/shared/{draft.link_token}").status == 429


def test_a_copy_belongs_to_the_copier_and_names_its_parent(alice: User, bob: User) -> None:
    draft = shared(alice, ruleset="robo-arena", players=3)
    copy = copied(bob, draft)
    assert (copy.user, copy.version, copy.link_token) == (bob, 1, "")
    assert (copy.name, copy.ruleset, copy.players, rows_of(copy)) == ("Canoe", "robo-arena", 3, list(CANOE))
    assert copy.document["builder"] == "Bob"
    assert Api(bob).get(f"shipyard/drafts/{copy.pk}").body["parent"] == {
        **parent("shared", None, "Canoe", version=None),
        "builder": "Alice",
    }
    page = as_person(bob).get(f"/shipyard/{copy.pk}/").content.decode()
    assert 'Canoe by <a href="/players/Alice/">Alice</a>' in page


def test_a_copier_does_not_learn_later_names_of_the_parent(alice: User, bob: User) -> None:
    draft = shared(alice)
    copy = copied(bob, draft)
    drop_link(user=alice, draft_id=draft.pk)
    told = document(name="A secret")
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=told, now=NOW)
    copy = StarshipDraft.objects.get(pk=copy.pk)
    parent = parent_of(copy)
    assert parent and (parent["name"], parent["builder"]) == ("Canoe", "Alice")


def test_a_copy_remains_when_its_parent_or_the_builder_s_account_is_deleted(alice: User, bob: User) -> None:
    draft = shared(alice)
    copy = copied(bob, draft)
    delete_draft(user=alice, draft_id=draft.pk)
    copy.refresh_from_db()
    assert (copy.parent_draft, copy.parent_name, parent_of(copy)) == (None, "", None)
    assert as_person(bob).get(f"/shipyard/{copy.pk}/").status_code == 200
    copy = copied(bob, shared(alice))
    delete_account(user=alice, now=NOW)
    copy.refresh_from_db()
    assert (copy.user, copy.parent_draft, copy.parent_name) == (bob, None, "")


def test_copying_one_s_own_draft_makes_an_ordinary_copy(alice: User) -> None:
    draft = shared(alice)
    assert parent_of(copied(alice, draft)) == parent("draft", draft.pk, "Canoe")


def test_copies_count_towards_the_limit_of_drafts(alice: User, bob: User) -> None:
    draft = shared(alice)
    for _ in range(MOST_DRAFTS):
        drafted(bob)
    with pytest.raises(Conflict):
        copied(bob, draft)


def test_the_button_creates_and_opens_the_copy(alice: User, bob: User) -> None:
    answer = as_person(bob).post(f"{page_of(shared(alice))}copy/")
    copy = StarshipDraft.objects.get(user=bob)
    assert answer.headers["Location"] == f"/shipyard/{copy.pk}/"


def test_a_draft_no_longer_shared_cannot_be_copied(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link is removed after the copy has looked it up, and before the copy is saved."""
    draft = shared(alice)
    monkeypatch.setattr(
        "games.shipyard.services.lock_person",
        lambda user: drop_link(user=alice, draft_id=draft.pk),
    )
    with pytest.raises(NotFound):
        copied(bob, draft)


def test_the_page_creates_renews_and_removes_the_link(alice: User) -> None:
    draft = drafted(alice)
    client = as_person(alice)
    page = f"/shipyard/{draft.pk}/share/"
    assert "Make a link" in client.get(page).content.decode()
    tokens = []
    for _ in range(2):
        told = client.post(page, {"do": "make"}, follow=True).content.decode()
        draft.refresh_from_db()
        tokens.append(draft.link_token)
        assert f"http://testserver{page_of(draft)}" in told
    assert tokens[0] != tokens[1]
    client.post(page, {"do": "drop"})
    draft.refresh_from_db()
    assert draft.link_token == ""


def test_a_pasted_link_becomes_a_copy(alice: User, bob: User) -> None:
    draft = shared(alice)
    given = {"begin": "import", "text": f"  http://testserver{page_of(draft)}\n"}
    answer = as_person(bob).post("/shipyard/new/", given)
    copy = StarshipDraft.objects.get(user=bob)
    assert answer.headers["Location"] == f"/shipyard/{copy.pk}/"
    assert copy.parent_draft == draft


@pytest.mark.parametrize(
    "address",
    [
        "http://elsewhere.example.org/shipyard/shared/abc/",
        "http://testserver/shipyard/7/",
        "http://[testserver/shipyard/shared/abc/",
    ],
)
def test_other_addresses_are_refused_beside_the_text(bob: User, address: str) -> None:
    answer = as_person(bob).post("/shipyard/new/", {"begin": "import", "text": address})
    assert answer.status_code == 422
    assert "isn’t the link to a shared ship on this site" in answer.content.decode()


def test_a_pasted_link_may_have_a_query_or_fragment() -> None:
    assert link_in("https://Robots.example.org/shipyard/shared/abc/?a=1#b", HOSTS) == "abc"
    assert link_in("https://robots.example.org/shipyard/7/", HOSTS) is None


def test_the_api_shares_copies_and_unshares(alice: User, bob: User) -> None:
    draft = drafted(alice)
    assert Api(alice).get(f"shipyard/drafts/{draft.pk}").body["link"] is None
    link = Api(alice).post(f"shipyard/drafts/{draft.pk}/link").body["link"]
    assert Api(None).get(f"shipyard/shared/{link}").headers["X-Robots-Tag"] == "noindex, nofollow"
    made = Api(bob).post("shipyard/drafts", {"link": link})
    assert (made.status, made.body["parent"]["builder"], made.body["link"]) == (201, "Alice", None)
    assert Api(alice).delete(f"shipyard/drafts/{draft.pk}/link").body["link"] is None
    assert Api(bob).post("shipyard/drafts", {"link": link}).refusal == (404, "no-shared-draft")


def test_the_export_does_not_contain_the_token(alice: User) -> None:
    draft = shared(alice)
    assert draft.link_token not in str(personal_data(user=alice, now=NOW))
