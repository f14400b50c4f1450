"""Programming a robot in a real browser, by mouse, touch and keyboard."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.lobby.seats import join_game
from games.play.models import Game, Program
from tests.browser.programming import (
    PHONE,
    OpenPage,
    change_robot,
    chips_in_registers,
    deal,
    drag,
    ghosts,
    hand,
    is_in,
    key,
    middle,
    preview_phases,
    programs,
    register,
    touch_drag,
)
from tests.browser.signing_in import sign_in
from tests.games.support import LANE, WORKSHOP, Table, hand_of
from tests.support.site import Site


@pytest.fixture
def alices(open_page: OpenPage, people: tuple[User, User], game: Game, site: Site) -> Callable[..., Page]:
    """A function that opens the game's page for Alice."""

    def open_one(**options: object) -> Page:
        page = open_page(**options)
        sign_in(page, people[0], site)
        page.goto(game.get_absolute_url())
        return page

    return open_one


def test_chips_are_dragged_with_the_mouse_and_dropped(alices: OpenPage, game: Game) -> None:
    page = alices()

    # Chips are dragged into any register, swapped and taken out.
    chips = hand(page)
    drag(page, key(page, 2), register(page, 4))
    drag(page, key(page, 5), register(page, 1))
    assert chips_in_registers(page) == [chips[4], "", "", chips[1], ""]
    drag(page, register(page, 1), register(page, 4))  # both are filled and swap
    assert chips_in_registers(page) == [chips[1], "", "", chips[4], ""]
    drag(page, register(page, 4), register(page, 2))  # moves to the empty one
    assert chips_in_registers(page) == [chips[1], chips[4], "", "", ""]
    drag(
        page, key(page, 7), register(page, 2)
    )  # from the hand onto a filled register, which returns its chip
    assert chips_in_registers(page) == [chips[1], chips[6], "", "", ""]
    expect(key(page, 5)).to_have_attribute("aria-pressed", "false")
    drag(page, register(page, 1), page.locator("#panel-title"))
    assert chips_in_registers(page) == ["", chips[6], "", "", ""]
    drag(page, key(page, 1), page.locator("#panel-title"))  # onto nothing, without effect
    assert chips_in_registers(page) == ["", chips[6], "", "", ""]
    register(page, 2).click()
    assert chips_in_registers(page) == [""] * 5
    expect(page.locator(".chip-afloat")).to_have_count(0)

    # Escape drops a dragged chip.
    box = key(page, 1).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] - 40, steps=4)
    expect(page.locator(".chip-afloat")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".chip-afloat")).to_have_count(0)
    page.mouse.up()
    assert chips_in_registers(page) == [""] * 5
    expect(page.locator("dialog[open]")).to_have_count(0)

    # Chips dropped in other places return.
    for place in ("[data-run]", "[data-board] > svg", ".mate", "[data-hint]"):
        drag(page, key(page, 1), page.locator(place).first)
        assert chips_in_registers(page) == [""] * 5
    expect(page.locator(".chip-afloat, dialog[open]")).to_have_count(0)
    assert programs(game) == []


def test_a_program_is_submitted_with_a_finger(alices: OpenPage, game: Game) -> None:
    page = alices(**PHONE)
    chips = hand(page)
    key(page, 1).tap()
    key(page, 2).tap()
    touch_drag(page, key(page, 9), register(page, 5))
    touch_drag(page, register(page, 1), register(page, 2))
    assert chips_in_registers(page) == [chips[1], chips[0], "", "", chips[8]]
    touch_drag(page, register(page, 5), page.locator("#panel-title"))
    assert chips_in_registers(page) == [chips[1], chips[0], "", "", ""]
    register(page, 2).tap()
    expect(register(page, 2)).to_have_class(re.compile("is-empty"))
    for number in (3, 4, 5, 6):
        key(page, number).tap()
    page.get_by_role("button", name="Run").tap()
    is_in(page, 1)
    assert programs(game) == [[int(chips[number - 1]) for number in (2, 3, 4, 5, 6)]]


