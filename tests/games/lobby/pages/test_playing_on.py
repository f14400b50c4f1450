"""The pages to play on from a turn of a finished game, and to load a game."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import limits
from accounts.models import User
from games.films.game_file import game_file
from games.play import lifecycle
from games.play.models import Game
from games.play.services import locked_game
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table
from tests.rules.test_position import small_position


@pytest.fixture
def over(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    """A game of Alice and Bob that was conceded in turn 2."""
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    dealt.refresh_from_db()
    return dealt


def test_each_turn_of_a_finished_game_leads_to_a_new_game(over: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"/games/{over.pk}/turns/1/")
    address = f"/games/{over.pk}/turns/1/play-on/"
    assert address in page.links
    form = read(alice).get(address)
    assert "It changes no ratings" in form
    assert form.chosen("seat") == "1"
    begun = read(alice).post(address, seat=2, opponents="computers", strength="rookie")
    game = Game.objects.get(origin=over)
    assert begun.address == f"/games/{game.pk}/"
    assert game.players.get(user=alice).number == 2
    assert "Your game begins at this position." in begun
    assert "In turn 1, it is the order of the position." in begun
    assert f"/games/{over.pk}/turns/1/" in begun.links


def test_a_running_game_has_no_way_to_play_on(dealt: Game, alice: User, read: ReaderOf) -> None:
    assert not any("play-on" in link for link in read(alice).get(f"/games/{dealt.pk}/turns/0/").links)
    page = read(alice).get(f"/games/{dealt.pk}/turns/0/play-on/")
    assert page.address == f"/games/{dealt.pk}/"
    assert "once it is over" in page


def test_strangers_play_on_against_computers(over: Game, read: ReaderOf) -> None:
    address = f"/games/{over.pk}/turns/1/play-on/"
    stranger = read(None)
    given: dict[str, Any] = {"seat": 1, "strength": "rookie"}
    assert stranger.post(address, **given, opponents="friends").status == 422
    stranger.post(address, **given, opponents="computers")
    assert Game.objects.get(origin=over).host.is_guest


def test_friends_get_a_link(over: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        f"/games/{over.pk}/turns/1/play-on/", seat=1, opponents="friends", strength="rookie"
    )
    game = Game.objects.get(origin=over)
    assert game.link_token in page.html
    assert "Change the settings" not in page


def test_a_wrong_choice_is_marked(over: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        f"/games/{over.pk}/turns/1/play-on/", seat=5, opponents="computers", strength="rookie"
    )
    assert page.status == 422
    assert not Game.objects.filter(origin=over).exists()


def test_a_file_is_loaded(over: Game, carol: User, read: ReaderOf) -> None:
    assert read(carol).get("/games/load/").html.count('class="field-optional"') == 3  # turn, seat, names
    text = json.dumps(game_file(game=over), default=str)
    upload = SimpleUploadedFile("game.json", text.encode())
    page = read(carol).post("/games/load/", upload=upload, opponents="computers", strength="rookie")
    game = Game.objects.get(host=carol)
    assert page.address == f"/games/{game.pk}/"
    assert game.position["robots"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "Choose a file, or paste a document."),
        ({"text": "{"}, "Not JSON"),
        ({"text": "[]"}, "A JSON object is expected"),
        ({"text": "{}"}, "is expected"),
        ({"text": '{"format": "position/1"}'}, "is missing"),
    ],
)
def test_what_cannot_be_read_is_refused(
    fields: dict[str, Any], reason: str, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post("/games/load/", opponents="computers", strength="rookie", **fields)
    assert page.status == 422
    assert reason in page


def test_guests_and_strangers_need_an_account_to_load_a_game(read: ReaderOf) -> None:
    assert read(None).get("/games/load/").address.startswith("/accounts/login/")


def test_programs_play_on_and_load_games(over: Game, alice: User, api: ApiOf) -> None:
    made = api(alice).post(f"games/{over.pk}/turns/1/game", {"seat": 2}).body
    assert (made["status"], made["counts_as"], made["private"]) == ("running", "played-on", True)
    assert made["origin"] == {"game": over.pk, "turn": 1}
    made = api(alice).post("games/load", {"document": small_position(), "opponents": "friends"}).body
    assert (made["status"], made["origin"]) == ("open", {"game": None, "turn": None})
    refused = api(alice).post("games/load", {"document": {**small_position(), "robots": [{"at": [9, 9]}]}})
    assert refused.refusal == (422, "no-position")
    assert "must be a cell of the board" in refused.body["detail"]


def test_games_a_day_are_limited(
    over: Game, alice: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "consume", lambda limit, *_: 60 if limit is limits.PLAYED_ON else 0)
    page = read(alice).post(f"/games/{over.pk}/turns/1/play-on/", seat=1)
    assert page.status == 429
