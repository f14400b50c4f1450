"""If a game uses only some checkpoints of its board, no page shows the others."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.fleet import raster
from games.play.models import Game
from tests.games.news.channels.mail.test_mail import mail_to
from tests.games.reader import ReaderOf
from tests.games.support import HALL, WORKSHOP, Table
from tests.support.mailbox import Mailbox


@pytest.fixture
def group(alice: User, bob: User) -> Game:
    """A game in turn 1 that uses only checkpoint 1, on a board with two."""
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="group-11", options={"checkpoints": 1})
    table.play(game, alice, bob)
    return game


def checkpoints(drawing: str) -> list[str]:
    """Return the numbers of the checkpoints in a drawing, without repeats."""
    return sorted(set(re.findall(r'class="checkpoint[^"]*"[^>]*data-number="(\d+)"', drawing)))


def test_a_game_s_board_has_only_the_played_checkpoints(
    group: Game, alice: User, bob: User, client: Client, read: ReaderOf
) -> None:
    for address in ("", "turns/1/"):
        page = read(None).get(f"{group.get_absolute_url()}{address}")
        assert checkpoints(page.html) == ["1"], address
        assert "Checkpoint 2" not in page.html, address
    film = client.get(f"{group.get_absolute_url()}turns/1/film/").json()
    assert checkpoints(film["board"]) == ["1"]
    assert "Checkpoint 2" not in "".join(film["words"])
    whole = Table(group.revision.starship).game(alice, bob, ruleset="group-11")
    assert checkpoints(read(None).get(whole.get_absolute_url()).html) == ["1", "2"]


def goals(drawing: str) -> list[str]:
    """Return the numbers of the checkpoints that are drawn as the goal."""
    return sorted(set(re.findall(r'class="checkpoint \w+ goal"[^>]*data-number="(\d+)"', drawing)))


def test_the_last_played_checkpoint_is_drawn_as_the_goal(
    group: Game, alice: User, bob: User, client: Client, read: ReaderOf
) -> None:
    for address in ("", "turns/1/"):
        assert goals(read(alice).get(f"{group.get_absolute_url()}{address}").html) == ["1"], address
    assert goals(client.get(f"{group.get_absolute_url()}turns/1/film/").json()["board"]) == ["1"]
    whole = Table(group.revision.starship).game(alice, bob, ruleset="group-11")
    assert goals(read(None).get(whole.get_absolute_url()).html) == ["2"]
    arena = Table(HALL.saved()).game(alice, bob, ruleset="robo-arena")
    page = read(None).get(arena.get_absolute_url()).html
    assert checkpoints(page)
    assert not goals(page), "checkpoints decide nothing in Robo Arena"


def test_a_lobby_draws_the_checkpoints_to_be_played(alice: User, read: ReaderOf) -> None:
    game = Table(WORKSHOP.saved()).game(alice, seats=3, ruleset="group-11", options={"checkpoints": 1})
    assert checkpoints(read(alice).get(game.get_absolute_url()).html) == ["1"]


def test_lists_draw_only_the_played_checkpoints(
    group: Game, client: Client, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get("/my-room/").html
    (address,) = set(re.findall(r'src="([^"]*drawings/[^"]*-light\.svg[^"]*)"', page))
    assert checkpoints(client.get(address).content.decode()) == ["1"]
    assert checkpoints(client.get(address.partition("?")[0]).content.decode()) == ["1", "2"]


def test_a_drawing_with_unknown_checkpoints_is_not_found(group: Game, client: Client) -> None:
    address = f"/starships/drawings/{group.revision_id}-light.svg"
    for asked in ("0", "3", "-1", "x", "²", "1 ", "9" * 40):
        assert client.get(address, {"checkpoints": asked}).status_code == 404


def test_emails_draw_only_the_played_checkpoints(
    group: Game, alice: User, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    drawing = raster.draw

    def draw(*args: Any, **more: Any) -> str:
        drawn.append(drawing(*args, **more))
        return drawn[-1]

    monkeypatch.setattr(raster, "draw", draw)
    monkeypatch.setattr(raster, "find_pieces", lambda names: {})
    raster.PICTURES.clear()
    mail_to(alice, group, mailbox, turn=2)
    assert [checkpoints(board) for board in drawn] == [["1"], ["1"]], "the plain one, and the game's own"