def test_on_a_phone_board_registers_and_run_stay_in_view_and_cover_no_chip(
    alices: OpenPage, game: Game
) -> None:
    page = alices(**PHONE)

    # On a phone, board, registers and hand are in view together.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for part in (".chip-key", ".register-socket", "[data-run]"):
        box = page.locator(part).first.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, part
    top = page.locator("[data-board] > svg").bounding_box()
    end = page.locator("[data-run]").bounding_box()
    assert top
    assert end
    assert end["y"] + end["height"] - top["y"] <= 844

    # On a phone, registers and Run stay in view and cover no chip.
    height = page.evaluate("document.documentElement.scrollHeight")
    for down in (0, 150, 300, height):
        page.evaluate("down => scrollTo(0, down)", down)
        for part in [page.locator("[data-run]"), *(register(page, number) for number in range(1, 6))]:
            box = part.bounding_box()
            assert box
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
            assert 0 <= box["y"] <= box["y"] + box["height"] <= 844
    page.evaluate("scrollTo(0, 0)")
    for chip in range(1, 10):  # each chip can be seen and pressed above the registers
        box, bar = key(page, chip).bounding_box(), register(page, 1).bounding_box()
        assert box
        assert bar
        assert 0 <= box["y"] <= box["y"] + box["height"] <= bar["y"]
        assert key(page, chip).evaluate(
            "(each, at) => each.contains(document.elementFromPoint(...at))", list(middle(key(page, chip)))
        )
    for chip in range(1, 6):
        key(page, chip).tap()
    page.locator("[data-run]").tap()
    is_in(page, 1)
    assert len(programs(game)) == 1


def test_keys_are_shown_and_lay_chips_take_them_back_and_run(alices: OpenPage, game: Game) -> None:
    page = alices()

    # Chips show their keys only to readers who use keys.
    hints = page.locator(".key-hint")
    expect(hints).to_have_count(len(hand(page)))
    expect(hints.first).to_be_hidden()  # a number on an arrow would look like a number of cells
    page.keyboard.press("1")
    expect(hints.first).to_be_visible()
    page.locator("#panel-title").click()
    expect(hints.first).to_be_hidden()
    key(page, 1).focus()
    page.keyboard.press("ArrowRight")
    expect(hints.first).to_be_visible()

    # Enter on a control activates that control.
    page.keyboard.press("Delete")
    for number in "12345":
        page.keyboard.press(number)
    page.locator("[data-aid] input").focus()
    page.locator("[data-clear]").focus()
    page.keyboard.press("Enter")
    assert chips_in_registers(page) == [""] * 5
    assert not programs(game)

    # Keys lay chips, take them back and run.
    page.locator("#panel-title").click()
    chips = hand(page)
    for number in "12345":
        page.keyboard.press(number)
    expect(page.locator("[data-hint]")).to_have_text("Ready to run")
    page.keyboard.press("Backspace")
    assert chips_in_registers(page) == [*chips[:4], ""]
    page.keyboard.press("Delete")
    assert chips_in_registers(page) == [""] * 5
    for number in "98765":
        page.keyboard.press(number)
    page.keyboard.press("Enter")
    is_in(page, 1)
    assert programs(game) == [[int(chip) for chip in chips[:3:-1]]]
    expect(page.locator("#panel-title")).to_be_focused()


