"""The API for taking over, resigning and leaving, and for the policy on missed turns."""

from accounts.models import User
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.support import Table, later, leave_to_computer


def test_a_seat_is_taken_over_and_the_game_names_the_new_player(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, private=True, absence={"policy": "standing", "excused": 2})
    leave_to_computer(game, bob)
    path = f"games/{game.pk}/seats/2/take"
    assert api(dave).post(path).refusal == (404, "no-game")
    answer = api(dave).post(path, {"link": game.link_token})
    assert answer.status == 200
    seat = answer.body["seats"][1]
    assert (seat["name"], seat["steered_by"], seat["computer"]) == ("Bob", "Dave", None)
    assert answer.body["absence"] == {"policy": "standing", "excused": 2}
    assert (answer.body["me"]["excused"], answer.body["me"]["standing"]) == (2, "laid")
    assert api(bob).post(path).refusal == (409, "not-offered")
    assert api(alice).post(path).refusal == (409, "already-joined")


def test_a_game_is_created_with_a_policy_on_missed_turns(api: ApiOf, table: Table, alice: User) -> None:
    asked = {"name": "First flight", "starship": table.starship.pk, "pace": {"hours": 24}}
    body = api(alice).post("games", {**asked, "absence": {"policy": "computer", "excused": 1}}).body
    assert body["absence"] == {"policy": "computer", "excused": 1}
    changed = api(alice).patch(f"games/{body['id']}", {"absence": {"policy": "give-up"}}).body
    assert changed["absence"] == {"policy": "give-up", "excused": 0}
    assert api(alice).post("games", asked).body["absence"] == {"policy": "random", "excused": None}
    assert api(alice).post("games", {**asked, "absence": {"grace": 1}}).refusal == (400, "malformed")


def test_open_seats_are_listed_newest_first(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    games = [table.game(alice, bob, name=name, pace={"hours": 24}) for name in ("first", "second", "third")]
    secret = table.game(alice, bob, private=True)
    table.game(alice, bob, name="nobody has left")
    for hour, game in enumerate((games[1], games[2], games[0], secret)):
        leave_to_computer(game, bob, now=later(hours=hour))
    client = api(dave)
    listed = client.get("seats").body
    assert [game["name"] for game in listed["results"]] == ["first", "third", "second"]
    assert [seat["offered"] for seat in listed["results"][0]["seats"]] == [False, True]
    assert api(alice).get("seats").body["results"] == []
    assert [game["name"] for game in api(bob).get("seats").body["results"]] == ["first", "third", "second"]
    pages = [client.get("seats", limit=2).body]
    pages.append(client.get(pages[0]["next"].partition("/api/v1/")[2]).body)
    assert [[game["name"] for game in page["results"]] for page in pages] == [["first", "third"], ["second"]]
    assert pages[1]["next"] is None
    client.post(f"games/{games[0].pk}/seats/2/take")
    assert [game["name"] for game in client.get("seats").body["results"]] == ["third", "second"]


def test_open_seats_can_be_filtered(api: ApiOf, table: Table, alice: User, bob: User, dave: User) -> None:
    leave_to_computer(table.game(alice, bob, name="slow", pace={"hours": 48}), bob)
    leave_to_computer(table.game(alice, bob, name="fast", pace={"hours": 2}), bob)
    client = api(dave)
    assert [game["name"] for game in client.get("seats", pace="fast").body["results"]] == ["fast"]
    assert client.get("seats", seats="5-8").body["results"] == []


def test_a_former_player_sees_the_open_seat_of_a_private_game(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, private=True)
    leave_to_computer(game, bob)
    assert [seat["offered"] for seat in api(bob).get(f"games/{game.pk}").body["seats"]] == [False, True]


def test_a_resigned_player_has_no_seat(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).post(f"games/{trio.pk}/resign").body
    assert (body["status"], body["me"]) == ("running", None)
    assert body["seats"][1]["computer"] == "rookie"
    assert not body["seats"][1]["offered"]
    assert api(bob).post(f"games/{trio.pk}/resign").refusal == (409, "resigned")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").refusal == (403, "sent-away")


def test_an_abandoned_seat_is_open_and_its_player_may_come_back(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).delete(f"games/{trio.pk}/seat").body
    assert (body["status"], body["me"], body["seats"][1]["offered"]) == ("running", None, True)
    assert api(bob).delete(f"games/{trio.pk}/seat").refusal == (409, "left")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").body["me"] is not None
