"""The pages to set up a position: the board, the robots' fields, their problems, and the new game."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import rules
from accounts import limits
from accounts.models import User
from games.fleet.models import Starship
from games.lobby import positions
from games.lobby.pages.set_up import Placement
from games.play import lifecycle
from games.play.models import Game
from games.play.services import locked_game
from rules.position import position_at_start, with_setup
from tests.games.reader import Answer, ReaderOf
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, Table
from tests.rules.strategies import RandomGame
from tests.rules.test_position import small_position

ADDRESS = "/games/set-up/"
PLAY = {"play": "1", "seat": 1, "opponents": "computers", "strength": "rookie"}

Sent = dict[str, Any]


def fields_of(page: Answer) -> Sent:
    """Return the values of the fields of a position's page, as a browser sends them."""
    form = page.html.partition("data-set-up")[2].partition("</form>")[0]
    sent: Sent = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        given = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        ticked = given.get("type") not in ("checkbox", "radio") or " checked" in tag
        if "name" in given and ticked:
            sent[given["name"]] = html.unescape(given.get("value", "on"))
    for name, options in re.findall(r'(?s)<select[^>]*name="([^"]+)".*?>(.*?)</select>', form):
        found = re.search(r'value="([^"]*)"[^>]*\bselected', options)
        sent[name] = found.group(1) if found else ""
    del sent["csrfmiddlewaretoken"]
    return sent


@pytest.fixture
def hall() -> int:
    """The ID of a ship in the library."""
    return HALL.saved().pk


@pytest.fixture
def change(read: ReaderOf, alice: User, hall: int) -> Callable[..., Answer]:
    """A function that sends the first page of a position with other values: ``change(robot_1_damage=3)``."""
    reader = read(alice)
    sent = fields_of(reader.get(f"{ADDRESS}?ruleset=robo-runner&starship={hall}&next=1"))

    def send(**fields: Any) -> Answer:
        return reader.post(
            ADDRESS, **sent | {name.replace("_", "-", 2): value for name, value in fields.items()}
        )

    return send


def test_a_ship_and_a_ruleset_lead_to_a_board_with_robots(read: ReaderOf, alice: User, hall: int) -> None:
    page = read(alice).get(ADDRESS)
    assert f'value="{hall}"' in page.html
    page = read(alice).get(f"{ADDRESS}?ruleset=robo-runner&starship={hall}&next=1")
    assert "A game can begin here." in page
    assert page.chosen("robot-2-heading") == "N"
    for missing in ("", "&starship=999", "&starship=x"):
        assert read(alice).get(f"{ADDRESS}?ruleset=robo-runner{missing}&next=1").status == 422


def test_a_game_begins_at_the_position(change: Callable[..., Answer], alice: User, hall: int) -> None:
    values = {"column": 2, "row": 1, "heading": "W", "state": "on", "damage": 4, "lives": 1, "rank": 2}
    sent = {f"robot_1_{name}": value for name, value in values.items()}
    page = change(**sent, robot_2_rank=1, robot_2_state="down", **PLAY)
    game = Game.objects.get(host=alice)
    assert page.address == f"/games/{game.pk}/"
    assert (game.revision.starship_id, game.is_played_on, game.origin) == (hall, True, None)
    robot, other = game.position["robots"]
    assert (robot["at"], robot["heading"], robot["damage"], robot["lives"]) == ([1, 0], "W", 4, 1)
    assert (robot["rank"], other["rank"], other["down"]) == (2, 1, True)


def test_people_at_one_screen_play_the_position(change: Callable[..., Answer], alice: User) -> None:
    screen = PLAY | {"opponents": "screen"}
    assert "Enter the name of at least one other player" in change(**screen)
    assert ">Ben</textarea>" in change(names="Ben").html.replace("\n", "")
    change(**screen, names="Ben")
    game = Game.objects.get(host=alice)
    assert [seat.robo_name for seat in game.players.all()] == ["Alice", "Ben"]
    assert game.is_on_one_screen


