"""Games of other rulesets in a real browser."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

import rules
from accounts.models import User
from games.lobby.seats import join_game
from games.play import stored
from games.play.models import Game, Program
from games.play.resolution import resolve_turn
from tests.browser.signing_in import sign_in
from tests.browser.widths import too_wide
from tests.games.support import DUCTS, WORKSHOP, YARD, Board, Table, hand_of
from tests.support.site import Site

OpenPage = Callable[..., Page]

SHED = Board("Shed", (". . . .", ". . h2 .", ". b1:E . .", ". . . ."))


@pytest.fixture
def page_of(open_page: OpenPage, site: Site) -> OpenPage:
    """A function that opens a page for a logged-in person."""

    def open_one(person: User, **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, person, site)
        return page

    return open_one


def click_cell(drawing: Locator, column: int, row: int) -> None:
    """Click the cell of a drawing in the given column and row, counted from 1.

    The drawing has a margin of half a cell.
    """
    box = drawing.bounding_box()
    assert box
    width, height = (float(n) for n in str(drawing.get_attribute("viewBox")).split()[2:])
    x, y = (16 + (column - 0.5) * 32) / width, (16 + (row - 0.5) * 32) / height
    drawing.click(position={"x": x * box["width"], "y": y * box["height"]})


def test_two_turned_boards_are_joined_and_marked_by_clicks(
    page_of: OpenPage, people: tuple[User, User]
) -> None:
    yard, shed = YARD.saved(), SHED.saved()
    page = page_of(people[0])
    page.goto("/games/new/")
    page.get_by_role("link", name="Robo Rally 1999").first.click()
    page.get_by_text("Choose boards, join them, set checkpoints").click()
    page.locator("#board-1").select_option(str(yard.pk))
    page.get_by_role("button", name="Shed").click()
    expect(page.get_by_text("8 × 4 cells, 0 checkpoints.")).to_be_visible()
    expect(page.locator("#board-2")).to_have_value(str(shed.pk))
    page.locator("#turned-2").select_option("1")
    expect(page.locator(".assembly")).not_to_have_attribute("aria-busy", "true")
    drawing = page.locator(".assembly-drawing svg")
    click_cell(drawing, 2, 2)  # a shaft
    expect(page.get_by_text("Checkpoint 1 cannot be on a cooling shaft")).to_be_visible()
    click_cell(drawing, 2, 2)  # removed again
    expect(page.get_by_text("cannot be on a cooling shaft")).to_have_count(0)
    for number, cell in enumerate([(1, 1), (8, 4), (5, 2)], 1):
        click_cell(drawing, *cell)
        expect(page.get_by_text(f"8 × 4 cells, {number} checkpoint")).to_be_visible()
    page.get_by_label("Game name").fill("Yard and shed")
    page.get_by_role("button", name="Create game").last.click()
    expect(page.get_by_role("heading", name="Yard and shed")).to_be_visible()
    game = Game.objects.get()
    assert game.course
    ship = rules.read_starship(game.course.document)
    assert [ship.pos(cell) for cell in ship.checkpoints.values()] == [(0, 0), (7, 3), (4, 1)]
    assert {(piece.column, piece.turned) for piece in game.course.pieces.all()} == {(0, 0), (1, 1)}


def test_boards_are_joined_without_script(page_of: OpenPage, people: tuple[User, User]) -> None:
    YARD.saved()
    page = page_of(people[0], java_script_enabled=False)
    page.goto("/games/new/?ruleset=amigo-1999")
    page.get_by_text("Choose boards, join them, set checkpoints").click()
    page.get_by_role("button", name="Yard").click()
    expect(page.get_by_text("8 × 4 cells, 0 checkpoints.")).to_be_visible()
    for number, (column, row) in enumerate([("1", "1"), ("8", "4")], 1):
        page.locator(f"[name=checkpoint-column-{number}]").fill(column)
        page.locator(f"[name=checkpoint-row-{number}]").fill(row)
    page.get_by_role("button", name="Show the board").click()
    expect(page.get_by_text("8 × 4 cells, 2 checkpoints.")).to_be_visible()
    page.get_by_role("button", name="Create game").last.click()
    expect(page.get_by_text("Players can find it in the Game Room.")).to_be_visible()
    assert Game.objects.get().course is not None


def test_a_turn_with_a_new_hand_and_a_pause(page_of: OpenPage, people: tuple[User, User]) -> None:
    alice, bob = people
    game = Table(WORKSHOP.saved()).game(alice, seats=2, ruleset="group-11", model="albot", now=timezone.now())
    join_game(user=bob, game_id=game.pk, model="lazybot", now=timezone.now())
    game.refresh_from_db()
    before = stored.chips_of(hand_of(game, alice))

    page = page_of(alice)
    page.goto(game.get_absolute_url())
    page.get_by_label("West").check(force=True)
    page.get_by_role("button", name="Redraw hand").click()
    expect(page.get_by_text("You have redrawn your hand.")).to_be_visible()
    expect(page.get_by_role("button", name="Redraw hand")).to_have_count(0)
    assert stored.chips_of(hand_of(game, alice)) != before
    expect(page.get_by_label("West")).to_be_checked()
    for key in "12345":
        page.keyboard.press(key)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    expect(page.get_by_text("You have redrawn your hand.")).to_have_count(0)

    page = page_of(bob)
    page.goto(game.get_absolute_url())
    page.keyboard.press("1")
    page.keyboard.press("p")
    for key in "234":
        page.keyboard.press(key)
    expect(page.locator("[data-register='2'] > .chip-P")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("All orders are in:")).to_be_visible()
    assert Program.objects.get(hand=hand_of(game, bob)).orders["registers"][1] == "P"
    resolve_turn(turn_id=game.turns.get().pk, now=timezone.now())
    page.goto(game.get_absolute_url())
    expect(page.get_by_role("heading", name="What happened in turn 1")).to_be_visible()
    page.get_by_role("button", name="One step back").click()


def test_the_crystal_moves_in_a_replay(page_of: OpenPage, people: tuple[User, User]) -> None:
    alice, bob = people
    table = Table(DUCTS.saved())
    game = table.game(alice, bob, ruleset="robo-recon", now=timezone.now())
    page = page_of(alice)
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="East").click()
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    table.move(game, bob, now=timezone.now())
    resolve_turn(turn_id=game.turns.get().pk, now=timezone.now())
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-mate='Alice']")).to_contain_text("red")
    crystal = page.locator("[data-board] .crystal")
    expect(crystal).to_be_visible()
    expect(page.locator("[data-mate='power crystal']")).to_have_count(0)
    page.goto(f"{game.get_absolute_url()}turns/0/")
    page.get_by_role("button", name="One phase back").click()
    page.locator("[data-position]").fill("0")
    expect(crystal).to_be_hidden()  # before its arrival
    last = page.locator("[data-position]").get_attribute("max")
    page.locator("[data-position]").fill(str(int(last or 0) - 1))
    page.get_by_role("button", name="One step forward").click()
    expect(crystal).to_be_visible()


def test_the_cell_of_return_is_chosen_on_the_board(page_of: OpenPage, people: tuple[User, User]) -> None:
    game = Table(WORKSHOP.saved()).game(*people, ruleset="amigo-1999", now=timezone.now())
    page = page_of(people[0])
    page.goto(game.get_absolute_url())
    page.get_by_text("Where to start").click()
    spots = page.locator("[data-board] .board-spot")
    expect(spots).to_have_count(2)  # checkpoint 1 is in a corner
    spots.nth(1).click()
    expect(page.get_by_label("west: column 7, row 1")).to_be_checked()


def test_no_page_of_any_ruleset_scrolls_sideways(page_of: OpenPage, people: tuple[User, User]) -> None:
    for board in (YARD, WORKSHOP, DUCTS):
        board.saved()
    paths = [f"/games/new/?ruleset={key}" for key in rules.RULESETS]
    paths += ["/rulebook/robo-recon/", "/rulebook/amigo-1999/", "/starships/?ruleset=amigo-1999", "/rules/"]
    assert not too_wide(page_of(people[0]), paths)
