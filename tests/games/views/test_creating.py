"""Making a game."""

import re
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import rules
from accounts.models import User
from games import services, stored
from games.clock import Bank, Daily, PerTurn
from games.models import Game, Starship
from tests.games.support import DUCTS, LANE, WORKSHOP, YARD, Board
from tests.games.views.reader import Answer, ReaderOf

ADDRESS = "/games/new/"


def fields(ship: Starship, /, **changed: Any) -> dict[str, Any]:
    """What the form sends for a game of two, with changes; None leaves a field out."""
    given = {
        "starship": ship.pk,
        "name": "Maiden voyage",
        "seats": 2,
        "pace": "24",
        "lives": 3,
        "scanners": 0,
        "house_robot_lasers": "on",
        "house_damage_limit": 10,
    }
    return {key: value for key, value in {**given, **changed}.items() if value is not None}


def beside(page: Answer, field: str) -> str:
    """The errors beside a field."""
    return Answer(0, page.html.partition(f'id="id_{field}_error"')[2].partition("</ul>")[0], "").text.strip(
        " >"
    )


def test_making_a_game_takes_an_account(starship: Starship, read: ReaderOf) -> None:
    assert read(None).get(ADDRESS).address == f"/accounts/login/?next={ADDRESS}"


def test_the_form_has_a_sentence_on_each_option(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(ADDRESS)
    for option in rules.ruleset("robo-runner").options:
        assert option.text in page, option.key


def test_a_game_is_made_as_it_was_asked_for(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        ADDRESS, **fields(starship, seats=3, lives=5, scanners=2, equipment="on", pace="72", private="on")
    )
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert game.options == {"lives": 5, "hull_damage": False, "scanners": 2, "equipment": True}
    assert (game.name, game.seats, stored.pace_of(game), game.private) == (
        "Maiden voyage",
        3,
        PerTurn(72),
        True,
    )
    assert "Give its link to those who shall join" in page


def test_a_game_may_have_no_time_limit(starship: Starship, alice: User, read: ReaderOf) -> None:
    read(alice).post(ADDRESS, **fields(starship, pace="0"))
    assert stored.pace_of(Game.objects.get()) is None


def test_turns_may_end_at_a_time_of_day(starship: Starship, alice: User, read: ReaderOf) -> None:
    alice.time_zone = "Europe/Berlin"
    alice.save()
    assert read(alice).get(ADDRESS).chosen("zone") == "Europe/Berlin"
    page = read(alice).post(ADDRESS, **fields(starship, at="20:00", zone="Europe/Berlin"))
    game = Game.objects.get()
    assert stored.pace_of(game) == PerTurn(24, Daily(time(20), ZoneInfo("Europe/Berlin")))
    assert "daily at 20:00 (Europe/Berlin)" in page
    assert "daily at 20:00 (Europe/Berlin)" in read(None).get("/room/")


def test_players_may_have_a_bank_of_time(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, pace="72+12", at="", zone="UTC"))
    assert stored.pace_of(Game.objects.get()) == Bank(72, 12)
    assert "3 days in the bank, and 12 hours more each turn" in page


def test_who_thinks_of_joining_sees_what_happens_when_time_is_up(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(ADDRESS, **fields(starship))
    assert "chance fills the registers that are still empty" in read(None).get(page.address)
    page = read(alice).post(ADDRESS, **fields(starship, pace="0"))
    assert "chance fills the registers that are still empty" not in read(None).get(page.address)


def test_a_game_for_one_starts_at_once(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, seats=1))
    assert Game.objects.get().status == Game.Status.RUNNING
    assert "Your robot is ready to start." in page


def test_the_starship_one_came_from_is_chosen_already(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(f"{ADDRESS}?starship={starship.pk}")
    assert page.chosen("starship") == str(starship.pk)
    assert read(alice).get(f"{ADDRESS}?starship=nonsense").chosen("starship") == ""


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("starship", None, "Choose a starship."),
        ("starship", "999", "There is no such starship to play on."),
        ("starship", "x", "There is no such starship to play on."),
        ("name", " ", "The game needs a name."),
        ("name", "x" * 81, "at most 80 characters"),
        ("name", "tab\there", "cannot be printed"),
        ("seats", "0", "greater than or equal to 1"),
        ("seats", "9", "less than or equal to 8"),
        ("seats", "many", "whole number"),
        ("lives", "0", "greater than or equal to 1"),
        ("lives", None, "required"),
        ("scanners", "5", "less than or equal to 4"),
        ("pace", "7", "valid choice"),
        ("pace", "soon", "valid choice"),
        ("at", "soon", "Say a time of day, such as 20:00"),
        ("zone", "Europe/Atlantis", "Choose a time zone."),
    ],
)
def test_what_does_not_fit_is_told_beside_its_field(
    field: str, value: str | None, reason: str, starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, private="on", **{field: value}))
    assert page.status == 422
    assert reason in beside(page, field)
    assert page.chosen("private") == "on"  # what was entered is still there
    assert not Game.objects.exists()


