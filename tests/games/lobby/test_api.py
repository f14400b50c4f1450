"""The API of lobbies: settings, readiness, computers, invitations and rematches."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.fleet.models import Starship
from games.play import stored
from games.play.computers import play_computers
from games.play.models import Game, Hand, Turn
from games.play.resolution import resolve_turn
from tests.games.api_client import ApiOf
from tests.games.lobby.test_games_api import new_game
from tests.games.support import NOW, Table


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby of Alice and Bob with one open seat."""
    return table.game(alice, bob, seats=3)


def names(body: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in body["seats"]]


def test_a_game_created_full_of_computers_starts(api: ApiOf, alice: User, starship: Starship) -> None:
    ace = {"strength": "ace", "look": 1}
    body = api(alice).post("games", new_game(starship, seats=4, look=2, computers=["rookie", ace])).body
    seats = [(seat["computer"], seat["look"], seat["ready"]) for seat in body["seats"]]
    assert seats == [(None, 2, True), ("rookie", 3, True), ("ace", 1, True)]
    assert (body["status"], body["counts_as"]) == ("open", "computers")
    body = api(alice).post("games", new_game(starship, computers=["pilot"])).body
    assert (body["status"], body["waiting_for"]) == ("running", ["Alice", "Pilot Sprocket"])


@pytest.mark.parametrize(
    ("computers", "refusal"),
    [
        ([{"strength": "ace", "look": 1}], (422, "no-game")),
        ([{"strength": "ace", "colour": 1}], (400, "malformed")),
        ([{"look": 1}], (400, "malformed")),
        ([None], (400, "malformed")),
    ],
)
def test_invalid_computers_are_refused(
    api: ApiOf, alice: User, starship: Starship, computers: list[Any], refusal: tuple[int, str]
) -> None:
    assert api(alice).post("games", new_game(starship, computers=computers)).refusal == refusal
    assert not Game.objects.exists()


def test_a_game_against_computers_takes_one_call(api: ApiOf, alice: User, table: Table) -> None:
    Starship.objects.filter(pk=table.starship.pk).update(slug="tin-canoe")
    body = api(alice).post("games/quick", {"strength": "ace", "computers": 2}).body
    assert (body["status"], len(body["robots"])) == ("running", 3)


def test_a_person_and_a_computer_play_to_the_end(api: ApiOf, alice: User, starship: Starship) -> None:
    client = api(alice)
    options = {"lives": 1, "hull_damage": False, "scanners": 0, "equipment": False}
    game = client.post("games", new_game(starship, options=options, computers=["rookie"])).body
    for _ in range(200):
        turn = Turn.objects.filter(game=game["id"], status="open").first()
        if turn is None:
            break
        hand = Hand.objects.filter(turn=turn, seat__user=alice).first()
        if hand is not None:
            setup = stored.setup_of(turn.game)
            state = stored.start_of(turn, setup.starship)
            orders = rules.complete(setup, state, 0, stored.chips_of(hand), None, turn.number)
            path = f"games/{game['id']}/turns/{turn.number}/orders"
            assert client.post(path, rules.write_orders(orders)).status == 200
        play_computers(turn_id=turn.pk, now=NOW)
        assert resolve_turn(turn_id=turn.pk, now=NOW)
    body = client.get(f"games/{game['id']}").body
    assert body["status"] == "over"
    statistics = client.get(f"games/{game['id']}/statistics").body["results"]
    assert [row["name"] for row in statistics] == ["Alice", "Rookie Sprocket"]
    again = client.post(f"games/{game['id']}/rematch").body
    assert (again["status"], names(again)) == ("running", ["Alice", "Rookie Sprocket"])


def test_the_host_changes_settings_and_others_accept_again(
    api: ApiOf, lobby: Game, alice: User, bob: User
) -> None:
    body = api(alice).patch(f"games/{lobby.pk}", {"seats": 4, "options": {"lives": 5}}).body
    assert (body["seats_total"], body["options"]["lives"]) == (4, 5)
    assert [seat["ready"] for seat in body["seats"]] == [True, False]
    assert "Alice changed the option “Lives” from 3 to 5." in [entry["text"] for entry in body["lobby"]]


def test_readiness_is_set_and_withdrawn(api: ApiOf, lobby: Game, alice: User, bob: User) -> None:
    body = api(bob).post(f"games/{lobby.pk}/ready", {"ready": False}).body
    assert [seat["ready"] for seat in body["seats"]] == [True, False]
    assert api(alice).post(f"games/{lobby.pk}/start").refusal == (409, "not-ready")
    assert api(bob).post(f"games/{lobby.pk}/ready").status == 200
    started = api(alice).post(f"games/{lobby.pk}/start").body
    assert (started["status"], started["seats_total"]) == ("running", 2)


def test_computers_are_added_changed_and_removed(api: ApiOf, lobby: Game, alice: User) -> None:
    client = api(alice)
    client.patch(f"games/{lobby.pk}", {"starts_itself": False})
    body = client.post(f"games/{lobby.pk}/computers", {"strength": "pilot", "look": 7}).body
    assert (body["seats"][2]["computer"], body["seats"][2]["look"]) == ("pilot", 7)
    body = client.patch(f"games/{lobby.pk}/seats/3", {"strength": "ace"}).body
    assert body["seats"][2]["name"] == "Ace Cog"
    assert names(client.delete(f"games/{lobby.pk}/seats/3").body) == ["Alice", "Bob"]


def test_a_robot_is_chosen_by_its_picture(api: ApiOf, lobby: Game, bob: User) -> None:
    assert api(bob).post(f"games/{lobby.pk}/seat", {"look": 8}).body["seats"][1]["look"] == 8
    assert api(bob).post(f"games/{lobby.pk}/seat", {"look": 1}).refusal == (409, "look-taken")


def test_an_invited_player_sees_a_private_game_until_they_decline(
    api: ApiOf, table: Table, alice: User, carol: User
) -> None:
    game = table.game(alice, seats=2, private=True)
    path = f"games/{game.pk}"
    assert api(carol).get(path).status == 404
    body = api(alice).post(f"{path}/invitations", {"robo_name": "carol"}).body
    assert [(each["name"], each["answer"]) for each in body["invitations"]] == [("Carol", "pending")]
    assert [each["game"] for each in api(carol).get("me/invitations").body["results"]] == [game.pk]
    assert api(carol).get("me").body["invitations"] == 1
    assert api(carol).get(path).status == 200
    assert api(carol).post(f"{path}/decline").status == 200
    assert api(carol).get(path).status == 404


def test_an_invitation_is_withdrawn(api: ApiOf, table: Table, alice: User, carol: User) -> None:
    game = table.game(alice, seats=2, private=True)
    body = api(alice).post(f"games/{game.pk}/invitations", {"robo_name": "carol"}).body
    number = body["invitations"][0]["id"]
    assert api(alice).delete(f"games/{game.pk}/invitations/{number}").body["invitations"] == []
    assert api(carol).get(f"games/{game.pk}").status == 404


def test_the_host_renews_the_link_and_sees_it(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, private=True)
    old = game.link_token
    made = api(alice).post(f"games/{game.pk}/link")
    assert made.status == 200 and made.body["link"] not in {None, old}
    assert api(bob).get(f"games/{game.pk}").body["link"] == made.body["link"]
    assert api(dave).get(f"games/{game.pk}", link=old).status == 404
    assert api(dave).get(f"games/{game.pk}", link=made.body["link"]).status == 200
