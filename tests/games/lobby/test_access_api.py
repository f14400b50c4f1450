"""Access to lobbies in the API, and refusals."""

from typing import Any

from accounts.models import User
from games.fleet.models import Starship
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


def test_a_stranger_does_not_learn_that_a_private_game_exists(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User, carol: User
) -> None:
    lobby, game = table.game(alice, seats=2, private=True), table.game(alice, bob, private=True)
    calls = [
        *(*CALLS, ("get", "", None), ("get", "/log", None), ("get", "/turns/0", None), ("post", "/join", {})),
        *(("post", "/leave", None), ("post", "/resign", None), ("delete", "/seat", None)),
        *(("post", "/turns/0/orders", {"heading": "N"}), ("post", "/turns/0/preview", {"heading": "N"})),
    ]
    for call in calls:
        for number in (lobby.pk, game.pk, game.pk + 1):
            assert refusal(api, dave, call, number) == (404, "no-game"), call


def test_an_address_gets_the_same_answer_with_and_without_an_account(
    api: ApiOf, table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, seats=4)
    path = f"games/{game.pk}/invitations"
    answers = [api(alice).post(path, {"email": email}) for email in (carol.email, "nobody@example.org")]
    assert [answer.status for answer in answers] == [200, 200]
    assert [each["answer"] for each in answers[1].body["invitations"]] == ["pending", "pending"]
    seen = api(bob).get(f"games/{game.pk}").body["invitations"]
    assert {each["name"] for each in seen} == {"someone invited by email"}


def test_lists_include_computers_pictures_and_the_category_of_a_game(
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


def test_an_invited_player_joins_without_the_link_and_a_full_game_refuses(
    api: ApiOf, table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, seats=2, private=True)
    for name in ("bob", "carol"):
        assert api(alice).post(f"games/{game.pk}/invitations", {"robo_name": name}).status == 200
    body = api(bob).post(f"games/{game.pk}/join", {"ready": False}).body
    answers = [(each["name"], each["answer"]) for each in body["invitations"]]
    assert answers == [("Bob", "accepted"), ("Carol", "pending")]
    assert api(bob).get("me/invitations").body["results"] == []
    assert api(carol).post(f"games/{game.pk}/join").refusal == (409, "full")
