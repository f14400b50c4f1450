"""The editor of starships in the admin's form, by mouse, touch and keyboard."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Dialog, Locator, Page, expect

import rules
from games.fleet.models import Starship
from tests import cast
from tests.browser.test_accessibility import SETTLED
from tests.games.admin_pages import STARSHIPS, address, permit
from tests.games.support import HALL

WIDE = {"width": 1440, "height": 1100}
SIDE = 12
SMALL = {
    "format": "starship/1",
    "name": "",
    "builder": "",
    "description": "",
    "rows": [". . . . . .+i1", ". . . . . .", ". . . . . .", "a . . . . ."],
}


@pytest.fixture
def open_editor(open_page: Callable[..., Page], transactional_db: None) -> Callable[..., Page]:
    """A function that opens the admin form of a starship for Erin."""
    person = cast.erin()
    permit(person)

    def open_one(path: str = f"{STARSHIPS}add/", **options: Any) -> Page:
        client = Client()
        client.force_login(person)
        page = open_page(**{"viewport": WIDE, **options})
        cookie = {"name": "robo-runner-session", "value": client.cookies["robo-runner-session"].value}
        page.context.add_cookies([{**cookie, "domain": "localhost", "path": "/"}])
        page.goto(path)
        expect(page.locator(".yard-grid")).to_be_visible()
        if path.endswith("/add/"):
            draw_small(page)
        return page

    return open_one


def restart(page: Page) -> None:
    """Load a tiny board, then the small starship, so that the editor draws it again."""
    page.locator("textarea.starship-document").fill(json.dumps({**SMALL, "rows": ["a .+i1"]}))
    expect(page.get_by_role("gridcell")).to_have_count(2)
    draw_small(page)


def draw_small(page: Page) -> None:
    """Type the small starship's document, and wait until the ship is drawn."""
    page.locator("textarea.starship-document").fill(json.dumps(SMALL))
    expect(page.get_by_role("gridcell")).to_have_count(24)
    page.evaluate("scrollTo(0, 0)")  # the text is far below


