"""The API of standing orders, days off, quiet hours and vacations."""

from datetime import time
from typing import Any

from accounts.models import User
from games.clocks.models import Rest, Vacation
from games.clocks.services import plan_vacation
from games.play.models import Game
from tests.games.api_client import Api, ApiOf
from tests.games.support import NOW, Table


def test_a_person_changes_their_standing_orders(api: ApiOf, alice: User) -> None:
    client = api(alice)
    assert client.get("me/standing").body == {"standing": "laid"}
    assert client.put("me/standing", {"standing": "ahead"}).body == {"standing": "ahead"}
    assert client.get("me/standing").body == {"standing": "ahead"}
    alice.refresh_from_db()
    assert alice.standing == "ahead"


def test_a_player_changes_standing_orders_for_one_game(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, absence={"policy": "standing", "excused": 2})
    client, path = api(alice), f"games/{game.pk}/standing"
    answer = client.put(path, {"standing": "down"}).body
    assert answer == {"standing": "down", "plays": "down", "counts": True}
    assert client.get(f"games/{game.pk}").body["me"]["standing"] == "down"
    assert client.put(path, {"standing": ""}).body == {"standing": "", "plays": "laid", "counts": True}
    assert api(bob).get(f"games/{game.pk}").body["me"]["standing"] == "laid"
    other = table.game(alice, bob)
    assert client.put(f"games/{other.pk}/standing", {"standing": "ahead"}).body["counts"] is False


def test_unknown_standing_orders_are_refused(api: ApiOf, duel: Game, alice: User, dave: User) -> None:
    path = f"games/{duel.pk}/standing"
    for call in ("me/standing", path):
        refusal = api(alice).put(call, {"standing": "retreat"})
        assert refusal.refusal == (422, "no-standing")
        assert refusal.body["problems"][0]["detail"].endswith(": laid, ahead, down.")
    assert api(alice).put("me/standing", {"standing": ""}).refusal == (422, "no-standing")
    assert api(dave).put(path, {"standing": "down"}).refusal == (403, "no-seat")


def test_a_new_account_has_no_rest(api: ApiOf, alice: User) -> None:
    assert api(alice).get("me/time").body == {
        "time_zone": "UTC",
        "days_off": [],
        "night": None,
        "takes_vacation": False,
    }


def test_each_kind_of_rest_is_changed_separately(api: ApiOf, alice: User) -> None:
    client = api(alice)
    first = client.patch("me/time", {"days_off": [6, 5, 6]}).body
    assert (first["days_off"], first["night"]) == ([5, 6], None)
    second = client.patch("me/time", {"night": ["22:00", "06:30"]}).body
    assert (second["days_off"], second["night"]) == ([5, 6], ["22:00", "06:30"])
    third = client.patch("me/time", {"takes_vacation": True}).body
    assert third == {**second, "takes_vacation": True}
    rest = Rest.objects.get(user=alice)
    assert (rest.night_from, rest.night_until) == (time(22), time(6, 30))
    fourth = client.patch("me/time", {"night": None}).body
    assert fourth == {**third, "night": None} == client.get("me/time").body
    assert client.patch("me/time", {"days_off": []}).body["days_off"] == []


def test_an_invalid_rest_is_refused_and_nothing_changes(api: ApiOf, alice: User) -> None:
    client = api(alice)
    before = client.patch("me/time", {"days_off": [5], "night": ["23:00", "06:00"]}).body
    for asked, refusal in (
        ({"days_off": [0, 1, 2, 3]}, (422, "no-rest")),
        ({"night": ["20:00", "08:01"]}, (422, "no-rest")),
        ({"night": ["22:00"]}, (400, "malformed")),
        ({"night": ["24:00", "07:00"]}, (400, "malformed")),
    ):
        answer = client.patch("me/time", asked)
        assert answer.refusal == refusal
        assert answer.body["problems"]
    assert client.get("me/time").body == before


def plan(client: Api, first: str, last: str) -> Any:
    return client.post("me/vacations", {"first": first, "last": last})


def test_a_vacation_is_planned_listed_and_cancelled(api: ApiOf, alice: User, bob: User) -> None:
    client = api(alice)
    assert client.get("me/vacations").body == {"results": [], "days_left": 28, "days_a_year": 28}
    later = plan(client, "2026-12-24", "2026-12-26")
    assert later.status == 201
    sooner = plan(client, "2026-11-21", "2026-11-21")
    assert sooner.body == {"id": sooner.body["id"], "first": "2026-11-21", "last": "2026-11-21"}
    assert client.get("me/vacations").body["results"] == [sooner.body, later.body]
    assert api(bob).get("me/vacations").body["results"] == []
    left = client.delete(f"me/vacations/{sooner.body['id']}")
    assert (left.status, left.body["results"]) == (200, [later.body])


def test_another_person_s_vacation_is_not_found(api: ApiOf, alice: User, bob: User) -> None:
    theirs = plan_vacation(user=bob, first=NOW.date(), last=NOW.date(), now=NOW)
    for number in (theirs.pk, 999_999_999, 10**30):
        assert api(alice).delete(f"me/vacations/{number}").status == 404
    assert Vacation.objects.get() == theirs


def test_an_invalid_vacation_is_refused(api: ApiOf, alice: User) -> None:
    client = api(alice)
    plan(client, "2026-12-10", "2026-12-20")
    for first, last, refusal in (
        ("2026-11-20", "2026-11-25", (422, "no-vacation")),
        ("2026-12-09", "2026-12-11", (409, "overlaps")),
        ("2026-02-30", "2026-12-01", (400, "malformed")),
    ):
        assert plan(client, first, last).refusal == refusal
    assert Vacation.objects.count() == 1