@pytest.mark.parametrize("pace", ["0", "12", "72+12"])
def test_a_time_of_day_that_does_not_go_with_the_pace_is_refused_beside_it(
    pace: str, starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, pace=pace, at="20:00", zone="UTC"))
    assert page.status == 422
    assert "A time of day goes with one day or more" in beside(page, "at")
    assert 'value="20:00"' in page.html


def test_a_starship_that_is_retired_meanwhile_is_refused(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    LANE.saved()
    services.retire_starship(starship_id=starship.pk)
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert beside(page, "starship") == "There is no such starship to play on."
    assert not Game.objects.exists()


def test_a_starship_that_is_retired_in_the_same_instant_is_refused(
    starship: Starship, alice: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = services.create_game

    def too_late(**given: Any) -> Game:
        services.retire_starship(starship_id=starship.pk)
        return create(**given)

    monkeypatch.setattr("games.views.creating.services.create_game", too_late)
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert beside(page, "starship") == "There is no such starship to play on."


def test_a_starship_that_does_not_suit_is_refused_with_the_reason(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    yard = YARD.saved()
    page = read(alice).get(ADDRESS)
    assert f'name="starship" value="{yard.pk}"' not in page.html
    assert "1 starship does not suit Robo Runner" in page
    assert "Yard Robo Runner knows no crusher, which is in column 3, row 2." in page
    page = read(alice).post(ADDRESS, **fields(yard))
    assert page.status == 422
    assert "Robo Runner knows no crusher" in beside(page, "starship")
    assert not Game.objects.exists()


def test_a_dock_without_starships_says_so(alice: User, read: ReaderOf) -> None:
    assert "The dock is empty" in read(alice).get(ADDRESS)


# --- Rulesets -----------------------------------------------------------------------------------------------


def of(key: str, /, **changed: Any) -> dict[str, Any]:
    """What the form sends for a game of two of a ruleset, all options and house rules by the book."""
    edition = rules.ruleset(key)
    given: dict[str, Any] = {"ruleset": key, "name": "Maiden voyage", "seats": 2, "pace": "24"}
    for prefix, choices in (("", edition.options), ("house_", edition.house_rules)):
        for choice in choices:
            value = ("on" if choice.default else None) if choice.yes_or_no else choice.default
            given[prefix + choice.key] = value
    return {name: value for name, value in {**given, **changed}.items() if value is not None}


@pytest.mark.parametrize("key", rules.RULESETS)
def test_each_ruleset_has_its_sentence_its_options_and_its_house_rules(
    key: str, starship: Starship, alice: User, read: ReaderOf
) -> None:
    for board in (DUCTS, WORKSHOP, YARD):
        board.saved()
    page = read(alice).get(f"{ADDRESS}?ruleset={key}")
    edition = rules.ruleset(key)
    for each in rules.RULESETS.values():
        assert each.summary.replace("'", "’") in page.text.replace("'", "’")
        assert f"{ADDRESS}?ruleset={each.key}" in page.links
    for option in (*edition.options, *edition.house_rules):
        assert option.text.replace("'", "’") in page.text.replace("'", "’"), option.key
    for model in edition.models:
        assert rules.MODELS[model] in page
    assert ("The red squad" in page) is bool(edition.squads)
    assert f"/rulebook/{key}/" in page.links


def test_there_is_no_such_ruleset(starship: Starship, alice: User, read: ReaderOf) -> None:
    for page in (
        read(alice).get(f"{ADDRESS}?ruleset=ludo"),
        read(alice).post(ADDRESS, **{**fields(starship), "ruleset": "ludo"}),
    ):
        assert page.status == 422
        assert "There is no ruleset “ludo”." in page
    assert not Game.objects.exists()


def test_a_starship_brings_the_ruleset_that_it_suits(alice: User, read: ReaderOf) -> None:
    workshop, yard = WORKSHOP.saved(), YARD.saved()
    page = read(alice).get(f"{ADDRESS}?starship={workshop.pk}")
    assert 'name="ruleset" value="websocket"' in page.html  # the one for which it has start cells
    assert page.chosen("starship") == str(workshop.pk)
    page = read(alice).get(f"{ADDRESS}?ruleset=amigo-1999&starship={yard.pk}")
    assert page.chosen("board-1") == str(yard.pk)


def test_house_rules_are_kept_and_odd_ones_refused(starship: Starship, alice: User, read: ReaderOf) -> None:
    given = of("robo-runner", starship=starship.pk, house_robot_lasers=None, house_damage_limit=6)
    read(alice).post(ADDRESS, **given)
    assert Game.objects.get().house_rules == {
        "robot_lasers": False,
        "piercing_lasers": False,
        "shared_deck": False,
        "damage_limit": 6,
    }
    page = read(alice).post(ADDRESS, **{**given, "house_damage_limit": 40})
    assert page.status == 422
    assert "less than or equal to 15" in beside(page, "house_damage_limit")
    assert re.search(r"<details[^>]* open>\s*<summary>House rules", page.html)


def test_squads_have_to_be_of_equal_size(alice: User, read: ReaderOf) -> None:
    ducts = DUCTS.saved()
    page = read(alice).post(ADDRESS, **of("robo-recon", starship=ducts.pk, seats=3, squad="blue"))
    assert page.status == 422
    assert "3 players cannot make 2 squads of equal size" in beside(page, "seats")
    assert page.chosen("squad") == "blue"
    read(alice).post(ADDRESS, **of("robo-recon", starship=ducts.pk, seats=4, squad="blue"))
    assert Game.objects.get().players.get().squad == "blue"


def test_a_model_is_chosen(alice: User, read: ReaderOf) -> None:
    workshop = WORKSHOP.saved()
    read(alice).post(ADDRESS, **of("group-11", starship=workshop.pk, model="peach", programming_aid=None))
    game = Game.objects.get()
    assert game.players.get().model == "peach"
    assert game.options["programming_aid"] is False
    page = read(alice).post(ADDRESS, **of("group-11", starship=workshop.pk, model="hal"))
    assert "Choose one of Tanky" in beside(page, "model")


def test_more_checkpoints_than_there_are_cannot_be_played(alice: User, read: ReaderOf) -> None:
    page = read(alice).post(ADDRESS, **of("group-11", starship=WORKSHOP.saved().pk, checkpoints=5))
    assert page.status == 422
    assert "has 2 checkpoints, and 5 are to be played" in page
    assert not Game.objects.exists()


# --- Boards put together ------------------------------------------------------------------------------------

SHED = Board("Shed", (". . . .", ". . h2 .", ". b1:E . .", ". . . ."))


def laid(*boards: tuple[Starship, int, int, int]) -> dict[str, Any]:
    """What the form sends for boards: each with its column, its row, and how it is turned."""
    fields: dict[str, Any] = {}
    for number, (ship, column, row, turned) in enumerate(boards, 1):
        values = {"board": ship.pk, "column": column, "row": row, "turned": turned}
        fields |= {f"{name}-{number}": value for name, value in values.items()}
    return fields


def marked(*cells: tuple[object, object]) -> dict[str, Any]:
    """What the form sends for checkpoints, each in a column and a row."""
    return {
        f"checkpoint-{edge}-{number}": value
        for number, cell in enumerate(cells, 1)
        for edge, value in zip(("column", "row"), cell, strict=True)
    }


def test_boards_are_joined_turned_and_marked(alice: User, read: ReaderOf) -> None:
    yard, shed = YARD.saved(), SHED.saved()
    given = of("amigo-1999") | laid((yard, 1, 1, 0), (shed, 1, 2, 1)) | marked((1, 1), (3, 8), ("", ""))
    page = read(alice).post(ADDRESS, **given)
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert game.course is not None
    ship = rules.read_starship(game.course.document)
    assert (ship.width, ship.height) == (4, 8)
    assert {number: ship.pos(cell) for number, cell in ship.checkpoints.items()} == {1: (0, 0), 2: (2, 7)}
    assert [(piece.row, piece.turned) for piece in game.course.pieces.order_by("row")] == [(0, 0), (1, 1)]
    assert "Yard + Shed" in page


def test_a_single_board_keeps_its_checkpoints(alice: User, read: ReaderOf) -> None:
    workshop = WORKSHOP.saved()
    read(alice).post(ADDRESS, **of("amigo-1999"), **laid((workshop, 1, 1, 0)))
    game = Game.objects.get()
    assert (game.course, game.revision) == (None, workshop.current)


@pytest.mark.parametrize(
    ("boards", "cells", "reason"),
    [
        ([(0, 1, 1, 0), (1, 1, 1, 0)], [(1, 1), (1, 2)], "would lie on board 1"),
        ([(0, 1, 1, 0), (1, 3, 1, 0)], [(1, 1), (1, 2)], "touches none of the others"),
        ([(0, 1, 1, 0), (2, 2, 1, 0)], [(1, 1), (1, 2)], "Edges do not fit"),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [], "needs at least 2 checkpoints"),
        (
            [(0, 1, 1, 0), (1, 2, 1, 0)],
            [(2, 2), (1, 2)],
            "Checkpoint 1 cannot stand here: there is a cooling",
        ),
        (
            [(0, 1, 1, 0), (1, 2, 1, 0)],
            [(1, 1), (1, 1)],
            "Checkpoint 2 cannot stand here: checkpoint 1 stands there",
        ),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [(1, 1), (9, 1)], "Checkpoint 2 needs a column from 1 to 8."),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [(1, 1), (3, "")], "Checkpoint 2 needs a row from 1 to 4."),
        ([], [], "“boards” must be a list"),
    ],
)
def test_boards_that_do_not_fit_are_refused_and_nothing_is_lost(
    boards: list[tuple[int, int, int, int]],
    cells: list[tuple[object, object]],
    reason: str,
    alice: User,
    read: ReaderOf,
) -> None:
    ships = [YARD.saved(), SHED.saved(), LANE.saved()]
    sent = [(ships[number], column, row, turned) for number, column, row, turned in boards]
    given = of("amigo-1999", name="A long way", lives=5) | laid(*sent) | marked(*cells)
    page = read(alice).post(ADDRESS, **given)
    assert page.status == 422
    assert reason in page
    assert not Game.objects.exists()
    assert 'value="A long way"' in page.html
    assert 'value="5"' in page.html
    assert [page.chosen(f"board-{number + 1}") for number in range(len(sent))] == [
        str(ship.pk) for ship, *_ in sent
    ]
    for name, value in marked(*cells).items():
        assert re.search(rf'name="{name}"[^>]* value="{value}"', page.html), name


