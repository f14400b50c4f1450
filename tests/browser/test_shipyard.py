"""The shipyard in a real browser: ships are drawn and flown, and no work is lost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import rules
from accounts.models import User
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.services import create_draft, delete_draft, save_draft
from tests.browser.fleet import Way
from tests.browser.programming import OpenPage
from tests.browser.test_accessibility import SETTLED
from tests.browser.test_editor import Board as EditorBoard
from tests.browser.widths import too_wide
from tests.games.shipyard.drawing import WRECK, document, drafted, rows_of
from tests.games.support import NOW
from tests.support.site import Site

WIDE = {"width": 1440, "height": 1000}


class Board(EditorBoard):
    """The cells of the editor on a draft's page."""

    @property
    def rows(self) -> list[list[str]]:
        """Return the rows of cells that the form will send."""
        return [row.split() for row in self.page.locator("[name=rows]").input_value().splitlines()]


def is_saved(page: Page) -> None:
    expect(page.locator(".ship-saving")).to_have_text("Saved")


def save(page: Page) -> None:
    page.keyboard.press("Control+s")
    is_saved(page)


@pytest.fixture
def blank(people: tuple[User, User]) -> StarshipDraft:
    """Alice's draft with 12 × 12 cells of plain hull."""
    return create_draft(user=people[0], name="Tub", ruleset="robo-runner", size=(12, 12), now=NOW)


@pytest.fixture
def draws(alices: OpenPage) -> Callable[..., Board]:
    """A function that opens a draft's page for Alice, each time on another device."""

    def open_one(draft: StarshipDraft, **options: Any) -> Board:
        page = alices(**{"viewport": WIDE, **options})
        return open_draft(page, draft)

    return open_one


@pytest.fixture
def way(open_page: OpenPage, people: tuple[User, User], site: Site) -> Way:
    """A helper that takes a ship into the fleet."""
    return Way(open_page, people[1], site)


def open_draft(page: Page, draft: StarshipDraft) -> Board:
    page.goto(f"/shipyard/{draft.pk}/")
    expect(page.locator(".yard-grid")).to_be_visible()
    return Board(page)


def flies(board: Board, draft: StarshipDraft) -> None:
    """Start a test flight of the drawing. Check its board, and go back to the drawing."""
    page, drawn = board.page, board.rows
    page.get_by_role("button", name="Fly it now").click()
    page.wait_for_url("**/games/*/")
    game = Game.objects.get(draft_flight__draft=draft)
    assert game.course
    ship = rules.read_starship(game.course.document)
    assert [[ship.at(x, y).token for x in range(ship.width)] for y in range(ship.height)] == drawn
    page.get_by_role("link", name="Back to the drawing").click()
    expect(page.locator(".yard-grid")).to_be_visible()
    assert board.rows == drawn


def test_a_ship_drawn_by_mouse_is_flown_published_reviewed_and_promoted(
    draws: Callable[..., Board], blank: StarshipDraft, way: Way
) -> None:
    board = draws(blank)
    page = board.page
    expect(page.get_by_role("button", name="Fly it now")).to_be_hidden()
    expect(page.get_by_text("To fly this ship, fix the errors below.")).to_be_visible()
    board.take("Airlock")
    board.click(0, 0)
    board.take("Beam of speed 1")
    board.drag((2, 2), (9, 2), (9, 6))
    assert board.rows[2][2:10] == [*["b1:E"] * 7, "b1:WS"]
    board.take("Checkpoint")
    board.click(9, 9)
    board.click(2, 10)
    flies(board, blank)
    way(board.page, blank)


def test_a_ship_drawn_by_touch_is_flown(draws: Callable[..., Board], blank: StarshipDraft) -> None:
    board = draws(blank, viewport={"width": 390, "height": 844}, has_touch=True)
    page = board.page
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def tap(x: int, y: int) -> None:
        touch("Start", board.at(x, y))
        touch("End")

    page.locator(".yard-bar").evaluate("bar => bar.scrollIntoView()")
    for part in (".yard-grid", ".yard-tile >> nth=0"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)  # cells and palette at once
    board.take("Beam of speed 2")
    page.locator(".yard-bar").evaluate("bar => bar.scrollIntoView()")
    touch("Start", board.at(1, 6))
    touch("Move", board.at(4, 6))
    touch("Move", board.at(4, 9))
    touch("End")
    assert board.rows[6][1:5] == ["b2:E", "b2:E", "b2:E", "b2:WS"]
    for name, cell in (("Airlock", (0, 0)), ("Checkpoint", (9, 3))):
        board.take(name)
        page.locator(".yard-bar").evaluate("bar => bar.scrollIntoView()")
        tap(*cell)
    assert (board.rows[0][0], board.rows[3][9]) == ("a", ".+i1")
    flies(board, blank)


