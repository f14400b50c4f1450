"""The form for a game on several joined boards."""

import re
from typing import Any

import pytest

import rules
from accounts.models import User
from games.fleet.models import Starship
from games.lobby.services import change_game
from games.play import stored
from games.play.models import Game
from tests.games.making import ADDRESS, of
from tests.games.reader import ReaderOf
from tests.games.support import LANE, NOW, WORKSHOP, YARD, Board

SHED = Board("Shed", (". . . .", ". . h2 .", ". b1:E . .", ". . . ."))


def laid(*boards: tuple[Starship, int, int, int]) -> dict[str, Any]:
    """Return the form fields of boards, from each ship, column, row and number of quarter turns."""
    fields: dict[str, Any] = {}
    for number, (ship, column, row, turned) in enumerate(boards, 1):
        values = {"board": ship.pk, "column": column, "row": row, "turned": turned}
        fields |= {f"{name}-{number}": value for name, value in values.items()}
    return fields


def marked(*cells: tuple[object, object]) -> dict[str, Any]:
    """Return the form fields of checkpoints, from each column and row."""
    return {
        f"checkpoint-{edge}-{number}": value
        for number, cell in enumerate(cells, 1)
        for edge, value in zip(("column", "row"), cell, strict=True)
    }


def test_boards_are_joined_and_turned_and_get_checkpoints(alice: User, read: ReaderOf) -> None:
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
        ([(0, 1, 1, 0), (2, 2, 1, 0)], [(1, 1), (1, 2)], "boards differ in size"),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [(2, 2), (1, 2)], "heckpoint 1 cannot be on a cooling shaft"),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [(1, 1), (9, 1)], "Checkpoint 2 needs a column from 1 to 8."),
        ([(0, 1, 1, 0), (1, 2, 1, 0)], [(1, 1), (3, "")], "Checkpoint 2 needs a row from 1 to 4."),
        ([], [], "“boards” must be a list"),
    ],
)
def test_boards_that_do_not_fit_are_refused_and_the_form_keeps_its_input(
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


def test_a_board_is_added_and_previewed_without_creating_a_game(alice: User, read: ReaderOf) -> None:
    yard, shed = YARD.saved(), SHED.saved()
    given = of("amigo-1999", name="", house_crushers=None, robot_lasers="on")
    given |= laid((yard, 1, 1, 0)) | {"board-2": "", "column-2": 1, "row-2": 1}
    page = read(alice).post(ADDRESS, **given, add=shed.pk)
    assert (page.chosen("house_crushers"), page.chosen("robot_lasers")) == ("", "on")
    assert page.status == 200
    assert "Give the game a name." not in page
    assert (page.chosen("board-2"), page.chosen("turned-2")) == (str(shed.pk), "0")
    assert "8 × 4 cells, 0 checkpoints." in page
    assert not Game.objects.exists()


def test_the_script_gets_only_the_new_drawing_of_the_board(alice: User, read: ReaderOf) -> None:
    given = of("amigo-1999") | laid((YARD.saved(), 1, 1, 2)) | marked((1, 4), (4, 4))
    page = read(alice).post(f"{ADDRESS}board/", **given)
    assert "4 × 4 cells, 2 checkpoints." in page
    assert "<html" not in page.html
    assert read(alice).post(f"{ADDRESS}board/", ruleset="robo-runner").status == 404


def test_the_form_has_room_for_every_board_the_ruleset_allows(alice: User, read: ReaderOf) -> None:
    yard = YARD.saved()
    page = read(alice).post(ADDRESS, **of("factory-1999"), **laid((yard, 1, 1, 0)), more="1")
    assert 'name="board-4"' in page.html
    four = laid(*((yard, column, 1, 0) for column in range(1, 5)))
    page = read(alice).post(ADDRESS, **of("factory-1999"), **four, more="1")
    assert 'name="board-8"' in page.html
    page = read(alice).get(f"{ADDRESS}?ruleset=amigo-1999")
    assert "Add more boards" not in page
    assert 'name="board-5"' not in page.html


def test_a_factory_s_chosen_start_survives_other_changes_to_the_form(alice: User, read: ReaderOf) -> None:
    given = of("factory-1999") | laid((YARD.saved(), 1, 1, 0)) | {"start-column": "3", "start-row": "1"}
    page = read(alice).post(ADDRESS, **given)
    game = Game.objects.get()
    assert (page.address, starts_of(game)) == (game.get_absolute_url(), [(2, 0)])
    settings = read(alice).get(f"/games/{game.pk}/settings/")
    assert 'name="start-column" id="start-column" value="3"' in settings.html
    change_game(user=alice, game_id=game.pk, changes={"name": "Other"}, now=NOW)
    game.refresh_from_db()
    assert (game.name, starts_of(game)) == ("Other", [(2, 0)])


def starts_of(game: Game) -> list[tuple[int, int]]:
    assert game.course is not None
    ship = rules.read_starship(game.course.document)
    return [ship.pos(cell) for cell in (*ship.airlocks, *ship.starts.values())]


@pytest.mark.parametrize(
    ("column", "row", "reason"),
    [
        ("2", "2", "tart cell must be on plain hull"),
        ("9", "1", "The start needs a column"),
    ],
)
def test_an_impossible_start_is_refused_beside_its_fields(
    column: str, row: str, reason: str, alice: User, read: ReaderOf
) -> None:
    given = of("factory-1999") | laid((YARD.saved(), 1, 1, 0)) | {"start-column": column, "start-row": row}
    page = read(alice).post(ADDRESS, **given)
    assert page.status == 422
    assert reason in page
    assert not Game.objects.exists()


def test_a_factory_s_checkpoints_are_placed_at_random(alice: User, read: ReaderOf) -> None:
    given = of("factory-1999", random_checkpoints=4) | laid((YARD.saved(), 1, 1, 0))
    read(alice).post(ADDRESS, **given)
    game = Game.objects.get()
    ship, start = stored.ship_of(game), starts_of(game)[0]
    again = rules.with_random_checkpoints(ship, 4, ship.cell(*start), game.seed)
    assert len(ship.checkpoints) == 4
    assert again.cells == ship.cells
    settings = read(alice).get(f"/games/{game.pk}/settings/")
    assert 'name="checkpoint-column-1" id="checkpoint-column-1" value=""' in settings.html


def test_checkpoints_are_either_set_or_random(alice: User, read: ReaderOf) -> None:
    given = (
        of("factory-1999", random_checkpoints=2) | laid((YARD.saved(), 1, 1, 0)) | marked((1, 1), ("", ""))
    )
    page = read(alice).post(ADDRESS, **given)
    assert page.status == 422
    assert "Set checkpoints or choose random checkpoints, not both." in page


def test_in_group_11_chance_plays_missed_turns_unless_the_host_chooses_otherwise(
    alice: User, read: ReaderOf
) -> None:
    WORKSHOP.saved()
    assert read(alice).get(f"{ADDRESS}?ruleset=group-11").chosen("absence") == "random"
    assert read(alice).get(f"{ADDRESS}?ruleset=websocket").chosen("absence") == "standing"
