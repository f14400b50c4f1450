"""The pages of standing orders, and explanations of missed turns on game pages."""

import pytest

from accounts.models import User
from games.lobby.invitations import invite
from games.play.models import Game
from games.play.resolution import resolve_turn
from tests.games.reader import Reader, ReaderOf
from tests.games.support import NOW, Table, later, open_turn


@pytest.fixture
def bobs(read: ReaderOf, bob: User) -> Reader:
    return read(bob)


@pytest.fixture
def duel(table: Table, alice: User, bob: User) -> Game:
    """A game of two in turn 1. Standing orders are played, and one missed turn is excused."""
    game = table.game(alice, bob, absence={"policy": "standing", "excused": 1})
    table.play(game, alice, bob)
    return game


def test_standing_orders_for_all_games_are_saved(bobs: Reader, bob: User) -> None:
    assert "chips that move forward fill the empty registers" in bobs.get("/settings/standing/")
    assert "Your standing orders are saved." in bobs.post("/settings/standing/", standing="ahead")
    bob.refresh_from_db()
    assert bob.standing == "ahead"


def test_standing_orders_can_differ_in_one_game(bobs: Reader, duel: Game, bob: User) -> None:
    page = bobs.get(f"/games/{duel.pk}/standing/")
    assert "If they miss more than 1 turn, a computer replaces them." in page
    assert "You can miss 1 more turn and keep your seat." in page
    bobs.post(f"/games/{duel.pk}/standing/", standing="down")
    assert duel.players.get(user=bob).standing == "down"
    answer = bobs.post(f"/games/{duel.pk}/standing/", standing="sideways")
    assert (answer.status, "my draft, straight ahead or power down" in answer) == (422, True)
    bobs.post(f"/games/{duel.pk}/standing/", standing="")
    assert duel.players.get(user=bob).standing == ""


def test_the_page_says_if_standing_orders_have_no_effect(
    bobs: Reader, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    page = bobs.get(f"/games/{game.pk}/standing/")
    assert "This game has no standing orders, and drafts are not played." in page
    endless = table.game(alice, bob, pace=None, absence={"policy": "standing"})
    assert "you cannot miss a turn" in bobs.get(f"/games/{endless.pk}/standing/")


def test_the_panel_names_the_standing_orders_in_effect(
    bobs: Reader, duel: Game, table: Table, bob: User
) -> None:
    assert "your standing orders are played: “My draft”" in bobs.get(f"/games/{duel.pk}/")
    table.move(duel, bob)
    assert "your standing orders are played" not in bobs.get(f"/games/{duel.pk}/")


def test_terms_explain_missed_turns_before_a_player_joins(
    read: ReaderOf, table: Table, alice: User, dave: User
) -> None:
    game = table.game(alice, seats=2, absence={"policy": "computer", "excused": 2})
    said = "If a player misses a turn, a computer plays it. If they miss more than 2 turns"
    for reader in (dave, None):
        page = read(reader).get(f"/games/{game.pk}/")
        assert page.text.count(f"a turn. {said}") == 1  # before joining
        assert said in page.text.replace(f"a turn. {said}", "")  # in the list of all terms
    invite(user=alice, game_id=game.pk, robo_name=dave.robo_name, now=NOW)
    assert said in read(dave).get("/my-room/")


def test_the_log_names_the_standing_orders_that_were_played(
    bobs: Reader, read: ReaderOf, table: Table, duel: Game, alice: User
) -> None:
    table.move(duel, alice)
    turn = open_turn(duel)
    resolve_turn(turn_id=turn.pk, now=later(hours=25))
    page = bobs.get(f"/games/{duel.pk}/")
    assert "Bob ran out of time: standing orders were played." in page
    assert "You missed turn 1: your standing orders were played. If you miss another" in page
    assert "You missed turn 1" not in read(alice).get(f"/games/{duel.pk}/")


def test_a_game_is_created_with_a_policy_on_missed_turns(read: ReaderOf, table: Table, alice: User) -> None:
    alices = read(alice)
    given = {
        "ruleset": "robo-runner",
        "starship": table.starship.pk,
        "name": "First flight",
        "seats": "2",
        "pace": "24",
        "lives": "3",
        "scanners": "0",
        "house_robot_lasers": "on",
        "house_damage_limit": "10",
        "house_locked_registers": "on",
    }
    for policy, excused, kept in (("give-up", "3", 0), ("standing", "any", None), ("random", "2", 2)):
        assert alices.post("/games/new/", **given | {"absence": policy, "excused": excused}).status == 200
        absence = Game.objects.latest("pk").absence
        assert absence == {"format": "absence/1", "policy": policy, "excused": kept}
    assert alices.post("/games/new/", **given | {"absence": "mercy"}).status == 422
    assert Game.objects.count() == 3
