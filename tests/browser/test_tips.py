"""What everything is, in a real browser: by pointer, by keyboard, by finger, and without script."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import CDPSession, Locator, Page, expect

from accounts.models import User
from games.play.models import Game
from games.play.pages.crew import CHIPS, PIECES
from tests.browser.signing_in import sign_in
from tests.games.support import Board, Table
from tests.support.site import Site

OpenPage = Callable[..., Page]
TOUCH = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
DECK = Board("Deck", ("a b1:E g- o", ". .+i1*2 .+wN+p24N d3", ". . . ."))


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    """Alice and Bob in turn 1, both on the airlock in the corner."""
    table = Table(DECK.saved())
    game = table.game(*people, now=timezone.now())
    table.play(game, *people, now=timezone.now())
    return game


@pytest.fixture
def alices(open_page: OpenPage, people: tuple[User, User], game: Game, site: Site) -> Callable[..., Page]:
    """Opens the game's page for Alice."""

    def open_one(**options: object) -> Page:
        page = open_page(**options)
        sign_in(page, people[0], site)
        page.goto(game.get_absolute_url())
        expect(page.locator("#tip")).to_be_attached()
        return page

    return open_one


def tip(page: Page) -> Locator:
    return page.locator("#tip")


def point_at(page: Page, x: int, y: int) -> None:
    """Move the mouse to the middle of a cell."""
    left, top = middle(page, x, y)
    page.mouse.move(left, top)


def middle(page: Page, x: int, y: int) -> tuple[float, float]:
    """Return where the middle of a cell is in the window."""
    page.locator("[data-board]").scroll_into_view_if_needed()
    left, top = page.locator("[data-board] > svg").evaluate(
        """(drawing, [x, y]) => {
            const point = new DOMPoint(x * 32 + 16, y * 32 + 16).matrixTransform(drawing.getScreenCTM());
            return [point.x, point.y];
        }""",
        [x, y],
    )
    return left, top


# --- By pointer ---------------------------------------------------------------------------------------------


def test_the_board_says_under_the_pointer_what_is_in_a_cell(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1440, "height": 900})

    # A cell says what is in it.
    point_at(page, 2, 1)
    expect(tip(page)).to_be_visible()
    expect(tip(page)).to_contain_text("Column 3, row 2")
    expect(tip(page)).to_contain_text("Rail in the north")
    expect(tip(page)).to_contain_text("Docking arm that pushes south in phases 2 and 4")
    point_at(page, 3, 1)
    expect(tip(page)).to_contain_text("Launch bay, shut in phase 3")
    point_at(page, 1, 1)
    expect(tip(page)).to_contain_text("Checkpoint 1, your next, repairs left: 2")

    # A robot says in which state it is.
    point_at(page, 0, 0)
    expect(tip(page)).to_contain_text("Alice facing north, virtual")
    expect(tip(page)).to_contain_text("Bob facing")
    expect(tip(page)).to_contain_text("Airlock")

    # The browser's own bubbles are gone and the board keeps its name.
    point_at(page, 0, 0)
    expect(tip(page)).to_be_visible()
    assert page.locator("[data-board] title").count() == 0
    names = page.locator("[data-board] > svg").get_attribute("aria-labelledby") or ""
    assert [page.locator(f"#{name}").count() for name in names.split()] == [1, 1]

    # It goes when what it is about is scrolled away and not with anything else.
    page.set_viewport_size({"width": 1000, "height": 500})
    point_at(page, 2, 1)
    expect(tip(page)).to_contain_text("Column 3, row 2")
    page.evaluate("document.dispatchEvent(new Event('scroll'))")
    expect(tip(page)).to_be_visible()
    page.evaluate("scrollBy({ top: 40, behavior: 'instant' })")
    expect(page.locator("#tip:popover-open", has_text="Column 3, row 2")).to_have_count(0)


