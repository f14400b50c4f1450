"""The API of suggested ships."""

import pytest

from accounts.models import User
from games.shipyard.models import ShipSuggestion
from tests.games.api_client import Api
from tests.games.shipyard.searches import found, quicken, searched

ORDER = {"width": 8, "height": 8, "players": 2, "theme": "ring", "seed": "7"}


def test_a_ship_is_requested_found_and_edited(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    api = Api(alice)
    made = api.post("shipyard/suggestions", ORDER)
    assert (made.status, made.body["status"], made.body["document"]) == (201, "waiting", None)
    number = made.body["id"]
    assert api.post(f"shipyard/suggestions/{number}/draft").refusal == (409, "no-ship")
    known = {**api.headers, "If-None-Match": made.headers["ETag"]}
    assert api.client.get(f"/api/v1/shipyard/suggestions/{number}", headers=known).status_code == 304
    searched(ShipSuggestion.objects.get())
    done = api.get(f"shipyard/suggestions/{number}")
    assert (done.body["status"], done.body["progress"], done.body["found_theme"]) == ("done", 100, "ring")
    assert done.body["report"]["verdict"] == done.body["verdict"]
    draft = api.post(f"shipyard/suggestions/{number}/draft")
    assert (draft.status, draft.body["name"]) == (201, done.body["name"])
    (listed,) = api.get("shipyard/suggestions").body["results"]
    assert listed == {key: done.body[key] for key in listed}


def test_an_empty_request_is_for_a_ship_for_four(alice: User) -> None:
    made = Api(alice).post("shipyard/suggestions").body
    assert (made["ruleset"], made["width"], made["height"], made["players"]) == ("robo-runner", 12, 12, 4)


def test_a_search_is_cancelled(alice: User) -> None:
    api = Api(alice)
    number = api.post("shipyard/suggestions", ORDER).body["id"]
    assert api.post("shipyard/suggestions", {**ORDER, "seed": "8"}).refusal == (409, "under-way")
    assert api.delete(f"shipyard/suggestions/{number}").body["status"] == "cancelled"
    over = found(alice)
    assert api.delete(f"shipyard/suggestions/{over.pk}").refusal == (409, "over")


@pytest.mark.parametrize(
    ("order", "status", "key"),
    [
        ({"width": 1}, 400, "width"),
        ({"players": 7}, 422, "players"),
        ({"theme": "nonsense"}, 400, "theme"),
    ],
)
def test_impossible_requests_are_refused_by_key(
    alice: User, order: dict[str, object], status: int, key: str
) -> None:
    answer = Api(alice).post("shipyard/suggestions", {**ORDER, **order})
    assert answer.status == status
    assert [problem["key"] for problem in answer.body["problems"]] == [key]
    assert not ShipSuggestion.objects.exists()


def test_others_do_not_find_a_suggestion(alice: User, dave: User) -> None:
    there, none = found(alice).pk, 10**6
    for method, path in (("get", ""), ("delete", ""), ("post", "/draft")):
        answers = [getattr(Api(dave), method)(f"shipyard/suggestions/{pk}{path}") for pk in (there, none)]
        assert answers[0].refusal == (404, "no-suggestion")
        assert answers[0].text == answers[1].text
    assert Api(dave).get("shipyard/suggestions").body["results"] == []
