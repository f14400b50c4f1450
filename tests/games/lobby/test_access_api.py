"""Who reaches a lobby over the API, and what is refused in one."""

from typing import Any

import pytest

from accounts.models import User
from games.fleet.models import Starship
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.lobby.test_games_api import new_game
from tests.games.support import Table

CALLS: list[tuple[str, str, Any]] = [
    ("patch", "", {"seats": 3}),
    ("post", "/ready", {"ready": True}),
    ("post", "/start", None),
    ("post", "/seat", {"look": 3}),
    ("post", "/computers", {"strength": "rookie"}),
    ("patch", "/seats/1", {"strength": "ace"}),
    ("delete", "/seats/1", None),
    ("post", "/invitations", {"robo_name": "carol"}),
    ("delete", "/invitations/1", None),
    ("post", "/link", None),
    ("post", "/decline", None),
    ("post", "/rematch", None),
    ("get", "/statistics", None),
    ("get", "/robots/1", None),
]


def refusal(api: ApiOf, user: User, call: tuple[str, str, Any], game: int) -> tuple[int, str]:
    method, path, document = call
    client = api(user)
    path = f"games/{game}{path}"
    if method == "post":
        return (client.post(path, document) if document is not None else client.post(path)).refusal
    return (client.patch(path, document) if method == "patch" else getattr(client, method)(path)).refusal


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0]} {call[1]}")
def test_a_stranger_does_not_learn_that_a_private_lobby_is_there(
    api: ApiOf, table: Table, alice: User, dave: User, carol: User, call: tuple[str, str, Any]
) -> None:
    game = table.game(alice, seats=2, private=True)
    assert refusal(api, dave, call, game.pk) == refusal(api, dave, call, game.pk + 1) == (404, "no-game")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0]} {call[1]}")
def test_nor_that_a_private_game_is_under_way(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User, carol: User, call: tuple[str, str, Any]
) -> None:
    game = table.game(alice, bob, private=True)
    assert refusal(api, dave, call, game.pk) == (404, "no-game")


def test_a_ninth_seat_is_refused_when_a_game_is_made_and_when_it_is_changed(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    client = api(alice)
    made = client.post("games", new_game(starship, seats=9, computers=["rookie"] * 8))
    assert made.refusal == (422, "no-game")
    assert not Game.objects.exists()
    game = client.post("games", new_game(starship, seats=8, ready=False, computers=["rookie"] * 7)).body
    assert client.patch(f"games/{game['id']}", {"seats": 9}).refusal == (422, "no-game")
    assert client.post(f"games/{game['id']}/computers", {"strength": "rookie"}).refusal == (409, "full")
    assert len(client.get(f"games/{game['id']}").body["seats"]) == 8


def test_nothing_of_a_lobby_is_changed_in_a_game_under_way(
    api: ApiOf, duel: Game, alice: User, carol: User
) -> None:
    started = [call for call in CALLS if call[0] != "get" and call[1] not in {"/rematch", "/seat", "/link"}]
    refusals = {refusal(api, alice, call, duel.pk) for call in started}
    assert refusals == {(409, "started")}


def test_who_is_not_ready_keeps_a_full_game_from_starting(
    api: ApiOf, alice: User, bob: User, starship: Starship
) -> None:
    game = api(alice).post("games", new_game(starship, ready=False)).body
    path = f"games/{game['id']}"
    body = api(bob).post(f"{path}/join", {"ready": False, "look": 6}).body
    assert [(seat["look"], seat["ready"]) for seat in body["seats"]] == [(1, False), (6, False)]
    assert api(bob).post(f"{path}/ready").body["status"] == "open"
    assert api(alice).post(f"{path}/ready").body["status"] == "running"


def test_with_the_last_person_the_game_goes_and_computers_stay_behind(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    game = api(alice).post("games", new_game(starship, seats=3, computers=["rookie"])).body
    assert api(alice).delete(f"games/{game['id']}/seats/1").body["status"] == "cancelled"
    assert api(alice).post(f"games/{game['id']}/ready").refusal == (409, "cancelled")


def test_an_address_is_answered_the_same_with_and_without_an_account(
    api: ApiOf, table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, seats=4)
    path = f"games/{game.pk}/invitations"
    answers = [api(alice).post(path, {"email": email}) for email in (carol.email, "nobody@example.org")]
    assert [answer.status for answer in answers] == [200, 200]
    assert [each["answer"] for each in answers[1].body["invitations"]] == ["pending", "pending"]
    assert {each["name"] for each in api(bob).get(f"games/{game.pk}").body["invitations"]} == {
        "someone by mail"
    }
    assert api(alice).post(path, {"email": "nobody@example.org"}).refusal == (409, "already-invited")
    assert api(alice).post(path, {"email": "no address"}).refusal == (400, "email")
    assert api(alice).post(path, {"robo_name": "carol", "email": carol.email}).refusal == (400, "nobody")


def test_who_is_not_the_host_settles_nothing(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, seats=3)
    for call in (CALLS[0], CALLS[2], CALLS[4], CALLS[5], CALLS[6]):
        assert refusal(api, bob, call, game.pk) == (403, "not-host")


def test_lists_tell_computers_looks_and_what_games_count_as(
    api: ApiOf, table: Table, alice: User, bob: User, starship: Starship
) -> None:
    table.game(alice, bob)
    table.game(alice)
    ace = {"strength": "ace", "look": 5}
    api(alice).post("games", new_game(starship, look=2, computers=[ace]))
    games = {game["counts_as"]: game for game in api(alice).get("games", mine=1).body["results"]}
    assert set(games) == {"people", "solo", "computers"}
    seats = games["computers"]["seats"]
    assert [(seat["computer"], seat["look"]) for seat in seats] == [(None, 2), ("ace", 5)]


def test_who_is_invited_joins_without_the_link_and_a_full_game_has_no_room(
    api: ApiOf, table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, seats=2, private=True)
    for name in ("bob", "carol"):
        assert api(alice).post(f"games/{game.pk}/invitations", {"robo_name": name}).status == 200
    body = api(bob).post(f"games/{game.pk}/join", {"ready": False}).body
    assert [(each["name"], each["answer"]) for each in body["invitations"]] == [
        ("Bob", "accepted"),
        ("Carol", "pending"),
    ]
    assert api(bob).get("me/invitations").body["results"] == []
    assert api(carol).post(f"games/{game.pk}/join").refusal == (409, "full")


def test_who_is_taken_out_is_out_of_a_private_game(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3, private=True)
    api(alice).post(f"games/{game.pk}/invitations", {"robo_name": "bob"})
    assert api(bob).post(f"games/{game.pk}/join").status == 200
    assert api(alice).delete(f"games/{game.pk}/seats/2").status == 200
    assert api(bob).get(f"games/{game.pk}").refusal == (404, "no-game")
