"""The forms and buttons of a lobby that only its host can use."""

import re
from typing import Any

import pytest

from accounts.models import User
from games.clocks import paces
from games.clocks.clock import PerTurn
from games.clocks.inputs import pace_values
from games.fleet.models import Starship
from games.lobby.seats import set_ready
from games.play import stored
from games.play.models import Game
from tests.games.making import of
from tests.games.reader import Answer, ReaderOf
from tests.games.support import NOW, WORKSHOP, YARD, Table


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby with Alice and Bob, both ready, and one open seat."""
    return table.game(alice, bob, seats=3)


def settings(game: Game, /, **changed: Any) -> dict[str, Any]:
    """Return the form of a game's settings with the given changes. None leaves a field out."""
    given = {
        "ruleset": game.ruleset,
        "starship": game.revision.starship_id,
        "name": game.name,
        "seats": game.seats,
        **pace_values(stored.pace_of(game)),
        "start": "itself",
        "sitters": "on" if game.sitters else None,
        "lives": game.options["lives"],
        "hull_damage": "on" if game.options["hull_damage"] else None,
        "scanners": 0,
        "house_robot_lasers": "on",
        "house_damage_limit": 10,
    }
    return {key: value for key, value in {**given, **changed}.items() if value is not None}


def value_of(page: Answer, name: str) -> str:
    tag = next(tag for tag in re.findall(r"<input[^>]*>", page.html) if f'name="{name}"' in tag)
    found = re.search(r'value="([^"]*)"', tag)
    return found.group(1) if found else ""


def address(game: Game, *parts: object) -> str:
    return game.get_absolute_url() + "".join(f"{part}/" for part in parts)


def ready(game: Game, user: User) -> bool:
    return game.players.get(user=user).ready


def test_a_pace_missing_from_the_form_is_kept(table: Table, alice: User, read: ReaderOf) -> None:
    for pace in (
        {"hours": 30, "at": "07:30", "zone": "Asia/Tokyo"},
        {"bank": 100, "increment": 7},
        {"minutes": 7},
    ):
        lobby = table.game(alice, seats=2, pace=pace)
        page = read(alice).get(address(lobby, "settings"))
        assert page.chosen("pace") == pace_values(stored.pace_of(lobby))["pace"]
        read(alice).post(address(lobby, "settings"), **settings(lobby, name="Renamed"))
        lobby.refresh_from_db()
        assert (lobby.name, stored.pace_of(lobby)) == ("Renamed", paces.read_pace(pace))