def test_a_board_is_added_and_looked_at_without_a_game_being_made(alice: User, read: ReaderOf) -> None:
    yard, shed = YARD.saved(), SHED.saved()
    given = of("amigo-1999", name="", house_crushers=None, robot_lasers="on")
    given |= laid((yard, 1, 1, 0)) | {"board-2": "", "column-2": 1, "row-2": 1}
    page = read(alice).post(ADDRESS, **given, add=shed.pk)
    assert (page.chosen("house_crushers"), page.chosen("robot_lasers")) == ("", "on")
    assert page.status == 200
    assert "The game needs a name." not in page
    assert (page.chosen("board-2"), page.chosen("turned-2")) == (str(shed.pk), "0")
    assert "8 × 4 cells, 0 checkpoints." in page
    assert not Game.objects.exists()


def test_the_board_alone_is_drawn_anew_for_the_script(alice: User, read: ReaderOf) -> None:
    given = of("amigo-1999") | laid((YARD.saved(), 1, 1, 2)) | marked((1, 4), (4, 4))
    page = read(alice).post(f"{ADDRESS}board/", **given)
    assert "4 × 4 cells, 2 checkpoints." in page
    assert "<html" not in page.html
    assert read(alice).post(f"{ADDRESS}board/", ruleset="robo-runner").status == 404
    assert read(None).post(f"{ADDRESS}board/").address.startswith("/accounts/login/")


def test_there_is_room_for_as_many_boards_as_the_ruleset_joins(alice: User, read: ReaderOf) -> None:
    yard = YARD.saved()
    page = read(alice).post(ADDRESS, **of("factory-1999"), **laid((yard, 1, 1, 0)), more="1")
    assert 'name="board-4"' in page.html
    four = laid(*((yard, column, 1, 0) for column in range(1, 5)))
    page = read(alice).post(ADDRESS, **of("factory-1999"), **four, more="1")
    assert 'name="board-8"' in page.html
    page = read(alice).get(f"{ADDRESS}?ruleset=amigo-1999")
    assert "Room for more boards" not in page
    assert 'name="board-5"' not in page.html