def test_a_robot_without_a_cell_in_a_document_gets_neighbours(alice: User) -> None:
    document = small_position()
    document["robots"][0] = {"away": True}
    bigger = positions.reshaped_position(document, seats=4, options={}, house_rules={})
    assert len(bigger["robots"]) == 4


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"robot_2_column": 99}, "Robot 2. Column: Ensure this value is less than or equal to 8"),
        ({"robot_2_row": ""}, "Robot 2. Row: Enter a column and a row."),
        ({"robot_2_column": "", "robot_2_row": ""}, "Robot 2 must be on the board"),
        ({"robot_2_lives": 0}, "lives” of robot 2 must be a whole number from 1 to 9"),
        ({"robot_2_rank": 1}, "Each robot in the game needs a different rank"),
        ({"robot_2_state": "out"}, "too few robots are left"),
        ({"robots": 7777}, "Select a valid choice"),
    ],
)
def test_a_position_that_no_game_can_have_is_refused_beside_its_robot(
    change: Callable[..., Answer], fields: Sent, reason: str
) -> None:
    page = change(**fields, **PLAY)
    assert page.status == 422
    assert reason in page
    assert not Game.objects.exists()
    assert change(**fields).status == 200


def test_robots_share_a_cell_only_if_one_is_virtual(change: Callable[..., Answer]) -> None:
    cell = {"robot_1_column": 2, "robot_1_row": 1, "robot_2_column": 2, "robot_2_row": 1}
    both = "Robots 1 and 2 are both real and in one cell"
    assert both in change(**cell, robot_1_state="on", robot_2_state="on")
    assert both not in change(**cell, robot_1_state="on", robot_2_state="virtual")


def test_robots_options_and_scanners_are_added_and_taken_away(change: Callable[..., Answer]) -> None:
    page = change(**{"robots": 4, "option-scanners": 1, "option-equipment": "on"}, robot_1_damage=2)
    assert "A game can begin here." in page
    sent = fields_of(page)
    assert [sent[f"robot-{number}-rank"] for number in range(1, 6)] == ["1", "2", "3", "4", "5"]
    assert (sent["robot-1-damage"], sent["robot-1-equipment"]) == ("2", "")
    assert "robot-5-lives" not in sent
    again = json.loads(sent["position"])
    smaller = positions.reshaped_position(again, seats=2, options={}, house_rules={})
    assert len(smaller["robots"]) == 2
    assert smaller["robots"] == again["robots"][:2]


def test_other_damage_draws_the_locked_registers_again() -> None:
    document = small_position()
    document["robots"][0] |= {"damage": 5, "locked": {"5": 10}}
    document["robots"][1] |= {"damage": 5, "locked": {"5": None}}
    written = positions.written_position(positions.beginning_at(document=document))
    first, second = Placement(written).pieces
    assert first.item["locked"] == {"5": 10}
    assert "links" not in written
    for form, damage in ((first, 5), (second, 6)):
        form.cleaned_data = {**form.initial, "state": form.state, "damage": damage, "equipment": ""}
    assert first.changed["locked"] == {"5": 10}
    assert "locked" not in second.changed