def test_a_ship_drawn_by_keyboard_is_flown(draws: Callable[..., Board], blank: StarshipDraft) -> None:
    board = draws(blank)
    keys = board.page.keyboard
    board.cell(0, 0).focus()
    for name, then in (
        ("airlock", ("Space", "ArrowDown")),
        ("speed 1", ("Space", "ArrowRight", "ArrowRight", "ArrowDown", "Space", "w", "ArrowRight")),
        ("checkpoint", ("ArrowDown", "ArrowDown", "Space")),
    ):
        keys.press("/")
        keys.type(name)
        keys.press("Enter")
        for key in then:
            keys.press(key)
    assert board.rows[0][0] == "a"
    assert [*board.rows[1][:3], board.rows[2][2]] == ["b1:E", "b1:E", "b1:WS", "b1:S+wE"]
    assert board.rows[4][2] == ".+i1"
    flies(board, blank)


def test_a_drawing_is_saved_continuously(draws: Callable[..., Board], blank: StarshipDraft) -> None:
    board = draws(blank)
    page = board.page
    board.take("Space")
    board.click(3, 3)
    expect(page.locator(".ship-saving")).to_have_text("Not saved yet")
    is_saved(page)
    assert rows_of(blank)[3].split()[3] == "~"
    expect(page.locator("[data-fact=saved]")).to_contain_text("version 2")
    page.locator("[name=name]").fill("Bath")
    page.locator("[name=players]").fill("2")
    page.locator("[name=ruleset]").select_option("websocket")
    expect(page.locator(".yard-palette select")).to_have_value("websocket")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bath")
    page.get_by_role("button", name="Save", exact=True).click()
    is_saved(page)
    blank.refresh_from_db()
    assert (blank.name, blank.players, blank.ruleset) == ("Bath", 2, "websocket")


