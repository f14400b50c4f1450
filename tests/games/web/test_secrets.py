"""The API reveals no secrets of running games."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from games.play.models import Game, Hand, Program
from tests.games.api_client import Api, ApiOf
from tests.games.support import Board, Table, hand_of, open_turn, orders_for

MAZE = Board(
    "Maze",
    (
        "t:red . . . .+i1 . . t:red",
        ". a . h1 . . . .",
        ". . . . . . . .",
        "t:red . . t:blue . . . t:blue",
    ),
)
"""A board with transporters. Their links are secret."""


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game of Alice and Bob in turn 1, with a scanner and Alice's orders."""
    table = Table(MAZE.saved())
    game = table.game(alice, bob, options={"scanners": 1, "equipment": True})
    table.play(game, alice, bob)
    table.move(game, alice)
    return game


def documents(client: Api, game: Game) -> Iterator[Any]:
    """Yield all documents of a game that a client can get."""
    yield client.get(f"games/{game.pk}").body
    yield client.get(f"games/{game.pk}/log").body
    yield client.get(f"games/{game.pk}/turns/0").body
    yield client.get(f"games/{game.pk}/turns/1").body
    yield client.get("games").body
    yield client.get("me/waiting").body
    yield client.get("me").body


def walk(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, document
    if isinstance(document, dict):
        for key, value in document.items():
            yield from walk(value, f"{path}.{key}")
    elif isinstance(document, list):
        for value in document:
            yield from walk(value, f"{path}[]")


def test_only_the_player_s_own_hand_is_shown(
    api: ApiOf, game: Game, alice: User, bob: User, dave: User
) -> None:
    for viewer in (alice, bob, dave):
        numbers = [
            value["number"]
            for document in documents(api(viewer), game)
            for _, value in walk(document)
            if isinstance(value, dict) and "number" in value
        ]
        own = Hand.objects.filter(turn=open_turn(game), seat__user=viewer).first()
        assert numbers == (own.chips["chips"] if own else [])


def test_only_the_player_s_own_orders_are_shown_before_the_turn_is_resolved(
    api: ApiOf, game: Game, alice: User, bob: User, dave: User
) -> None:
    ordered = Program.objects.get(hand__turn=open_turn(game)).orders["registers"]
    for viewer, sees in ((alice, True), (bob, False), (dave, False)):
        shown = [
            value
            for document in documents(api(viewer), game)
            for path, value in walk(document)
            if path.endswith(".registers")
        ]
        assert shown == ([ordered] if sees else [])


def test_others_learn_only_that_a_player_has_submitted(api: ApiOf, game: Game, bob: User) -> None:
    body = api(bob).get(f"games/{game.pk}").body
    assert body["waiting_for"] == ["Bob"]
    assert body["me"]["orders"] is None


def test_games_that_differ_only_in_secrets_look_the_same(api: ApiOf, game: Game, bob: User) -> None:
    client = api(bob)
    before = list(documents(client, game))
    turn = open_turn(game)
    turn.snapshot["links"] = [[to, origin] for origin, to in turn.snapshot["links"]]
    turn.save()
    game.seed = "another"
    game.save()
    for hand in turn.hands.exclude(seat__user=bob):
        hand.chips["chips"].reverse()
        hand.save()
    program = Program.objects.get(hand__turn=turn)
    program.orders["registers"].reverse()
    program.orders["power_down"] = True
    program.save()
    assert list(documents(client, game)) == before


def test_no_document_contains_the_seed(api: ApiOf, game: Game, alice: User, erin: User) -> None:
    for viewer in (alice, erin):
        for document in documents(api(viewer), game):
            assert game.seed not in str(document)


def test_unused_links_are_not_shown(api: ApiOf, game: Game, alice: User) -> None:
    links = open_turn(game).snapshot["links"]
    assert len(links) == 5
    for document in documents(api(alice), game):
        for path, value in walk(document):
            if path.endswith(".links"):
                assert value == []
            assert value not in links


def test_a_link_is_shown_once_it_is_used(api: ApiOf, game: Game, dave: User) -> None:
    turn = open_turn(game)
    used = turn.snapshot["links"][0]
    turn.snapshot["known"] = [used[0]]
    turn.save()
    assert api(dave).get(f"games/{game.pk}").body["links"] == [used]


def test_a_preview_hides_the_destination_of_a_transporter(api: ApiOf, game: Game, bob: User) -> None:
    turn = open_turn(game)
    turn.snapshot["robots"][1] |= {"cell": [1, 0], "heading": "W"}
    turn.save()
    hand = hand_of(game, bob)
    hand.chips["chips"][0] = 490
    hand.save()
    path = f"games/{game.pk}/turns/1/preview"
    answer = api(bob).post(path, {"registers": [490, None, None, None, None]})
    assert answer.body["robot"]["at"] == [0, 0]


def test_no_document_contains_addresses_of_people(api: ApiOf, game: Game, alice: User, bob: User) -> None:
    for document in documents(api(alice), game):
        assert "example.org" not in str(document)


def test_staff_see_no_more_than_others(api: ApiOf, game: Game, dave: User, erin: User) -> None:
    assert list(documents(api(erin), game))[:4] == list(documents(api(dave), game))[:4]


def test_orders_are_revealed_when_the_turn_is_resolved(
    api: ApiOf, game: Game, alice: User, bob: User, dave: User
) -> None:
    expected = orders_for(game, bob)
    Table(game.revision.starship).play(game, bob)
    programs = api(dave).get(f"games/{game.pk}/turns/1").body["programs"]
    assert next(program["orders"] for program in programs if program["robot"] == "Bob") == expected