def test_arrow_keys_choose_the_register_to_fill(alices: OpenPage) -> None:
    page = alices()
    chips = hand(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "Register 3: empty. Put the next chip here.")
    page.keyboard.press("4")
    assert chips_in_registers(page) == ["", "", chips[3], "", ""]
    expect(page.locator("[data-told]")).to_contain_text("now in register 3. 4 registers to fill")
    expect(focused).to_have_attribute("aria-label", re.compile("Register 1: empty"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")  # this register gets the next chip
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert chips_in_registers(page) == ["", chips[1], chips[3], "", ""]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("7")  # onto a filled register, which returns its chip to the hand
    assert chips_in_registers(page) == ["", chips[6], chips[3], "", ""]


def test_lazybots_pause_has_its_key(open_page: OpenPage, people: tuple[User, User], site: Site) -> None:
    alice, bob = people
    now = timezone.now()
    game = Table(WORKSHOP.saved()).game(alice, ruleset="group-11", seats=2, model="lazybot", now=now)
    join_game(user=bob, game_id=game.pk, model="tanky", now=now)
    page = open_page()
    sign_in(page, alice, site)
    page.goto(game.get_absolute_url())
    for pressed in ("1", "p", "2", "3", "4"):
        page.keyboard.press(pressed)
    assert chips_in_registers(page)[1] == "P"
    page.keyboard.press("Enter")
    is_in(page, 1)
    assert Program.objects.get(hand=hand_of(game, alice)).orders["registers"][1] == "P"


def test_locked_registers_refuse_chips_with_a_reason(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    locked = [None, None, None, "L@170", "2@730"]
    change_robot(game, people[0], damage=6, registers=locked)
    page = alices()
    why = "Register 5 is locked by damage: it repeats its chip."
    register(page, 5).click()
    expect(page.locator("[data-hint]")).to_have_text(why)
    expect(page.locator("[data-told]")).to_have_text(why)
    expect(register(page, 5)).to_have_class(re.compile("is-refusing"))
    key(page, 1).click()
    drag(page, key(page, 2), register(page, 4))
    expect(page.locator("[data-hint]")).to_have_text(why.replace("5", "4"))
    drag(page, register(page, 5), register(page, 2))
    expect(page.locator("[data-hint]")).to_have_text(why)
    assert chips_in_registers(page) == [hand(page)[0], "", ""]
    page.keyboard.press("ArrowLeft")
    expect(page.locator(":focus")).to_have_attribute("aria-label", re.compile("Forward 2, locked by damage"))


def test_the_ghost_is_in_the_server_s_cell_in_every_phase(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    change_robot(game, people[0], cell=[1, 3], heading="E")
    numbers = deal(game, people[0], "2", "R", "1", "U", "3", "B")
    page = alices()
    laid: list[int | None] = [None] * 5
    for place, pressed in enumerate((1, 2, 3, 4, 5)):
        page.keyboard.press(str(pressed))
        laid[place] = numbers[pressed - 1]
        expected = {phase: at for phase, at, _ in preview_phases(game, people[0], laid) if phase <= place + 1}
        expect(page.locator("[data-board] .ghost.last")).to_have_attribute(
            "data-phases", re.compile(str(place + 1))
        )
        assert ghosts(page) == expected
        heading = preview_phases(game, people[0], laid)[place][2]
        expect(page.locator("[data-board] .ghost.last")).to_have_attribute("data-heading", heading)
    drag(page, register(page, 5), register(page, 1))
    swapped = [laid[4], *laid[1:4], laid[0]]
    end = preview_phases(game, people[0], swapped)[4]
    expect(page.locator("[data-foreseen]")).to_have_text(
        re.compile(f"column {end[1][0] + 1}, row {end[1][1] + 1} after phase 5")
    )
    assert ghosts(page) == {phase: at for phase, at, _ in preview_phases(game, people[0], swapped)}
    page.keyboard.press("Delete")
    expect(page.locator("[data-board] .ghost")).to_have_count(0)


def test_a_program_ending_in_space_is_crossed_out(
    open_page: OpenPage, people: tuple[User, User], site: Site
) -> None:
    alice, _ = people
    lane = Table(LANE.saved())
    game = lane.game(alice, now=timezone.now())
    lane.play(game, alice, now=timezone.now())
    change_robot(game, alice, heading="S")
    deal(game, alice, "R", "1")
    page = open_page()
    sign_in(page, alice, site)
    page.goto(game.get_absolute_url())
    page.keyboard.press("2")
    expect(page.locator("[data-board] .ghost.lost")).to_have_attribute("data-phases", "1")
    expect(page.locator(".orders-run [data-hint]")).to_contain_text(
        "you drive off the edge at column 1, row 1"
    )
    expect(page.locator("[data-told]")).to_contain_text("destroyed in phase 1")
    page.keyboard.press("Delete")
    expect(page.locator("[data-hint]")).to_have_text("5 registers to fill")
    page.keyboard.press("1")
    expect(page.locator("[data-board] .ghost.last")).to_have_attribute("data-heading", "W")
    expect(page.locator("[data-board] .ghost.lost")).to_have_count(0)


def test_games_without_programming_aid_show_no_ghost(
    open_page: OpenPage, people: tuple[User, User], site: Site
) -> None:
    alice, _ = people
    options = {"programming_aid": False}
    table = Table(WORKSHOP.saved())
    game = table.game(alice, people[1], ruleset="group-11", options=options, now=timezone.now())
    page = open_page()
    sign_in(page, alice, site)
    page.goto(game.get_absolute_url())
    page.keyboard.press("1")
    expect(page.locator("[data-hint]")).to_have_text("4 registers to fill")
    expect(page.get_by_label("Show preview")).to_have_count(0)
    expect(page.locator("[data-board] .ghost")).to_have_count(0)


def test_the_ghost_can_be_switched_off_permanently_in_the_panel(alices: OpenPage, game: Game) -> None:
    page = alices(reduced_motion="reduce")

    # Chips move at once for readers with reduced motion.
    key(page, 1).click()
    moving = "document.getAnimations().filter((each) => each.effect.target?.closest('.panel')).length"
    assert page.evaluate(moving) == 0

    # Switched off in the panel, the ghost stays off.
    expect(page.locator("[data-board] .ghost")).not_to_have_count(0)
    with page.expect_response("**/settings/**"):
        page.get_by_label("Show preview").uncheck()
    expect(page.locator("[data-board] .ghost")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Show preview")).not_to_be_checked()
    page.keyboard.press("2")
    page.wait_for_timeout(500)
    expect(page.locator("[data-board] .ghost")).to_have_count(0)