class Board:
    """The cells in the editor. Columns and rows count from 0 and may be fractions."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the board in window coordinates, in pixels.

        Whole numbers mean the centre of a cell.
        """
        cell = self.cell(int(x), int(y)).bounding_box()
        assert cell
        right, down = (part - int(part) or 0.5 for part in (x, y))
        return cell["x"] + right * cell["width"], cell["y"] + down * cell["height"]

    def cell(self, x: int, y: int) -> Locator:
        return self.page.locator(f'[role=gridcell][data-column="{x}"][data-row="{y}"]')

    def take(self, name: str) -> None:
        self.page.locator(".yard-palette").get_by_role("button", name=name, exact=True).click()

    def click(self, x: float, y: float, **options: Any) -> None:
        self.page.mouse.click(*self.at(x, y), **options)

    def drag(self, *places: tuple[float, float]) -> None:
        self.page.mouse.move(*self.at(*places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.at(*place), steps=2)
        self.page.mouse.up()

    @property
    def rows(self) -> list[list[str]]:
        """Return the rows of the document that the form will send."""
        document = json.loads(self.page.locator("textarea.starship-document").input_value())
        return [row.split() for row in document["rows"]]

    def grow(self) -> None:
        """Enlarge a new starship's board to 12 × 12 cells."""
        self.page.locator(".yard summary", has_text="cells").click()
        for side, lines in (("Right", SIDE - 6), ("Bottom", SIDE - 4)):
            for _ in range(lines):
                self.page.get_by_role("button", name=f"Add a row or column: {side}").click()
        self.page.keyboard.press("Escape")


def save(page: Page, name: str) -> rules.Starship:
    """Enter the starship's name, save the form, and return the stored document."""
    text = page.locator("textarea.starship-document")
    document = json.loads(text.input_value())
    text.fill(json.dumps({**document, "name": name}))
    page.get_by_label("Section").select_option("Fleet")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    current = Starship.objects.get(name=name).current
    assert current
    return rules.read_starship(current.document)


def test_a_starship_is_drawn_by_mouse(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)
    board.grow()
    board.take("Beam of speed 1")
    board.drag((1, 1), (9, 1), (9, 6))
    assert board.rows[1][1:10] == [*["b1:E"] * 8, "b1:WS"]
    assert [row[9] for row in board.rows[2:7]] == ["b1:S"] * 5
    board.drag((5, 3), (11, 3))
    assert board.rows[3][8:] == ["b1:E", "b1:NWE", "b1:E", "b1:E"]
    board.take("Rail")
    board.drag((1.1, 8.05), (4.9, 8.05))
    assert board.rows[8][1:5] == [".+wN"] * 4
    board.take("Docking arm")
    page.get_by_role("button", name="Phase 2").click()
    page.get_by_role("button", name="Phase 4").click()
    board.click(2.5, 8.95)
    assert board.rows[8][2] == ".+wNS+p135S"
    board.take("Space")
    page.get_by_label("Symmetry while painting").select_option("Both mirrors")
    board.click(0, 0)
    assert [board.rows[y][x] for y in (0, 11) for x in (0, 11)] == ["~"] * 4
    page.get_by_label("Symmetry while painting").select_option("No symmetry")
    board.take("Checkpoint")
    board.click(8, 9)
    board.click(3, 10)
    assert (board.rows[9][8], board.rows[10][3]) == (".+i2", ".+i3")
    board.click(5, 0, button="right")
    assert (board.rows[0][5], board.rows[9][8], board.rows[10][3]) == (".", ".+i1", ".+i2"), "numbered again"
    board.drag((8, 9), (10, 9))
    assert (board.rows[9][8], board.rows[9][10]) == (".", ".+i1")
    drawn = board.rows
    ship = save(page, "Mouse")
    assert [[ship.at(x, y).token for x in range(SIDE)] for y in range(SIDE)] == drawn


def test_menus_and_boards_fit_every_screen(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)
    text = page.locator("textarea.starship-document")

    # Menus are entirely on the screen.
    for width in (320, 390, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        for summary in page.locator(".yard-menu > summary").all():
            summary.click()
            box = page.locator(".yard-menu[open] > .yard-menu-box").bounding_box()
            assert box
            assert box["x"] >= 0, width
            assert box["x"] + box["width"] <= width
            page.keyboard.press("Escape")

    # The board adapts when a phone is turned.
    page.set_viewport_size({"width": 844, "height": 390})
    Board(page).grow()
    page.get_by_role("button", name="Show the whole ship").click()
    page.set_viewport_size({"width": 390, "height": 844})
    sheet = page.locator(".yard-sheet")
    seen = page.locator(".yard-scroller").bounding_box()
    assert seen
    page.wait_for_function(
        "width => document.querySelector('.yard-sheet').offsetWidth <= width", arg=seen["width"]
    )
    page.get_by_role("button", name="Larger cells").click()
    chosen = sheet.evaluate("sheet => sheet.offsetWidth")
    page.set_viewport_size({"width": 844, "height": 390})
    assert sheet.evaluate("sheet => sheet.offsetWidth") == chosen, "a size that was chosen stays"

    # The largest board can be seen whole.
    page.set_viewport_size(WIDE)
    text.fill(json.dumps({"format": "starship/1", "rows": [". " * 100] * 100}))
    expect(page.get_by_text("100 × 100 cells")).to_be_visible()
    page.get_by_role("button", name="Show the whole ship").click()
    seen, whole = (page.locator(part).bounding_box() for part in (".yard-scroller", ".yard-sheet"))
    assert seen
    assert whole
    assert whole["width"] <= seen["width"]
    assert whole["height"] <= seen["height"]

    # The sides of a board stop at its limits.
    wide = [" ".join([*["."] * 99, ".+i1"]), " ".join(["a", *["."] * 99])]
    text.fill(json.dumps({**SMALL, "rows": wide}))
    page.get_by_text("100 × 2 cells").click()
    for side in ("Left", "Right"):
        expect(page.get_by_role("button", name=f"Add a row or column: {side}")).to_be_disabled()
    page.get_by_role("button", name="Remove a row or column: Bottom").click()
    expect(page.get_by_role("button", name="Remove a row or column: Top")).to_be_disabled()
    assert board.rows == [wide[0].split()]


def test_strokes_are_undone_and_parts_are_moved(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)

    # Undo and redo work for each stroke.
    before = board.rows
    board.take("Cooling shaft")
    page.get_by_label("Symmetry while painting").select_option("Mirror left and right")
    board.drag((0, 1), (0, 2), (1, 2))
    assert [row.count("o") for row in board.rows] == [0, 2, 4, 0]
    page.keyboard.press("Control+z")
    assert board.rows == before
    expect(page.locator(".yard-said")).to_have_text("Undone: Cooling shaft")
    page.keyboard.press("Control+y")
    assert [row.count("o") for row in board.rows] == [0, 2, 4, 0]
    for _ in range(2):  # and the first text of this test
        board.cell(0, 1).press("Control+z")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()

    # Parts are selected, moved, copied and turned.
    restart(page)
    page.get_by_label("Symmetry while painting").select_option("No symmetry")
    board.take("Beam of speed 2")
    board.drag((1, 1), (2, 1))
    page.get_by_role("button", name="Select and move").click()
    board.drag((1, 1), (2, 1))
    board.drag((2, 1), (3, 2))
    assert (board.rows[1][1:3], board.rows[2][2:4]) == ([".", "."], ["b2:E", "b2:E"])
    page.get_by_role("button", name="Copy").click()
    page.keyboard.press("Escape")
    board.cell(0, 0).focus()
    page.get_by_role("button", name="Paste").click()
    assert board.rows[0][:2] == ["b2:E", "b2:E"]
    page.get_by_role("button", name="Turn right").click()
    assert [row[0] for row in board.rows[:2]] == ["b2:S", "b2:S"]

    # A checkpoint is dragged, and a press adds its needs.
    restart(page)
    board.take("Checkpoint with hull damage")
    board.click(5, 0)
    assert board.rows[0][5] == ".+i1*2", "pressed, it needs repairs"
    board.drag((5, 0), (3, 0))
    assert board.rows[0][3:] == [".+i1*2", ".", "."], "dragged, it moves and leaves no trail"
    board.take("Checkpoint")
    board.drag((3, 0), (3, 2))
    assert (board.rows[0][3], board.rows[2][3]) == (".", ".+i1*2")
    board.click(3, 2)
    assert board.rows[2][3] == ".+i1"

    # A message appears when all start cells are placed.
    restart(page)
    board.take("Start cell")
    board.drag((0, 1), (5, 1))
    board.drag((0, 2), (1, 2))
    board.click(4, 2)
    assert board.rows[2][4] == "."
    expect(page.locator(".yard-said")).to_have_text("There are start cells for all 8 players.")


def test_a_starship_is_drawn_by_touch(open_editor: Callable[..., Page]) -> None:
    page = open_editor(viewport={"width": 390, "height": 844}, has_touch=True)
    board = Board(page)
    board.grow()
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    page.locator(".yard-grid").scroll_into_view_if_needed()
    board.take("Beam of speed 1")
    page.locator(".yard-bar").scroll_into_view_if_needed()
    touch("Start", board.at(1, 6))
    touch("Move", board.at(4, 6))
    touch("Move", board.at(4, 9))
    touch("End")
    assert board.rows[6][1:5] == ["b1:E", "b1:E", "b1:E", "b1:WS"]
    touch("Start", board.at(1, 10))
    touch("End")
    assert board.rows[10][1] == "b1:S", "a tap goes on in the direction of the stroke"
    before = board.rows
    touch("Start", board.at(7, 7))
    touch("Start", board.at(7, 7), board.at(9, 7))
    touch("Move", board.at(7, 8), board.at(10, 8))
    touch("End")
    assert board.rows == before, "two fingers paint nothing"
    touch("Start", board.at(5, 0))
    expect(page.locator(".yard-tile[aria-pressed=true]")).to_have_text("Checkpoint")
    touch("End")
    assert board.rows == before, "a long press picks"
    drawn = board.rows
    ship = save(page, "Finger")
    assert [[ship.at(x, y).token for x in range(SIDE)] for y in range(SIDE)] == drawn


def test_a_starship_is_drawn_by_keyboard(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)
    board.grow()
    keys = page.keyboard
    board.cell(0, 0).focus()

    def choose(name: str) -> None:
        keys.press("/")
        keys.type(name)
        keys.press("Enter")

    choose("speed 1")
    for key in ("ArrowDown", "Space", "ArrowRight", "ArrowRight", "ArrowDown", "Space"):
        keys.press(key)
    assert [*board.rows[1][:3], board.rows[2][2]] == ["b1:E", "b1:E", "b1:WS", "b1:S"]
    for key in ("ArrowRight", "w", "ArrowUp"):
        keys.press(key)
    assert board.rows[2][3] == ".+wN"
    expect(page.locator(".yard-said")).to_contain_text("Column 4, row 3: Hull, Rail to the north")
    for key in ("w", "ArrowUp"):
        keys.press(key)
    assert board.rows[2][3] == "."
    choose("slide rail")
    keys.press("1")
    for key in ("Space", "ArrowRight"):
        keys.press(key)
    assert board.rows[2][3] == ".+r124E"
    choose("crystal")
    keys.press("End")
    keys.press("Space")
    assert board.rows[2][11] == "k"
    keys.press("Delete")
    assert board.rows[2][11] == "."
    keys.press("Home")
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "Delete"):
        keys.press(key)
    assert [row[:2] for row in board.rows[2:4]] == [[".", "."], [".", "."]], (
        "the airlock was erased with all that was selected"
    )
    choose("airlock")
    keys.press("Escape")
    keys.press("Space")
    assert [token for row in board.rows for token in row].count("a") == 1
    drawn = board.rows
    ship = save(page, "Keys")
    assert [[ship.at(x, y).token for x in range(SIDE)] for y in range(SIDE)] == drawn


def test_a_cell_is_described_under_the_pointer_and_has_switches(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)
    said = page.locator(".yard-said")

    # The pointer shows the cell and the edge below it.
    page.mouse.move(*board.at(5, 0))
    expect(page.locator(".yard-under")).to_have_text("Column 6, row 1: Hull, Checkpoint 1")
    board.take("Rail")
    board.click(2.5, 2.05)
    page.get_by_role("button", name="Erase").click()
    page.mouse.move(*board.at(2.5, 2.05))
    expect(page.locator(".yard-hover")).to_have_attribute("data-edge", "N")
    page.mouse.move(*board.at(2.5, 2.95))
    expect(page.locator(".yard-hover")).to_have_attribute("data-edge", "")
    page.keyboard.press("Control+z")
    expect(page.locator(".yard-under")).to_have_text("Column 3, row 3: Hull")
    page.mouse.move(0, 0)
    expect(page.locator(".yard-under")).to_have_text("")

    # A line about a cell follows the cell.
    restart(page)
    page.get_by_role("button", name="Select and move").click()
    board.click(0, 3)
    expect(said).to_have_text("Column 1, row 4: Airlock")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("")
    page.keyboard.press("Control+z")
    expect(said).to_have_text("Undone: Text")

    # The contents of a cell have small switches.
    restart(page)
    board.take("Launch bay")
    board.click(2, 2)
    cell = page.get_by_role("region", name="This cell")
    expect(cell).to_contain_text("Column 3, row 3")
    cell.get_by_role("button", name="Phase 5").click()
    assert board.rows[2][2] == "d245"
    cell.get_by_role("button", name="Remove Launch bay, shut in phases 2, 4 and 5").click()
    assert board.rows[2][2] == "."

    # Pressed buttons can be described while the pointer is over them.
    Board(page).take("Docking arm")
    for name in ("Erase", "Phase 3"):
        button = page.get_by_role("button", name=name)
        resting = page.get_by_role("button", name="Draw") if name == "Erase" else button
        before = resting.evaluate("each => getComputedStyle(each).backgroundColor")
        button.hover()
        if name == "Erase":
            button.click()
        expect(button).to_have_css("background-color", before)


def test_an_abandoned_drawing_is_kept_and_offered_again(open_editor: Callable[..., Page]) -> None:
    ship = HALL.saved()
    page = open_editor(address(ship))
    board = Board(page)
    board.take("Space")
    board.click(3, 3)
    warned: list[str] = []

    def leave(dialog: Dialog) -> None:
        warned.append(dialog.type)
        dialog.accept()

    page.once("dialog", leave)
    page.reload()
    assert warned == ["beforeunload"]
    expect(page.get_by_text("Your last changes weren’t saved")).to_be_visible()
    assert board.rows[3][3] != "~"
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Your last changes weren’t saved")).to_be_hidden()
    assert board.rows[3][3] == "~"
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("Saved as revision 2.")).to_be_visible()
    expect(page.locator(".yard-grid")).to_be_visible()
    expect(page.get_by_text("Your last changes weren’t saved")).to_be_hidden()
    page.goto(f"{STARSHIPS}add/")
    expect(page.locator(".yard-grid")).to_be_visible()
    expect(page.get_by_text("Your last changes weren’t saved")).to_be_hidden()