def test_everyone_sees_a_change_and_must_be_ready_again(
    lobby: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    page = read(alice).post(address(lobby, "settings"), **settings(lobby, lives=5, pace="48"))
    assert page.address == lobby.get_absolute_url()
    assert "You changed the settings." in page
    lobby.refresh_from_db()
    assert (lobby.options["lives"], stored.pace_of(lobby)) == (5, PerTurn(48))
    assert (ready(lobby, alice), ready(lobby, bob)) == (True, False)
    seen = read(bob).get(lobby.get_absolute_url())
    assert "from 3 to 5" in seen
    assert "Are you ready?" in seen


def test_settings_from_an_outdated_tab_undo_nothing_and_lose_nothing(
    lobby: Game, alice: User, read: ReaderOf
) -> None:
    stale = fresh = value_of(read(alice).get(address(lobby, "settings")), "instead_of")
    read(alice).post(address(lobby, "settings"), **settings(lobby, seats=4, instead_of=fresh))
    looked = read(alice).post(
        address(lobby, "settings"), **settings(lobby, lives=5, instead_of=stale, show="1")
    )
    assert value_of(looked, "instead_of") == stale, "a look at the form is no look at the lobby"
    filled = settings(lobby, lives=5, seats=lobby.seats)
    page = read(alice).post(address(lobby, "settings"), **filled, instead_of=stale)
    assert page.status == 409
    assert "The settings changed after you opened this form." in page
    assert f"Alice changed the number of seats from {lobby.seats} to 4." in page
    assert value_of(page, "lives") == "5"
    changed = Game.objects.get(pk=lobby.pk)
    assert (changed.seats, changed.options["lives"]) == (4, 3)
    filled = settings(changed, lives=5)
    read(alice).post(address(lobby, "settings"), **filled, instead_of=value_of(page, "instead_of"))
    changed.refresh_from_db()
    assert (changed.seats, changed.options["lives"]) == (4, 5)


def test_unchanged_settings_are_no_change(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    read(alice).post(address(lobby, "settings"), **settings(lobby))
    assert ready(lobby, bob)
    assert not lobby.lobby.filter(kind="term").exists()


def test_invalid_settings_are_refused_beside_their_fields(lobby: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(address(lobby, "settings"), **settings(lobby, name="", lives=99, seats="many"))
    assert page.status == 422
    for field in ("name", "lives", "seats"):
        assert f'id="id_{field}_error"' in page.html, field
    lobby.refresh_from_db()
    assert lobby.name == "First flight"


def test_another_ruleset_can_be_chosen(lobby: Game, alice: User, read: ReaderOf) -> None:
    workshop = WORKSHOP.saved()
    page = read(alice).get(f"{address(lobby, 'settings')}?ruleset=amigo-1999")
    assert 'name="ruleset" value="amigo-1999"' in page.html
    assert 'name="seats" value="3"' in page.html, "what both rulesets know is kept"
    assert page.chosen("pace") == "24"
    given = of("amigo-1999", name=lobby.name, seats=3, start="host")
    board = {"board-1": workshop.pk, "column-1": 1, "row-1": 1, "turned-1": 0}
    page = read(alice).post(address(lobby, "settings"), **given, **board)
    assert page.address == lobby.get_absolute_url()
    lobby.refresh_from_db()
    assert (lobby.ruleset, lobby.revision, lobby.starts_itself) == ("amigo-1999", workshop.current, False)


def test_the_host_adds_a_computer(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    set_ready(user=bob, game_id=lobby.pk, ready=False, now=NOW)
    page = read(alice).post(address(lobby, "computers"), strength="ace", look="5")
    seat = lobby.players.get(number=3)
    assert (seat.computer, seat.look, seat.ready) == ("ace", 5, True)
    assert f"{seat.name} computer, Ace" in page
    assert address(lobby, "computers") not in page.actions, "there is no seat left"


def test_the_host_changes_a_computer(table: Table, alice: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=3, computers=["pilot"])
    name = game.players.get(number=2).name
    page = read(alice).get(address(game, "computers", 2))
    assert name in page
    assert (page.chosen("strength"), page.chosen("look")) == ("pilot", "2")
    page = read(alice).post(address(game, "computers", 2), strength="rookie", look="8")
    seat = game.players.get(number=2)
    assert (seat.computer, seat.look) == ("rookie", 8)
    assert page.address == game.get_absolute_url()
    refused = read(alice).post(address(game, "computers", 2), strength="rookie", look="1")
    assert refused.status == 409
    assert 'role="alert"' in refused.html
    assert read(alice).get(address(game, "computers", 1)).status == 404, "that is Alice"


def test_the_host_removes_bob(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    page = read(alice).post(address(lobby, "seats", 2, "remove"))
    assert page.status == 200
    assert "1 of 3 taken" in page
    assert not lobby.players.filter(user=bob).exists()
    gone = read(alice).post(address(lobby, "seats", 2, "remove"))
    assert gone.status == 404
    assert 'role="alert"' in gone.html


def test_the_host_starts_a_game_once_all_are_ready(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, seats=3, starts_itself=False)
    set_ready(user=bob, game_id=game.pk, ready=False, now=NOW)
    page = read(alice).get(game.get_absolute_url())
    assert "Bob is not ready yet." in page
    assert address(game, "start") not in page.actions
    set_ready(user=bob, game_id=game.pk, now=NOW)
    page = read(alice).get(game.get_absolute_url())
    assert "Start without the free seat" in page
    assert address(game, "start") in page.actions
    assert "The game has started." in read(alice).post(address(game, "start"))
    game.refresh_from_db()
    assert (game.status, game.seats) == (Game.Status.RUNNING, 2)


def test_the_host_cancels_a_game(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    folded = read(alice).get(lobby.get_absolute_url()).html.partition("/cancel/")
    assert "</details>" not in folded[0].rpartition("<details")[2], "the button is behind a question"
    assert "Cancel this game for everyone in it?" in folded[2]
    assert 'name="reason"' not in folded[2], "staff alone say why"
    page = read(alice).post(address(lobby, "cancel"))
    assert page.address == "/my-room/"
    assert "You cancelled First flight." in page
    assert "Cancelled" in read(bob).get(lobby.get_absolute_url())


def test_only_the_host_sees_the_host_s_controls(lobby: Game, bob: User, dave: User, read: ReaderOf) -> None:
    for reader in (read(bob), read(dave), read(None)):
        page = reader.get(lobby.get_absolute_url())
        assert address(lobby, "settings") not in page.links
        for part in ("start", "cancel", "computers"):
            assert address(lobby, part) not in page.actions, part


def test_joined_boards_are_shown_in_place(starship: Starship, alice: User, read: ReaderOf) -> None:
    yard = YARD.saved()
    boards = [{"starship": yard.pk, "at": [0, 0]}, {"starship": yard.pk, "at": [1, 0], "turned": 2}]
    game = Table(yard).game(alice, seats=3, ruleset="amigo-1999", boards=boards, checkpoints=[[0, 0], [7, 3]])
    page = read(alice).get(address(game, "settings"))
    assert (page.chosen("board-1"), page.chosen("board-2")) == (str(yard.pk), str(yard.pk))
    assert page.chosen("turned-2") == "2"
    assert 'name="checkpoint-column-2" id="checkpoint-column-2" value="8"' in " ".join(page.html.split())


def test_staff_cancel_a_lobby_with_a_reason(lobby: Game, bob: User, erin: User, read: ReaderOf) -> None:
    page = read(erin).get(lobby.get_absolute_url())
    assert "Cancel the game as staff" in page and 'name="reason"' in page.html
    refused = read(erin).post(address(lobby, "cancel"), reason="")
    assert refused.status == 422 and "Give a reason. Players will read it." in refused
    read(erin).post(address(lobby, "cancel"), reason="It was a mistake.")
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CANCELLED
    seen = read(bob).get(lobby.get_absolute_url())
    assert "Staff cancelled the game." in seen and "It was a mistake." in seen and "Erin" not in seen


def test_staff_who_host_a_lobby_need_no_reason(table: Table, erin: User, read: ReaderOf) -> None:
    lobby = table.game(erin, seats=2)
    assert "as staff" not in read(erin).get(lobby.get_absolute_url())
    assert "You cancelled" in read(erin).post(address(lobby, "cancel"))
