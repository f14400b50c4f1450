"""Tips that explain cells and parts of the panel, for all input devices."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import CDPSession, Locator, Page, expect

from accounts.models import User
from games.play.models import Game
from games.play.pages.crew import CHIPS, PIECES
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.games.support import Board, Table
from tests.support.site import Site

OpenPage = Callable[..., Page]
TOUCH = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
DECK = Board("Deck", ("a b1:E g- o", ". .+i1*2 .+wN+p24N d3", ". . . ."))


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 1. Both robots are on the airlock in the corner."""
    table = Table(DECK.saved())
    game = table.game(*people, now=timezone.now())
    table.play(game, *people, now=timezone.now())
    return game


@pytest.fixture
def alices(open_page: OpenPage, people: tuple[User, User], game: Game, site: Site) -> Callable[..., Page]:
    """A function that opens the game's page for Alice."""

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
    left, top = middle(page, x, y)
    page.mouse.move(left, top)


def middle(page: Page, x: int, y: int) -> tuple[float, float]:
    """Return the window coordinates of a cell's centre, in pixels."""
    page.locator("[data-board]").scroll_into_view_if_needed()
    left, top = page.locator("[data-board] > svg").evaluate(
        """(drawing, [x, y]) => {
            const point = new DOMPoint(x * 32 + 16, y * 32 + 16).matrixTransform(drawing.getScreenCTM());
            return [point.x, point.y];
        }""",
        [x, y],
    )
    return left, top


def test_the_board_explains_the_cell_under_the_pointer(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1440, "height": 900})

    # A cell has an explanation.
    point_at(page, 2, 1)
    expect(tip(page)).to_be_visible()
    expect(tip(page)).to_contain_text("Column 3, row 2")
    expect(tip(page)).to_contain_text("Rail to the north")
    expect(tip(page)).to_contain_text("Docking arm that pushes south in phases 2 and 4")
    point_at(page, 3, 1)
    expect(tip(page)).to_contain_text("Launch bay, shut in phase 3")
    point_at(page, 1, 1)
    expect(tip(page)).to_contain_text("Checkpoint 1, your next, repairs left: 2")

    # A robot shows its state.
    point_at(page, 0, 0)
    expect(tip(page)).to_contain_text("Alice facing north, virtual")
    expect(tip(page)).to_contain_text("Bob facing")
    expect(tip(page)).to_contain_text("Airlock")

    # The browser's own bubbles are gone, and the board keeps its name.
    point_at(page, 0, 0)
    expect(tip(page)).to_be_visible()
    assert page.locator("[data-board] title").count() == 0
    names = page.locator("[data-board] > svg").get_attribute("aria-labelledby") or ""
    assert [page.locator(f"#{name}").count() for name in names.split()] == [1, 1]

    # The bubble goes when its element moves or scrolls away, and only then.
    page.set_viewport_size({"width": 1000, "height": 500})
    expect(tip(page)).to_be_hidden()
    point_at(page, 2, 1)
    expect(tip(page)).to_contain_text("Column 3, row 2")
    page.evaluate("document.dispatchEvent(new Event('scroll'))")
    expect(tip(page)).to_be_visible()
    page.evaluate("scrollBy({ top: 85, behavior: 'instant' })")
    expect(page.locator("#tip:popover-open", has_text="Column 3, row 2")).to_have_count(0)


def test_the_panel_explains_the_part_under_the_pointer_until_a_press(alices: OpenPage) -> None:
    page = alices()

    # The bubble comes after a while and goes with the pointer.
    meter = page.locator(".mate .meter").first
    meter.hover()
    expect(tip(page)).to_be_hidden()
    expect(tip(page)).to_have_text(str(PIECES["health"]))
    expect(tip(page)).to_be_visible()
    page.mouse.move(2, 2)
    expect(tip(page)).to_be_hidden()

    # The pointer may move onto the bubble.
    page.locator(".mate .meter").first.hover()
    expect(tip(page)).to_be_visible()
    tip(page).hover()
    page.wait_for_timeout(300)
    expect(tip(page)).to_be_visible()

    # Escape only hides the bubble.
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

    # A click shows no bubble.
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
"""The left, top, right and bottom edges of an element, in pixels of the window."""