def test_it_is_accessible_in_light_and_dark(open_editor: Callable[..., Page]) -> None:
    page = open_editor(bypass_csp=True)  # to load axe
    board = Board(page)
    said = page.locator(".yard-said")

    # The cells are read aloud in both themes.
    grid = page.get_by_role("grid", name="Starship cells")
    expect(grid.get_by_role("row")).to_have_count(4)
    expect(grid.get_by_role("gridcell", name="column 6, row 1: Hull, Checkpoint 1")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        found = Axe().run(page, context=".yard", options={"rules": {"color-contrast": {"enabled": True}}})
        assert not found.response["violations"], found.generate_report()

    # Every action by keys is announced.
    board.cell(0, 3).focus()
    for keys, sentence in (
        (["Shift+ArrowRight", "Shift+ArrowUp"], "Selected: 2 × 2 cells"),
        (["r"], "Turn right"),
        (["Shift+M"], "Mirror"),
        (["Delete"], "Clear"),
        (["Control+a"], "Selected: 6 × 4 cells"),
    ):
        for key in keys:
            page.keyboard.press(key)
        expect(said).to_have_text(sentence)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("docking")
    page.keyboard.press("Enter")
    page.keyboard.press("3")
    expect(said).to_have_text("Phases: 1, 2, 4 and 5")
    page.keyboard.press("?")
    expect(page.get_by_role("group", name="Help")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_text("6 × 4 cells").click()
    page.get_by_role("button", name="Add a row or column: Top").click()
    expect(said).to_have_text("6 × 5 cells")


def test_elements_are_found_by_names_of_other_games_and_rulesets(open_editor: Callable[..., Page]) -> None:
    page = open_editor()

    # Elements are found by their names in other games.
    for asked, found in (
        ("conveyor belt", "Beam of speed 1"),
        ("wall", "Rail"),
        ("pit", "Cooling shaft"),
        ("flag", "Checkpoint"),
        ("RED transporter", "Transporter, red"),
    ):
        page.get_by_label("Search elements").fill(asked)
        page.keyboard.press("Enter")
        expect(page.locator(".yard-tile[aria-pressed=true]")).to_have_text(found)

    # The search prefers elements of the ruleset and marks the rest.
    page.get_by_label("Show elements by ruleset").select_option("robo-runner")
    crusher = page.locator(".yard-tile", has_text="Crusher")
    expect(crusher).to_be_hidden()
    page.get_by_label("Search elements").fill("crusher")
    expect(crusher).to_have_class(re.compile("is-unknown"))
    page.get_by_label("Search elements").fill("slide")
    page.keyboard.press("Enter")
    expect(page.locator(".yard-tile[aria-pressed=true]")).to_have_text("Slide rail")
    page.get_by_label("Search elements").fill("a robot")
    page.keyboard.press("Enter")
    expect(page.locator(".yard-tile[aria-pressed=true]")).not_to_have_class(re.compile("is-unknown"))


def test_the_text_and_the_drawing_follow_each_other(open_editor: Callable[..., Page]) -> None:
    page = open_editor(address(HALL.saved()))
    board = Board(page)
    text = page.locator("textarea.starship-document")
    text.fill(json.dumps({"format": "starship/1", "name": "Odd", "rows": ["a qq .+i1", ". b1:E .+zz"]}))
    expect(page.locator(".yard-grid [role=gridcell]")).to_have_count(6)
    expect(page.locator(".yard-picture .unknown > g")).to_have_count(2)
    expect(board.cell(1, 0)).to_have_attribute(
        "aria-label", "column 2, row 1: Unknown: qq: The floor “qq” is unknown."
    )
    problem = page.locator(".yard-problems").get_by_role("button", name="The floor “qq” is unknown.")
    problem.click()
    expect(board.cell(1, 0)).to_be_focused()
    page.keyboard.press("Delete")
    assert board.rows[0] == ["a", ".", ".+i1"]
    assert json.loads(text.input_value())["name"] == "Odd"
    assert board.rows[1][2] == ".+zz", "what is not known stays"
    text.fill("{")
    expect(page.get_by_text("Fix it to continue drawing.")).to_be_visible()
    text.fill(json.dumps({"format": "starship/1", "rows": ["a .+i1"]}))
    expect(page.get_by_text("Fix it to continue drawing.")).to_be_hidden()
    expect(page.locator(".yard-grid [role=gridcell]")).to_have_count(2)


def test_staff_see_findings_of_the_wind_tunnel_without_flights(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    text = page.locator("textarea.starship-document")
    text.fill(json.dumps({**SMALL, "rows": [". . . . .+i1+wNESW", "a . . . ."]}))
    finding = page.locator(".yard-findings .is-red button").first
    expect(finding).to_contain_text("no route from the start cell at column 1, row 2 to checkpoint 1.")
    finding.click()
    expect(finding).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".yard-marks .is-finding.is-red")).to_have_count(2)
    expect(Board(page).cell(4, 0)).to_have_attribute("aria-label", re.compile("There is no route"))


def test_name_builder_and_story_have_fields_beside_the_cells(open_editor: Callable[..., Page]) -> None:
    page = open_editor()
    board = Board(page)
    text = page.locator("textarea.starship-document")
    page.get_by_label("Name", exact=True).fill("Odd / one")
    page.get_by_label("Builder", exact=True).fill("Erin")
    page.keyboard.press("Enter")
    page.get_by_label("Story", exact=True).fill("Two\nlines")
    board.take("Space")
    board.click(2, 2)
    document = json.loads(text.input_value())
    assert [document[key] for key in ("name", "builder", "description")] == [
        "Odd / one",
        "Erin",
        "Two\nlines",
    ]
    assert document["rows"][2].split()[2] == "~"
    text.fill(json.dumps({**document, "name": "Even"}))
    expect(page.get_by_label("Name", exact=True)).to_have_value("Even")
    page.get_by_label("Section").select_option("Fleet")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    assert Starship.objects.filter(name="Even").exists()
