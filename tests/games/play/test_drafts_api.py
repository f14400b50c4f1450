"""The API of drafts. Only their player sees them."""

import json
from typing import Any

from accounts.models import User
from games.play.models import Draft, Game
from tests.games.api_client import Answer, Api, ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import Table, hand_of


def put(client: Api, game: Game, document: Any, turn: int = 1) -> Answer:
    """Save a draft. Check the response against the OpenAPI document."""
    path = f"games/{game.pk}/turns/{turn}/draft"
    more = {"content_type": "application/json", "headers": client.headers}
    return client.checked("put", path, client.client.put(f"/api/v1/{path}", json.dumps(document), **more))


def started(game: Game, user: User) -> dict[str, Any]:
    """Return a program that has only its first chip."""
    return {"registers": [hand_of(game, user).chips["chips"][0], None, None, None, None]}


def test_a_draft_is_saved_shown_and_deleted(api: ApiOf, dealt: Game, alice: User, read: ReaderOf) -> None:
    client, document = api(alice), started(dealt, alice)
    answer = put(client, dealt, document)
    assert answer.status == 200
    assert answer.body["me"]["draft"] == {"orders": document, "saved_at": "2026-11-21T12:00:00Z"}
    assert answer.body["me"]["submitted"] is False
    assert client.get(f"games/{dealt.pk}").body["me"]["draft"]["orders"] == document
    page = read(alice).get(dealt.get_absolute_url())
    assert "Draft, saved 12:00: not submitted." in page
    assert page.chosen("register-1") == str(document["registers"][0])
    gone = client.delete(f"games/{dealt.pk}/turns/1/draft")
    assert (gone.status, gone.body["me"]["draft"]) == (200, None)


def test_refusals_have_their_codes(
    api: ApiOf, table: Table, dealt: Game, alice: User, bob: User, dave: User
) -> None:
    foreign = {"registers": [99999, None, None, None, None]}
    assert put(api(alice), dealt, foreign).refusal == (422, "orders")
    assert put(api(alice), dealt, {"register": []}).refusal == (400, "no-orders")
    assert put(api(alice), dealt, {}, turn=0).refusal == (409, "stale-turn")
    assert api(dave).delete(f"games/{dealt.pk}/turns/1/draft").refusal == (403, "no-seat")
    table.move(dealt, alice, bob)
    assert put(api(alice), dealt, {}).refusal == (409, "all-in")
    assert not Draft.objects.exists()


def test_no_response_reveals_a_draft_to_others(
    api: ApiOf, dealt: Game, alice: User, bob: User, dave: User, erin: User, read: ReaderOf
) -> None:
    def all_that_is_seen() -> list[str]:
        paths = (f"games/{dealt.pk}", f"games/{dealt.pk}/log", "games", "me/waiting", "me")
        pages = [read(viewer).get(dealt.get_absolute_url()).text for viewer in (bob, dave, None)]
        return [*pages, *(client.get(path).text for client in clients for path in paths)]

    clients = [api(viewer) for viewer in (bob, dave, erin)]
    before = all_that_is_seen()
    put(api(alice), dealt, {**started(dealt, alice), "power_down": True})
    assert all_that_is_seen() == before