def test_strokes_survive_leaving_and_closing_the_page(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    board = draws(blank)
    page = board.page
    board.take("Space")
    board.click(3, 3)
    page.goto("/shipyard/notation/")  # saved on leaving
    board = open_draft(page, blank)
    if board.rows[3][3] != "~":  # still on its way
        page.reload()
    assert board.rows[3][3] == "~"
    page.evaluate(
        "() => { globalThis.fetch = () => Promise.reject(new TypeError()); }"
    )  # like a page closed too fast
    board.take("Thruster")
    board.click(4, 4)
    other = page.context.new_page()
    page.close()
    board = open_draft(other, blank)
    assert board.rows[4][4] == "."
    expect(other.get_by_text("Your last changes weren’t saved")).to_be_visible()
    other.get_by_role("button", name="Restore").click()
    assert (board.rows[3][3], board.rows[4][4]) == ("~", "f")
    save(other)
    other.reload()
    expect(other.locator(".yard-grid")).to_be_visible()
    expect(other.get_by_text("Your last changes weren’t saved")).to_be_hidden()
    assert rows_of(blank)[4].split()[4] == "f"


def test_strokes_of_two_windows_survive_with_a_message(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    first = draws(blank)
    second = open_draft(first.page.context.new_page(), blank)
    second.take("Thruster")
    second.click(4, 4)
    first.page.bring_to_front()
    first.take("Space")
    first.click(3, 3)
    save(first.page)
    expect(second.page.get_by_text("Its changes are merged with yours")).to_be_visible()
    for board in (first, second):
        is_saved(board.page)
        expect(board.cell(3, 3)).to_have_attribute("aria-label", re.compile("Space"))
        expect(board.cell(4, 4)).to_have_attribute("aria-label", re.compile("Thruster"))
    rows = [row.split() for row in rows_of(blank)]
    assert (rows[3][3], rows[4][4]) == ("~", "f")


@pytest.mark.parametrize(
    ("button", "here", "drafts"),
    [("Keep this window’s changes", "~", 1), ("Use the other changes", "o", 1), ("Keep both", "o", 2)],
)
def test_a_cell_changed_on_two_devices_needs_a_decision(
    draws: Callable[..., Board], blank: StarshipDraft, button: str, here: str, drafts: int
) -> None:
    board = draws(blank)
    page = board.page
    board.take("Space")
    board.click(3, 3)
    rows = [["."] * 12 for _ in range(12)]
    rows[3][3], rows[5][5] = "o", "f"
    elsewhere = {**blank.document, "rows": [" ".join(row) for row in rows]}
    save_draft(user=blank.user, draft_id=blank.pk, expected_version=1, document=elsewhere, now=NOW)
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog", name="Changed in two places")
    expect(dialog.get_by_role("row", name="Column 4, row 4 Space Cooling shaft")).to_be_visible()
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_be_hidden()
    is_saved(page)
    expect(page.get_by_text("Its changes are merged with yours")).to_be_hidden()
    assert (board.rows[3][3], board.rows[5][5]) == (here, "f")
    saved = [row.split() for row in rows_of(blank)]
    assert (saved[3][3], saved[5][5]) == (here, "f")
    assert StarshipDraft.objects.count() == drafts


def test_strokes_drawn_offline_are_saved_afterwards(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    board = draws(blank)
    page = board.page
    cells = page.locator(".yard-scroller")
    before = cells.bounding_box()
    page.context.set_offline(True)
    board.take("Space")
    board.click(3, 3)
    page.keyboard.press("Control+s")
    expect(page.locator(".ship-saving")).to_contain_text("You are offline. This browser keeps your changes.")
    line, after = page.locator(".ship-saving").bounding_box(), cells.bounding_box()
    assert line and before == after, "no cell moves"
    assert line["y"] + line["height"] <= after["y"], "and the line covers none"
    board.click(4, 3)
    page.get_by_role("button", name="Fly it now").or_(page.locator("[data-grounded]")).first.wait_for()
    page.context.set_offline(False)
    is_saved(page)
    assert rows_of(blank)[3].split()[3:5] == ["~", "~"]


def test_after_the_end_of_a_session_a_login_in_another_window_saves_everything(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    board = draws(blank)
    page = board.page
    session = [cookie for cookie in page.context.cookies() if "session" in cookie.get("name", "")]
    page.context.clear_cookies()
    board.take("Space")
    board.click(3, 3)
    page.keyboard.press("Control+s")
    expect(page.locator(".ship-saving")).to_contain_text("you are logged out")
    page.context.add_cookies(session)  # type: ignore[arg-type]  # with another token for forms
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # returns from the other window
    is_saved(page)
    assert rows_of(blank)[3].split()[3] == "~"
    board.take("Airlock")
    board.click(0, 0)
    board.take("Checkpoint")
    board.click(9, 9)
    page.get_by_role("button", name="Fly it now").click()
    page.wait_for_url("**/games/*/")


def test_a_draft_deleted_in_another_window_becomes_a_draft_again(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    board = draws(blank)
    page = board.page
    delete_draft(user=blank.user, draft_id=blank.pk)
    board.take("Space")
    board.click(3, 3)
    page.keyboard.press("Control+s")
    expect(page.locator(".ship-saving")).to_contain_text("Not saved: this draft was deleted.")
    page.get_by_role("button", name="Save as a new draft").click()
    page.wait_for_url(lambda address: not address.endswith(f"/shipyard/{blank.pk}/"))
    is_saved(page)
    expect(page.get_by_text("Your last changes weren’t saved")).to_be_hidden()
    again = StarshipDraft.objects.get()
    assert (again.name, rows_of(again)[3].split()[3]) == ("Tub", "~")


def test_logging_out_saves_the_drawing_and_leaves_no_copy_in_the_browser(
    draws: Callable[..., Board], blank: StarshipDraft
) -> None:
    board = draws(blank)
    page = board.page
    board.take("Space")
    board.click(3, 3)
    page.evaluate("localStorage.setItem('ship:0:9:left', '{}')")  # of a closed window
    assert copies_in(page) == 2
    log_out(page)
    page.wait_for_url(lambda address: "/shipyard/" not in address)
    assert rows_of(blank)[3].split()[3] == "~"
    assert copies_in(page) == 0


def test_logging_out_warns_first_if_saving_fails(draws: Callable[..., Board], blank: StarshipDraft) -> None:
    board = draws(blank)
    page = board.page
    page.route("**/api/**", lambda route: route.abort())
    board.take("Space")
    board.click(3, 3)
    log_out(page)
    expect(page.get_by_text("Your last changes aren’t saved")).to_be_visible()
    assert copies_in(page) == 1
    page.get_by_role("button", name="Log out").click()  # the menu is still open
    page.wait_for_url(lambda address: "/shipyard/" not in address)
    assert copies_in(page) == 0


def log_out(page: Page) -> None:
    page.locator(".site-header summary", has_text="Alice").click()
    page.get_by_role("button", name="Log out").click()


def copies_in(page: Page) -> int:
    """Return the number of drawings that the browser stores locally."""
    kept: int = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ship:')).length")
    return kept


def test_buttons_fix_problems_in_one_step(draws: Callable[..., Board], people: tuple[User, User]) -> None:
    draft = drafted(people[0], *WRECK)
    board = draws(draft)
    page = board.page
    problems = page.locator(".yard-problems")
    expect(problems).to_contain_text("The floor “qq” is unknown.")
    expect(page.locator("#problems")).to_be_hidden()
    page.get_by_role("button", name="Add the rail").click()
    assert board.rows[0][2] == ".+wN+l1N"
    expect(problems.get_by_role("button", name="Add the rail")).to_be_hidden()
    page.get_by_role("button", name="Undo", exact=True).click()
    assert board.rows[0][2] == ".+l1N"
    expect(problems.get_by_role("button", name="Add the rail")).to_be_visible()
    page.locator("[name=rows]").fill("a . .+i1")
    expect(page.locator(".yard-grid [role=gridcell]")).to_have_count(3)
    expect(page.get_by_role("button", name="Fly it now")).to_be_visible()
    expect(page.locator("[data-fact=size]")).to_have_text("3 × 1")
    page.locator("[name=rows]").fill("")
    expect(page.get_by_text("A ship needs at least one cell.")).to_be_visible()


def test_a_refusal_of_the_server_is_shown_and_nothing_is_lost(
    draws: Callable[..., Board], people: tuple[User, User]
) -> None:
    board = draws(drafted(people[0]))
    page = board.page
    page.locator("[name=rows]").fill(f"a {'x' * 300} .+i1")
    expect(page.locator(".ship-saving")).to_contain_text("Not saved:")
    huge = (". " * 1000 + "\n") * 1000  # `fill` would take half a minute on a busy machine
    page.locator("[name=rows]").evaluate(
        "(rows, text) => { rows.value = text; rows.dispatchEvent(new Event('input', { bubbles: true })); }",
        huge,
    )
    page.keyboard.press("Control+s")
    expect(page.locator(".ship-saving")).to_contain_text("100 × 100 cells.")
    expect(page.locator(".yard-paused")).to_contain_text("100 × 100 cells.")
    page.locator("[name=rows]").fill("a . .+i1 .")
    expect(page.locator(".yard-paused")).to_be_hidden()
    save(page)


def test_it_is_accessible_and_fits_every_screen(
    draws: Callable[..., Board], blank: StarshipDraft, people: tuple[User, User]
) -> None:
    board = draws(blank, bypass_csp=True)  # to load axe
    page = board.page
    wreck = drafted(people[0], *WRECK, ruleset="robo-runner")
    paths = [f"/shipyard/{draft.pk}/" for draft in (blank, wreck)]
    assert not too_wide(page, paths, (320, 390, 1024, 1440))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        found = Axe().run(page, context="main", options={"rules": {"color-contrast": {"enabled": True}}})
        assert not found.response["violations"], found.generate_report()


def test_dialogs_are_accessible(draws: Callable[..., Board], people: tuple[User, User]) -> None:
    draft = drafted(people[0])
    board = draws(draft, bypass_csp=True)
    board.take("Space")
    board.click(1, 0)
    elsewhere = document("a f .", ". . .+i1")
    save_draft(user=draft.user, draft_id=draft.pk, expected_version=1, document=elsewhere, now=NOW)
    board.page.keyboard.press("Control+s")
    expect(board.page.get_by_role("dialog")).to_be_visible()
    found = Axe().run(board.page, context=".ship-clash")
    assert not found.response["violations"], found.generate_report()
