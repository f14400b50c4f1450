"""Films of turns as the site sends them, and films of missed turns for players."""

import json

import pytest
from django.test import Client

from accounts.models import User
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import Table


@pytest.fixture
def played(duel: Game, table: Table, alice: User, bob: User) -> Game:
    """A game of two after turns 0 to 2. No player has watched them."""
    for _ in range(3):
        table.play(duel, alice, bob)
    duel.players.update(seen_turn=None)
    return duel


def test_a_film_has_frames_board_words_and_text(played: Game, client: Client) -> None:
    answer = client.get(f"{played.get_absolute_url()}turns/1/film/")
    assert answer.status_code == 200
    film = json.loads(answer.content)
    assert film["turn"] == 1
    assert set(film["film"]["start"]) == {"Alice", "Bob"}
    assert {frame["phase"] for frame in film["film"]["frames"]} >= {1, 2, 3, 4, 5}
    assert film["board"].startswith("<svg")
    assert 'data-robot="Alice"' in film["board"]
    assert "Alice at column" in film["words"][0]
    assert "Phase 5" in film["log"]


def test_only_the_viewer_s_browser_caches_a_film(played: Game, client: Client) -> None:
    address = f"{played.get_absolute_url()}turns/1/film/"
    answer = client.get(address)
    assert "private" in answer["Cache-Control"]
    assert "max-age=" in answer["Cache-Control"]
    assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_film_highlights_the_viewer_s_next_checkpoint(played: Game, client: Client, alice: User) -> None:
    address = f"{played.get_absolute_url()}turns/1/film/"
    assert "checkpoint next" not in json.loads(client.get(address).content)["board"]
    client.force_login(alice)
    assert "checkpoint next" in json.loads(client.get(address).content)["board"]


def test_a_film_highlights_the_next_checkpoint_of_a_robot_that_a_player_took_over(
    played: Game, client: Client, alice: User, dave: User
) -> None:
    played.players.filter(user=alice).update(user=dave, robot="Alice")
    client.force_login(dave)
    film = json.loads(client.get(f"{played.get_absolute_url()}turns/1/film/").content)
    assert "checkpoint next" in film["board"]


def test_an_unplayed_turn_has_no_film(played: Game, client: Client) -> None:
    for turn in ("3", "99999999999999999999"):
        assert client.get(f"{played.get_absolute_url()}turns/{turn}/film/").status_code == 404


def test_only_the_player_is_offered_missed_turns(
    played: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    assert "Turns 1 to 2 were played while you were away." in read(alice).get(played.get_absolute_url())
    played.players.filter(user=alice).update(seen_turn=1)
    assert "Turn 2 was played while you were away." in read(alice).get(played.get_absolute_url())
    played.players.filter(user=bob).update(seen_turn=2)
    for reader in (bob, dave, None):
        assert "data-offer" not in read(reader).get(played.get_absolute_url()).html


def test_a_turn_is_marked_as_seen(played: Game, client: Client, alice: User) -> None:
    address = f"{played.get_absolute_url()}seen/"
    client.force_login(alice)
    answer = client.post(address, {"turn": "2"}, headers={"Accept": "application/json"})
    assert answer.json() == {"seen": 2}
    assert client.post(address, {"turn": "1"}).status_code == 302
    assert played.players.get(user=alice).seen_turn == 2


def test_a_finished_game_offers_its_film(solo_loss: Game, played: Game, read: ReaderOf) -> None:
    there = f"{solo_loss.get_absolute_url()}turns/0/#whole"
    assert there in read(None).get(solo_loss.get_absolute_url()).links
    assert "#whole" not in read(None).get(played.get_absolute_url()).html
