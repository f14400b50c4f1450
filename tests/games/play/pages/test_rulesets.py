"""Every ruleset on the pages: panel, game and lobby."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.lobby.seats import join_game
from games.play import stored
from games.play.models import Game, Hand, Program
from games.play.pages.crew import PIECES
from tests.games.reader import Reader, ReaderOf
from tests.games.support import (
    DUCTS,
    HALL,
    NOW,
    WORKSHOP,
    YARD,
    Table,
    change_robot,
    chips,
    hand_of,
    orders_for,
    program,
)


def make(board: Any, key: str, *players: User, **more: Any) -> tuple[Game, Table]:
    table = Table(board.saved())
    return table.game(*players, ruleset=key, **more), table


def send(reader: Reader, game: Game, **fields: Any) -> str:
    """Submit orders for the open turn. Return the text of the next page."""
    return reader.post(f"{game.get_absolute_url()}turns/{game.turn}/orders/", **fields).text


def ordered(game: Game, player: User) -> dict[str, Any]:
    orders: dict[str, Any] = Program.objects.get(hand=hand_of(game, player)).orders
    return orders


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_game_of_each_ruleset_is_shown_from_the_start_through_several_turns(
    key: str, alice: User, bob: User, read: ReaderOf
) -> None:
    boards = {"robo-recon": DUCTS, "group-11": WORKSHOP, "websocket": WORKSHOP}
    game, table = make(boards.get(key, HALL), key, alice, bob)
    edition = rules.ruleset(key)
    for turn in range(2):
        page = read(alice).get(game.get_absolute_url())
        assert page.status == 200
        assert edition.name in page
        assert ("Reboot" in page) is (turn > 0 and key in ("robo-runner", "robo-recon", "robo-arena"))
        assert "power crystal not ready" not in page
        if turn > 0:
            assert ("chip-number" in page.html) is (", number" in page.html) is not edition.ranks
        number = game.turn
        table.play(game, alice, bob)
        past = read(None).get(f"{game.get_absolute_url()}turns/{number}/")
        assert past.status == 200
        assert "Alice" in past
    assert read(None).get(f"{game.get_absolute_url()}rulebook/").status == 200


@pytest.fixture
def hall_game(alice: User, bob: User) -> Game:
    """A game of Alice and Bob by Robo Rally 1999 with power down, in turn 1."""
    return make(WORKSHOP, "amigo-1999", alice, bob, options={"power_down": True})[0]


def test_the_first_chip_of_the_boxed_game_must_move(hall_game: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(hall_game.get_absolute_url())
    assert "Your first chip must move your robot" in page
    assert "Which way does your robot face at the start?" in page
    assert "Alice not placed yet" in page
    assert "It enters the board on checkpoint 1 in phase 1 of this turn." in page.html
    assert "comes back before the next turn" not in page.html
    turning = [chip.number for chip in stored.chips_of(hand_of(hall_game, alice)) if chip.kind in "LRU"]
    rest = [number for number in chips(hall_game, alice) if number not in turning[:1]]
    said = send(read(alice), hall_game, **program(*turning[:1], *rest[:4]))
    assert "Register 1 needs a chip that moves your robot." in said


def test_the_respawn_cell_is_chosen_in_words(hall_game: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(hall_game.get_absolute_url())
    assert "west: column 7, row 1" in page  # next to checkpoint 1, at column 8, row 1
    assert "east of it" not in page  # the board ends there
    orders = orders_for(hall_game, alice)
    send(read(alice), hall_game, **program(*orders["registers"]), place="6,0")
    assert ordered(hall_game, alice)["place"] == [6, 0]
    assert read(alice).get(hall_game.get_absolute_url()).chosen("place") == "6,0"
    said = send(read(alice), hall_game, **program(*orders["registers"]), place="0,7")
    assert "A robot cannot come back at column" in said


def test_registers_to_unlock_are_chosen_among_the_locked_ones(
    hall_game: Game, alice: User, read: ReaderOf
) -> None:
    assert "Unlock first" not in read(alice).get(hall_game.get_absolute_url())
    locked = [None, None, None, "2@700", "L@90"]
    change_robot(hall_game, alice, damage=6, locked=[3, 4], registers=locked)
    page = read(alice).get(hall_game.get_absolute_url())
    assert "Unlock first" in page
    assert page.html.count('name="unlock"') == 2
    orders = orders_for(hall_game, alice)
    send(read(alice), hall_game, **program(*orders["registers"][:3]), unlock=["5"])
    assert ordered(hall_game, alice)["unlock"] == [5]


def test_a_player_decides_before_seeing_a_face_down_hand(
    hall_game: Game, alice: User, read: ReaderOf
) -> None:
    change_robot(hall_game, alice, was_down=True, returned=False)
    hand = Hand.objects.get(turn__game=hall_game, seat__user=alice)
    hand.face_down = True
    hand.save()
    page = read(alice).get(hall_game.get_absolute_url())
    assert "Stay off or switch on?" in page
    assert page.html.count("chip-back") == 9
    assert 'name="register-1"' not in page.html
    refused = send(read(alice), hall_game, heading="N")
    assert "Order it to stay off, or switch it on to see your hand." in refused
    assert "Your orders for turn 1 are in." in send(read(alice), hall_game, stay_down="1")
    assert ordered(hall_game, alice) == {"format": "orders/1", "stay_down": True}
    page = read(alice).get(hall_game.get_absolute_url())
    assert "Your robot stays off" in page
    assert "wake/" not in page.html


def test_in_games_of_version_1_a_robot_that_is_off_may_stay_off(
    hall_game: Game, alice: User, read: ReaderOf
) -> None:
    Game.objects.filter(pk=hall_game.pk).update(version=1)
    change_robot(hall_game, alice, down=True, returned=False)
    page = read(alice).get(hall_game.get_absolute_url())
    assert "Stay off?" in page
    assert "Your robot is off this turn" in page
    assert 'name="register-1"' not in page.html
    assert 'name="power_down"' not in page.html
    assert "Your orders for turn 1 are in." in send(read(alice), hall_game, stay_down="on")
    assert ordered(hall_game, alice)["stay_down"] is True
    assert "Your orders for turn 1 are in." in send(read(alice), hall_game)
    assert "stay_down" not in ordered(hall_game, alice)


def test_orders_missing_in_a_ruleset_are_not_offered(alice: User, bob: User, read: ReaderOf) -> None:
    game, _ = make(WORKSHOP, "amigo-1999", alice, bob)  # without the variant
    page = read(alice).get(game.get_absolute_url())
    assert 'name="power_down"' not in page.html
    game, _ = make(YARD_WITH_STARTS, "websocket", alice, bob)
    page = read(alice).get(game.get_absolute_url())
    assert "Power down afterwards" in page
    for name in ("place", "unlock", "stay_down", "engaged"):
        assert f'name="{name}"' not in page.html, name


YARD_WITH_STARTS = type(YARD)("Start yard", ("a1 a2 . .", ". . . .+i1", ". . . .+i2"))


@pytest.fixture
def models(alice: User, bob: User, carol: User) -> Game:
    """A game where Alice plays Albot, Bob LazyBot and Carol Peach."""
    table = Table(WORKSHOP.saved())
    game = table.game(alice, seats=3, ruleset="group-11", model="albot", options={"programming_aid": False})
    for player, model in ((bob, "lazybot"), (carol, "peach")):
        join_game(user=player, game_id=game.pk, model=model, now=NOW)
    game.refresh_from_db()
    return game


def test_albot_redraws_its_hand_once(models: Game, alice: User, carol: User, read: ReaderOf) -> None:
    address = f"{models.get_absolute_url()}turns/1/redeal/"
    assert f'formaction="{address}"' in read(alice).get(models.get_absolute_url()).html
    assert address not in read(carol).get(models.get_absolute_url()).html
    before = chips(models, alice)
    page = read(alice).post(address, heading="W", register_1=before[0])
    assert "You have redrawn your hand." in page
    assert chips(models, alice) != before
    assert address not in page.html
    assert page.chosen("heading") == "W"
    assert page.chosen("register-1") == ""
    assert read(alice).post(address).status == 409
    refused = read(carol).post(address)
    assert refused.status == 409
    assert "The rules do not allow you to redraw this hand." in refused


def test_lazybot_pauses_in_one_register(models: Game, alice: User, bob: User, read: ReaderOf) -> None:
    page = read(bob).get(models.get_absolute_url())
    assert 'data-chip="P"' in page.html
    assert 'data-chip="P"' not in read(alice).get(models.get_absolute_url()).html
    hand = chips(models, bob)
    said = send(read(bob), models, **program("P", "P", *hand[:3]))
    assert "LazyBot can pause in only one register a turn." in said
    send(read(bob), models, **program(hand[0], "P", *hand[1:4]))
    assert ordered(models, bob)["registers"] == [hand[0], "P", *hand[1:4]]
    assert read(bob).get(models.get_absolute_url()).chosen("register-2") == "P"


def test_the_crew_shows_models_and_terms_in_words(models: Game, read: ReaderOf) -> None:
    page = read(None).get(models.get_absolute_url())
    assert "Alice not ready Albot next 1 of 2 3 spare lives" in page
    assert "Bob not ready LazyBot" in page
    assert "Played with 3 spare lives" in page
    assert "programming aid" not in page
    assert rules.MODELS["albot"] in page.html
    assert "what equipment it has" not in page.html


def test_without_programming_aid_there_is_no_preview(models: Game, alice: User, read: ReaderOf) -> None:
    assert "Preview" not in read(alice).get(models.get_absolute_url())
    page = read(alice).post(f"{models.get_absolute_url()}turns/1/preview/", **program("", "", "", "", ""))
    assert page.status == 403
    assert "This game has no programming aid" in page


def test_a_finished_robot_s_player_reads_this_instead_of_the_panel(
    alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game, _ = make(YARD_WITH_STARTS, "factory-1999", alice, bob, carol)
    change_robot(game, alice, cell=None, place=1, returned=False)
    hand_of(game, alice).delete()  # a finished robot gets no chips
    page = read(alice).get(game.get_absolute_url())
    assert "Your robot has finished and left the board." in page
    assert "Alice first" in page
    assert 'id="panel"' not in page.html


@pytest.fixture
def squads(alice: User, bob: User) -> tuple[Game, Table]:
    return make(DUCTS, "robo-recon", alice, bob)


def test_the_crystal_is_on_the_board_but_not_in_the_crew(
    squads: tuple[Game, Table], alice: User, bob: User, read: ReaderOf
) -> None:
    game, table = squads
    table.play(game, alice, bob)
    page = read(None).get(game.get_absolute_url())
    assert 'class="crystal"' in page.html
    assert 'data-robot="power crystal"' not in page.html
    assert 'data-mate="power crystal"' not in page.html
    assert "The power crystal arrives at" in page
    assert "Alice red virtual" in page
    assert "next 1" not in page


def test_a_squad_wins(squads: tuple[Game, Table], alice: User, read: ReaderOf) -> None:
    game, _ = squads
    Game.objects.filter(pk=game.pk).update(status="over", winner="red", ended_at=NOW)
    assert "won by the red squad" in read(alice).get("/my-room/")


def test_a_squad_is_chosen_and_changed_in_the_lobby(
    alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = Table(DUCTS.saved()).game(alice, seats=4, ruleset="robo-recon")
    address = game.get_absolute_url()
    page = read(bob).get(address)
    assert "Red squad Alice , 1 free Blue squad 2 free" in page
    assert page.chosen("squad") == "red"
    read(bob).post(f"{address}join/", squad="red")
    assert "Red squad Alice, Bob Blue squad 2 free" in read(None).get(address)
    assert 'value="red"' not in read(carol).get(address).html  # the squad is full
    refused = read(carol).post(f"{address}join/", squad="red")
    assert refused.status == 409
    assert "The red squad is full." in refused
    page = read(bob).post(f"{address}seat/", squad="blue")
    assert "You changed your robot." in page
    assert "Red squad Alice , 1 free Blue squad Bob , 1 free" in page
    assert read(carol).post(f"{address}seat/", squad="red").status == 403


def test_a_model_is_chosen_and_changed_in_the_lobby(alice: User, bob: User, read: ReaderOf) -> None:
    game = Table(WORKSHOP.saved()).game(alice, seats=3, ruleset="group-11", model="tanky")
    address = game.get_absolute_url()
    page = read(bob).get(address)
    for sentence in rules.MODELS.values():
        assert sentence in page
    assert page.chosen("model") == "james-bot"  # the first free one
    read(bob).post(f"{address}join/", model="peach")
    assert "Bob ready Peach" in read(None).get(address)
    read(bob).post(f"{address}seat/", model="albot")
    assert "Bob ready Albot" in read(None).get(address)


def test_a_starship_lists_suitable_rulesets_and_reasons_against_the_others(db: None, read: ReaderOf) -> None:
    ship = DUCTS.saved()
    page = read(None).get(f"/starships/{ship.pk}/")
    assert "Suits Robo Recon" in page
    assert f"/games/new/?ruleset=robo-recon&starship={ship.pk}" in page.links
    assert "Web Rally does not have this element" in page
    assert f"/starships/{ship.pk}/fly/" not in page.actions  # not for solo games


def test_a_solo_game_uses_a_ruleset_that_suits_the_starship(alice: User, read: ReaderOf) -> None:
    ship = YARD_WITH_STARTS.saved()
    read(alice).post(f"/starships/{ship.pk}/fly/")
    assert Game.objects.get().ruleset == "websocket"
    refused = read(alice).post(f"/starships/{DUCTS.saved().pk}/fly/")
    assert refused.status == 422
    assert Game.objects.count() == 1


def test_the_text_about_the_deadline_matches_the_game() -> None:
    assert "chance fills" not in str(PIECES["deadline"])