def test_the_panel_says_under_the_pointer_what_is_there_until_one_presses(alices: OpenPage) -> None:
    page = alices()

    # It comes after a while and goes with the pointer.
    meter = page.locator(".mate .meter").first
    meter.hover()
    expect(tip(page)).to_be_hidden()
    expect(tip(page)).to_have_text(str(PIECES["health"]))
    expect(tip(page)).to_be_visible()
    page.mouse.move(2, 2)
    expect(tip(page)).to_be_hidden()

    # The pointer may go over to it.
    page.locator(".mate .meter").first.hover()
    expect(tip(page)).to_be_visible()
    tip(page).hover()
    page.wait_for_timeout(300)
    expect(tip(page)).to_be_visible()

    # Escape hides it and does nothing else.
    page.locator(".mate .meter").first.hover()
    expect(tip(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()
    expect(page.locator("dialog[open]")).to_have_count(0)

    # A press hides the bubble at once.
    page.mouse.move(2, 2)
    page.locator(".hand .chip-key").first.hover()
    expect(tip(page)).to_be_visible()
    page.mouse.down()
    assert not tip(page).is_visible()
    page.mouse.up()

    # Who clicks is not told.
    page.mouse.move(2, 2)
    chip = page.locator(".hand .chip-key").first
    chip.hover()
    expect(tip(page)).to_be_visible()
    chip.click()
    page.wait_for_timeout(700)
    expect(tip(page)).to_be_hidden()

    # The same is true if the chip was drawn again under the pointer.
    box = chip.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(700)
    expect(tip(page)).to_be_hidden()


Box = tuple[float, float, float, float]
"""Left, top, right and bottom of something in the window."""


def boxes(page: Page, selector: str) -> list[Box]:
    """Where all that is seen of some elements is."""
    found: list[Box] = page.locator(selector).evaluate_all(
        """all => all.map((each) => each.getBoundingClientRect())
            .filter(({ width, height }) => width && height)
            .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    )
    return found


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > 1
        and min(one[3], other[3]) - max(one[1], other[1]) > 1
    )


def test_no_bubble_of_the_panel_covers_what_one_may_press_next(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1100, "height": 768})
    for selector in (".chip-key", ".register-socket", "[data-run]", "[data-clear]"):
        things = page.locator(selector)
        for thing in (things.first, things.last)[: things.count()]:
            page.mouse.move(2, 2)
            expect(tip(page)).to_be_hidden()
            thing.hover()
            expect(tip(page)).to_be_visible()
            (bubble,) = boxes(page, "#tip")
            pressed = boxes(page, ".panel :is(button, input, label, [data-hint])")
            assert len(pressed) > 15
            assert not [each for each in pressed if overlap(bubble, each)], (selector, bubble)


def test_the_bubble_of_a_cell_leaves_neighbours_robots_and_the_window_alone(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1440, "height": 900})

    # The bubble of a cell covers neither its neighbours nor robots.
    point_at(page, 2, 1)
    expect(tip(page)).to_be_visible()
    (bubble,) = boxes(page, "#tip")
    left, top = middle(page, 1, 0)
    right, bottom = middle(page, 3, 2)
    assert not overlap(bubble, (left, top, right, bottom))
    assert not [each for each in boxes(page, "[data-board] .robot") if overlap(bubble, each)]

    # It never leaves the window.
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for x, y in ((0, 0), (3, 0), (3, 2), (0, 2)):
            point_at(page, x, y)
            expect(tip(page)).to_contain_text(f"Column {x + 1}, row {y + 1}")
            (bubble,) = boxes(page, "#tip")
            assert min(bubble[:2]) >= 0
            assert bubble[2] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# --- By keyboard --------------------------------------------------------------------------------------------


def test_by_keyboard_everything_is_told_and_accessible(alices: OpenPage) -> None:
    page = alices(bypass_csp=True, reduced_motion="reduce")

    # Arrow keys explore the board from my robot on.
    board = page.get_by_role("application")
    expect(board).to_have_accessible_name("Board: arrow keys lead from cell to cell")
    page.keyboard.press("Tab")
    board.focus()
    spoken = page.locator("p[aria-live=polite].unseen")
    expect(spoken).to_contain_text("Column 1, row 1. Alice: facing")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("Column 2, row 1. Beam of speed 1, to the east: Pulls a robot one cell")
    expect(tip(page)).to_contain_text("Beam of speed 1, to the east")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    expect(spoken).to_contain_text("Column 4, row 1. Cooling shaft")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("Column 4, row 1.")
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()

    # A chip that has the focus is described by it.
    key = page.locator(".hand .chip-key").first
    kind = page.locator(".hand .chip").first.get_attribute("class") or ""
    page.keyboard.press("Tab")
    key.focus()
    expect(key).to_have_accessible_description(str(CHIPS[kind.split("chip-")[1][0]]))
    expect(tip(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(key).not_to_have_attribute("aria-describedby", "tip")

    # What takes no focus is told with the robot's name.
    page.keyboard.press("Tab")
    page.locator(".mate a").first.focus()
    expect(tip(page)).to_contain_text(str(PIECES["lives"]))
    expect(tip(page)).to_contain_text(str(PIECES["health"]))

    # It is accessible while it is shown.
    expect(tip(page)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("application").focus()
    expect(tip(page)).to_contain_text("Column 4, row 1")
    assert violations(page) == []


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with the bubble and all that it describes, by rule."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        answer = Axe().run(
            page, context=["#tip", ".crew", "[data-board]"], options={"resultTypes": ["violations"]}
        )
        found += answer.response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


# --- By finger ----------------------------------------------------------------------------------------------


def finger(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    session.send(
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
    )


def test_a_tap_on_an_arrow_around_my_robot_gives_the_heading_and_explains_nothing(
    open_page: OpenPage, people: tuple[User, User], site: Site
) -> None:
    game = Table(DECK.saved()).game(*people, now=timezone.now())
    page = open_page(**TOUCH)
    sign_in(page, people[0], site)
    page.goto(game.get_absolute_url())
    arrow = page.locator("[data-board] .board-way circle").nth(1)  # east, over a cell
    expect(arrow).to_be_visible()
    box = arrow.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    expect(tip(page)).to_be_hidden()


def test_a_tap_on_a_cell_explains_it_beside_the_board(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    for x, y, what in ((3, 0, "Cooling shaft"), (1, 1, "Checkpoint 1, your next"), (0, 2, "Hull")):
        at = middle(page, x, y)
        page.touchscreen.tap(*at)
        expect(tip(page)).to_contain_text(what)
        (bubble,), (frame,) = boxes(page, "#tip"), boxes(page, ".cell-cursor")
        assert frame[0] < at[0] < frame[2]
        assert frame[1] < at[1] < frame[3]
        wide = frame[2] - frame[0]
        around = (frame[0] - wide, frame[1] - wide, frame[2] + wide, frame[3] + wide)
        assert not overlap(bubble, around), (x, y)
        assert bubble[0] >= 0
        assert bubble[2] <= 390
    page.touchscreen.tap(*middle(page, 0, 2))  # once more: that is enough
    expect(tip(page)).to_be_hidden()
    expect(page.locator(".cell-cursor")).to_have_count(0)


def test_a_long_press_says_what_it_is_and_does_not_take_the_chip(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    key = page.locator(".hand .chip-key").first
    key.scroll_into_view_if_needed()
    box = key.bounding_box()
    assert box is not None
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = finger(page)
    touch(session, "touchStart", at)
    expect(tip(page)).to_be_visible()
    touch(session, "touchEnd")
    page.wait_for_timeout(150)
    expect(tip(page)).to_be_visible()
    expect(page.locator(".register:not(.is-empty)")).to_have_count(0)
    page.touchscreen.tap(*at)
    expect(tip(page)).to_be_hidden()
    expect(page.locator(".register:not(.is-empty)")).to_have_count(1)


def test_a_long_press_on_the_board_says_what_is_there(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    session = finger(page)
    touch(session, "touchStart", middle(page, 3, 0))
    expect(tip(page)).to_contain_text("Cooling shaft")
    touch(session, "touchEnd")


def test_a_second_tap_on_a_robot_shows_its_card(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    left, top, right, bottom = boxes(page, "[data-board] .robot .pose")[-1]
    page.touchscreen.tap((left + right) / 2, (top + bottom) / 2)
    expect(tip(page)).to_contain_text("virtual")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.touchscreen.tap((left + right) / 2, (top + bottom) / 2)
    expect(page.locator("dialog[open] [data-card]")).to_be_visible()


def test_a_finger_that_moves_scrolls_or_drags_and_asks_nothing(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    session = finger(page)
    x, y = middle(page, 1, 1)
    touch(session, "touchStart", (x, y))
    for step in range(1, 6):
        touch(session, "touchMove", (x, y - 8 * step))
    page.wait_for_timeout(700)
    expect(tip(page)).to_be_hidden()
    touch(session, "touchEnd")


# --- Where nothing is played --------------------------------------------------------------------------------


def test_a_starship_s_page_says_what_is_in_its_cells(page: Page, site: Site) -> None:
    starship = DECK.saved()
    page.goto(f"/starships/{starship.pk}/")
    expect(page.get_by_role("application")).to_be_visible()
    point_at(page, 0, 0)
    expect(tip(page)).to_contain_text("Airlock")
