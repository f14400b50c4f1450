"""A draft exists only for its owner. Even staff get no access."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.shipyard.models import StarshipDraft
from tests.games.api_client import Api
from tests.games.reader import reader
from tests.games.shipyard.drawing import CANOE, document, drafted, rows_of

PAGES = [
    ("get", ""),
    ("post", ""),
    ("post", "fix/"),
    ("post", "fly/"),
    ("get", "history/"),
    ("post", "versions/1/restore/"),
    ("get", "file/"),
    ("get", "delete/"),
    ("post", "delete/"),
    ("get", "drawing-light.svg"),
]
CALLS: list[tuple[str, str, Any]] = [
    ("get", "", None),
    ("put", "", {"document": document("a")}),
    ("delete", "", None),
    ("get", "/revisions", None),
    ("get", "/revisions/1", None),
    ("post", "/revisions/1/restore", None),
    ("get", "/document", None),
    ("post", "/fly", None),
]


@pytest.fixture(params=["dave", "erin"])
def other(request: pytest.FixtureRequest) -> User:
    """A person other than the owner: a stranger, or a superuser."""
    found: User = request.getfixturevalue(request.param)
    if request.param == "erin":
        User.objects.filter(pk=found.pk).update(is_superuser=True)
        found.refresh_from_db()
    return found


def test_pages_hide_other_people_s_drafts(alice: User, other: User) -> None:
    draft = drafted(alice)
    client = reader(other).client
    for method, path in PAGES:
        ask, sent = getattr(client, method), {"version": "1", "rows": "a"}
        there, none = (ask(f"/shipyard/{number}/{path}", sent) for number in (draft.pk, draft.pk + 1000))
        assert there.status_code == none.status_code == 404, path
    assert rows_of(draft) == list(CANOE)


def test_the_api_hides_other_people_s_drafts(alice: User, other: User) -> None:
    draft = drafted(alice)
    api = Api(other)
    api.headers["If-Match"] = '"1"'
    for method, path, body in CALLS:
        given = (body,) if method in {"put", "post"} else ()
        there = getattr(api, method)(f"shipyard/drafts/{draft.pk}{path}", *given)
        none = getattr(api, method)(f"shipyard/drafts/{draft.pk + 1000}{path}", *given)
        assert there.refusal == none.refusal == (404, "no-draft"), path
        assert there.text == none.text
    assert rows_of(draft) == list(CANOE)


def test_lists_contain_only_the_viewer_s_own_drafts(alice: User, other: User) -> None:
    drafted(alice)
    assert Api(other).get("shipyard/drafts").body["results"] == []
    assert StarshipDraft.objects.count() == 1


def test_others_do_not_see_a_test_flight(alice: User, other: User) -> None:
    draft = drafted(alice)
    game = Api(alice).post(f"shipyard/drafts/{draft.pk}/fly").body["id"]
    assert Api(alice).get(f"games/{game}").status == 200
    if not other.is_superuser:
        assert Api(other).get(f"games/{game}").status == 404
    shown = Client().get(f"/games/{game}/board-light.svg")
    assert shown.status_code == 404
