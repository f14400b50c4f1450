"""The API of the chat: reading and writing lines."""

import pytest

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import FLOOD_LINES, post_line
from games.lobby.seats import leave_game
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.support import NOW, Table


@pytest.fixture
def talk(duel: Game, alice: User, bob: User) -> list[ChatLine]:
    said = ((alice, "Hello."), (bob, "Hello, Alice!"), (alice, "Have you seen\nthe lasers?"))
    return [post_line(user=user, game_id=duel.pk, text=text, now=NOW) for user, text in said]


def test_a_new_line_is_returned_in_the_form_of_the_list(
    api: ApiOf, duel: Game, alice: User, dave: User
) -> None:
    answer = api(alice).post(f"games/{duel.pk}/chat", {"text": " Good luck! "})
    assert answer.status == 201
    line = ChatLine.objects.get()
    assert answer.body == {
        "id": line.pk,
        "name": "Alice",
        "seat": 1,
        "text": "Good luck!",
        "at": "2026-11-21T12:00:00Z",
        "hidden": False,
        "filtered": False,
    }
    assert api(dave).get(f"games/{duel.pk}/chat").body == {
        "results": [answer.body],
        "next": line.pk,
        "read": None,
    }


def test_the_chat_is_read_from_a_cursor(api: ApiOf, duel: Game, talk: list[ChatLine], dave: User) -> None:
    client, path = api(dave), f"games/{duel.pk}/chat"
    ids = [line.pk for line in talk]
    assert [line["id"] for line in client.get(path).body["results"]] == ids
    for after in (str(ids[0]), f"418-{ids[0]}"):
        answer = client.get(path, after=after).body
        assert [line["text"] for line in answer["results"]] == ["Hello, Alice!", "Have you seen\nthe lasers?"]
        assert answer["next"] == ids[-1]
    assert client.get(path, after=ids[-1]).body == {"results": [], "next": ids[-1], "read": None}


def test_a_long_chat_is_paginated(api: ApiOf, duel: Game, alice: User) -> None:
    ChatLine.objects.bulk_create(
        ChatLine(game=duel, user=alice, name="Alice", text=f"{number}", at=NOW) for number in range(1, 702)
    )
    client, path, read, after = api(alice), f"games/{duel.pk}/chat", [], 0
    while (answer := client.get(path, after=after).body)["results"]:
        assert len(answer["results"]) <= 500
        read += [line["text"] for line in answer["results"]]
        after = answer["next"]
    assert read == [f"{number}" for number in range(1, 702)]


def test_a_line_of_a_player_who_left_the_lobby_has_no_seat(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, seats=3)
    post_line(user=bob, game_id=game.pk, text="I have to go.", now=NOW)
    leave_game(user=bob, game_id=game.pk, now=NOW)
    [line] = api(alice).get(f"games/{game.pk}/chat").body["results"]
    assert (line["name"], line["seat"]) == ("Bob", None)


def test_refusals_have_their_codes(api: ApiOf, duel: Game, alice: User, dave: User) -> None:
    path = f"games/{duel.pk}/chat"
    assert api(dave).post(path, {"text": "Hello."}).refusal == (403, "no-seat")
    for text, code in ((" ", "empty"), ("x" * 501, "too-long"), ("\u0007", "control-characters")):
        assert api(alice).post(path, {"text": text}).refusal == (422, code)
    assert not ChatLine.objects.exists()


def test_strangers_do_not_find_a_private_chat(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User, erin: User
) -> None:
    game = table.game(alice, bob, private=True)
    post_line(user=bob, game_id=game.pk, text="Between us.", now=NOW)
    path = f"games/{game.pk}/chat"
    assert api(dave).get(path).refusal == (404, "no-game")
    assert api(dave).get(path, link=game.link_token).body["results"][0]["text"] == "Between us."
    assert api(erin).get(path).status == 200


def test_fast_writers_are_asked_to_wait(api: ApiOf, duel: Game, alice: User) -> None:
    for number in range(FLOOD_LINES):
        post_line(user=alice, game_id=duel.pk, text=str(number), now=NOW)
    answer = api(alice).post(f"games/{duel.pk}/chat", {"text": "More."})
    assert answer.refusal == (429, "too-many")
    assert answer.headers["Retry-After"] == "60"


def test_a_player_marks_the_chat_as_read_and_lists_count_new_lines(
    api: ApiOf, duel: Game, talk: list[ChatLine], alice: User, bob: User
) -> None:
    client, path = api(bob), f"games/{duel.pk}/chat"
    first, own, last = (line.pk for line in talk)

    def unread() -> list[int]:
        calls = ("me/waiting", "games?mine=1")
        return [game["unread"] for call in calls for game in client.get(call).body["results"]]

    assert client.get(path).body["read"] == own  # read when they wrote
    assert unread() == [1, 1]
    assert client.post(f"{path}/read", {"line": last}).body == {"unread": 0}
    assert client.get(path).body["read"] == last
    assert unread() == [0, 0]
    assert client.post(f"{path}/read", {"line": first}).body == {"unread": 0}  # never goes back
    assert client.post(f"{path}/read", {"line": 2**63 - 1}).body == {"unread": 0}
    assert client.get(path).body["read"] == last  # nor beyond the last line
    post_line(user=alice, game_id=duel.pk, text="Still there?", now=NOW)
    assert unread() == [1, 1]