def test_a_turn_and_a_document_can_be_changed(
    table: Table, dealt: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    table.play(dealt, alice, bob)
    address = f"{ADDRESS}?game={dealt.pk}&turn=1"
    assert "once it is over" in read(alice).get(address)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    links = read(dave).get(f"/games/{dealt.pk}/turns/1/play-on/").links
    assert address in links
    assert not any(
        link.startswith(ADDRESS) for link in read(None).get(f"/games/{dealt.pk}/turns/1/play-on/").links
    )
    sent = fields_of(read(dave).get(address))
    assert sent["starship"] == str(dealt.revision.starship_id)
    read(dave).post(ADDRESS, **sent | {"robot-1-damage": 3} | PLAY)
    game = Game.objects.get(host=dave)
    assert (game.position["robots"][0]["damage"], game.origin, game.revision) == (3, None, dealt.revision)
    Game.objects.filter(pk=dealt.pk).update(private=True)
    for hidden in (address, f"{ADDRESS}?game=x&turn=1", f"{ADDRESS}?game={dealt.pk}&turn=9"):
        assert read(dave).get(hidden).status == 404
    text = json.dumps(small_position())
    page = read(dave).post("/games/load/", text=text, change="1", opponents="computers", strength="rookie")
    assert "A game can begin here." in page
    assert page.chosen("robot-2-heading") == "W"


def test_each_ruleset_has_its_fields(read: ReaderOf, alice: User) -> None:
    for board, key, there, missing in (
        (DUCTS, "robo-recon", ("robot-1-squad", "crystal-column"), ("robot-1-model", "robot-1-next")),
        (WORKSHOP, "amigo-1999", ("robot-1-next",), ("robot-1-rank", "robot-1-squad")),
        (HALL, "robo-arena", ("robot-1-rank",), ("robot-1-next", "crystal-column")),
    ):
        ship = board.saved()
        page = read(alice).get(f"{ADDRESS}?ruleset={key}&starship={ship.pk}&next=1")
        assert "A game can begin here." in page, (key, page.text)
        sent = fields_of(page)
        assert sent.keys() >= set(there)
        assert not sent.keys() & set(missing)


def test_unequal_squads_are_refused(read: ReaderOf, alice: User) -> None:
    ship = DUCTS.saved()
    sent = fields_of(read(alice).get(f"{ADDRESS}?ruleset=robo-recon&starship={ship.pk}&next=1"))
    page = read(alice).post(ADDRESS, **sent | {"robot-2-squad": sent["robot-1-squad"]} | PLAY)
    assert page.status == 422
    assert "The squads must be the same size" in page


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "position/1"}', '{"format": "starship/1"}'])
def test_a_spoilt_document_begins_again(read: ReaderOf, alice: User, text: str) -> None:
    page = read(alice).post(ADDRESS, position=text)
    assert page.address == ADDRESS
    assert "cannot be read" in page


def test_any_values_in_a_document_give_a_page(read: ReaderOf, alice: User) -> None:
    keys = ("at", "heading", "damage", "lives", "next", "rank", "archive", "equipment", "out", "scanner")
    for value in (-1, "x", [1], {"a": 1}, 10**30):
        document = small_position()
        document["robots"][0] |= dict.fromkeys(keys[: -2 if isinstance(value, int) else None], value)
        document |= {"hull": value, "crystal": value}
        for more in ({}, {"robots": 3}):
            page = read(alice).post(ADDRESS, position=json.dumps(document), **PLAY, **more)
            assert (page.status == 422 and "before a game can begin" in page) or "cannot be read" in page


def test_a_ship_that_was_taken_down_has_no_new_games(
    change: Callable[..., Answer], read: ReaderOf, alice: User, hall: int
) -> None:
    Starship.objects.filter(pk=hall).update(taken_down_at=NOW)
    assert change(**PLAY).status == 410


def test_only_new_games_count_against_the_limit_a_day(
    change: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "consume", lambda limit, *_: 60 if limit is limits.PLAYED_ON else 0)
    assert change(robot_1_damage=1).status == 200
    assert change(**PLAY).status == 429


def test_guests_and_strangers_need_an_account(read: ReaderOf) -> None:
    assert read(None).get(ADDRESS).address.startswith("/accounts/login/")


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_new_position_of_each_ruleset_can_begin(key: str) -> None:
    for seed in range(5):
        game = RandomGame(seed, key)
        seats = len([*game.state.players])
        document = with_setup(game.setup, position_at_start(game.setup, seats))
        beginning = positions.beginning_at(document=document)
        assert [robot.heading for robot in beginning.state.players] == [0] * seats