def boxes(page: Page, selector: str) -> list[Box]:
    """Return the boxes of all visible elements that match a CSS selector."""
    found: list[Box] = page.locator(selector).evaluate_all(
        """all => all.map((each) => each.getBoundingClientRect())
            .filter(({ width, height }) => width && height)
            .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    )
    return found


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes share more than an edge."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > 1
        and min(one[3], other[3]) - max(one[1], other[1]) > 1
    )


def test_bubbles_of_the_panel_cover_no_buttons(alices: OpenPage) -> None:
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


def test_the_bubble_of_a_cell_covers_no_neighbours_or_robots_and_fits_the_window(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1440, "height": 900})

    # It covers neither its neighbours nor robots.
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


def test_explanations_are_accessible_by_keyboard(alices: OpenPage) -> None:
    page = alices(bypass_csp=True, reduced_motion="reduce")

    # Arrow keys explore the board, beginning at the reader's robot.
    board = page.get_by_role("application")
    expect(board).to_have_accessible_name("Board: move between cells with the arrow keys")
    page.keyboard.press("Tab")
    board.focus()
    spoken = page.locator("p[aria-live=polite].unseen")
    expect(spoken).to_contain_text("Column 1, row 1. Alice: facing")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("Column 2, row 1. Beam of speed 1, running east: Pulls a robot one cell")
    expect(tip(page)).to_contain_text("Beam of speed 1, running east")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    expect(spoken).to_contain_text("Column 4, row 1. Cooling shaft")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("Column 4, row 1.")
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()

    # What was heard goes with the focus. A focused chip has a description.
    key = page.locator(".hand .chip-key").first
    kind = page.locator(".hand .chip").first.get_attribute("class") or ""
    page.keyboard.press("Tab")
    key.focus()
    expect(spoken).to_be_empty()
    expect(key).to_have_accessible_description(str(CHIPS[kind.split("chip-")[1][0]]))
    expect(tip(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(key).not_to_have_attribute("aria-describedby", "tip")

    # Parts without a focus are described with the robot's name.
    page.keyboard.press("Tab")
    page.locator(".mate a").first.focus()
    expect(tip(page)).to_contain_text(str(PIECES["lives"]))
    expect(tip(page)).to_contain_text(str(PIECES["health"]))

    # The visible bubble is accessible.
    expect(tip(page)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("application").focus()
    expect(tip(page)).to_contain_text("Column 4, row 1")
    assert violations(page) == []


def test_the_bubble_of_a_focused_chip_goes_along_with_it(alices: OpenPage) -> None:
    page = alices(viewport={"width": 1440, "height": 900})
    page.keyboard.press("Tab")
    page.locator(".hand .chip-key").last.focus()
    expect(tip(page)).to_be_visible()
    ((left, *_),) = boxes(page, "#tip")
    assert left > 390
    page.set_viewport_size({"width": 390, "height": 844})
    comes_true(page, "document.querySelector('#tip:popover-open').getBoundingClientRect().right <= 390")


def violations(page: Page) -> list[str]:
    """Return axe-core's faults of the tip and of elements with tips, by rule."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        answer = Axe().run(
            page, context=["#tip", ".crew", "[data-board]"], options={"resultTypes": ["violations"]}
        )
        found += answer.response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


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
    page.touchscreen.tap(*middle(page, 0, 2))  # again, to close it
    expect(tip(page)).to_be_hidden()
    expect(page.locator(".cell-cursor")).to_have_count(0)


def test_a_long_press_explains_a_chip_and_does_not_take_it(alices: OpenPage) -> None:
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


def test_a_long_press_on_the_board_explains_the_cell(alices: OpenPage) -> None:
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


def test_a_moving_finger_scrolls_or_drags_without_explanations(alices: OpenPage) -> None:
    page = alices(**TOUCH)
    session = finger(page)
    x, y = middle(page, 1, 1)
    touch(session, "touchStart", (x, y))
    for step in range(1, 6):
        touch(session, "touchMove", (x, y - 8 * step))
    page.wait_for_timeout(700)
    expect(tip(page)).to_be_hidden()
    touch(session, "touchEnd")


def test_a_starship_s_page_explains_its_cells(page: Page, site: Site) -> None:
    starship = DECK.saved()
    page.goto(f"/starships/{starship.pk}/")
    expect(page.get_by_role("application")).to_be_visible()
    point_at(page, 0, 0)
    expect(tip(page)).to_contain_text("Airlock")


def test_no_tip_comes_when_the_page_changes_below_a_resting_pointer(alices: Callable[..., Page]) -> None:
    page = alices()
    page.mouse.move(200, 120)
    page.evaluate(
        """() => {
            const note = document.createElement("div");
            note.dataset.tip = "Something new.";
            note.style = "position: fixed; inset: 0; z-index: 99";
            document.querySelector("main").append(note);
            note.addEventListener("pointerover", () => (document.body.dataset.over = ""), { once: true });
        }"""
    )
    expect(page.locator("body")).to_have_attribute("data-over", "")
    page.wait_for_timeout(800)  # longer than a pointer must rest
    expect(tip(page)).to_be_hidden()
