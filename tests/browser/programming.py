"""Helpers for tests about programming a robot."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

import rules
from accounts.models import User
from games.play import stored
from games.play.models import Draft, Game, Program
from games.play.preview import preview
from tests.games.support import hand_of, open_turn

OpenPage = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def chips_in_registers(page: Page) -> list[str]:
    """Return the numbers of the chips in the registers, or "" for empty ones."""
    lists = page.locator("[data-register] select")
    return [lists.nth(number).input_value() for number in range(lists.count())]


def hand(page: Page) -> list[str]:
    chips: list[str] = page.locator("[data-chip]").evaluate_all(
        "items => items.map(item => item.dataset.chip)"
    )
    return chips


def key(page: Page, number: int) -> Any:
    """Return the chip at the given position in the hand, counted from 1."""
    return page.locator(".chip-key").nth(number - 1)


def register(page: Page, number: int) -> Any:
    """Return the register with the given number, counted from 1."""
    return page.locator(f"[data-register='{number}']")


def programs(game: Game) -> list[list[int]]:
    """Return the submitted programs of the open turn."""
    found = Program.objects.filter(hand__turn=open_turn(game))
    return [program.orders["registers"] for program in found]


def draft_of(game: Game, user: User) -> list[int | None] | None:
    """Return the registers of a player's draft, or None if there is no draft."""
    draft = Draft.objects.filter(hand__turn=open_turn(game), hand__seat__user=user).first()
    return draft.orders.get("registers") if draft else None


def deal(game: Game, user: User, *kinds: str) -> list[int]:
    """Put chips of the given kinds first in a player's hand. Return the new hand."""
    hand = hand_of(game, user)
    taken: list[int] = []
    for kind in (*kinds, *"LRLRLRLRL"):
        taken.append(next(n for n, chip in rules.CHIPS.items() if chip.kind == kind and n not in taken))
    hand.chips["chips"] = taken[: max(9, len(kinds))][:9]
    hand.save()
    return list(hand.chips["chips"])


def change_robot(game: Game, user: User, **changes: Any) -> None:
    """Change the player's robot in the open turn: ``cell``, ``heading``, ``damage`` …"""
    turn = open_turn(game)
    turn.snapshot["robots"][game.players.get(user=user).number - 1].update(changes)
    turn.save()


def preview_phases(game: Game, user: User, registers: list[int | None]) -> list[tuple[int, list[int], str]]:
    """Return each phase with the robot's cell and heading after it, from the API's preview."""
    document = {"registers": registers}
    answer = preview(viewer=user, game=game, turn_number=open_turn(game).number, document=document)
    setup = stored.setup_of(game)
    state = stored.start_of(open_turn(game), setup.starship)
    index = game.players.get(user=user).number - 1
    terms = stored.vocabulary_of(setup.starship, state)
    positions = []
    for phase in range(1, 6):
        upto = [event for event in answer["events"] if event["phase"] <= phase]
        folded = rules.fold(state, rules.events_from_json(terms, upto))
        robot = rules.robot_to_json(terms, folded.robots[index])
        positions.append((phase, robot["at"], robot["heading"]))
    return positions


def ghosts(page: Page) -> dict[int, list[int]]:
    """Return the cells of the ghosts on the board, by phase.

    A ghost shows a robot's expected position.
    """
    drawn = page.locator("[data-board] .outlook .ghost").evaluate_all(
        "all => all.map(each => [each.dataset.phases, Number(each.dataset.x), Number(each.dataset.y)])"
    )
    return {int(phase): [x, y] for phases, x, y in drawn for phase in phases}


def drag(page: Page, start: Any, end: Any) -> None:
    """Drag the mouse from the centre of one element to the centre of another."""
    start.scroll_into_view_if_needed()
    (to_x, to_y), (x, y) = middle(end), middle(start)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + (to_x - x) * step / 5, y + (to_y - y) * step / 5)
    page.mouse.up()


def touch_drag(page: Page, start: Any, end: Any) -> None:
    """Drag a finger from the centre of one element to the centre of another."""
    start.scroll_into_view_if_needed()
    (to_x, to_y), (x, y) = middle(end), middle(start)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": left, "y": top} for left, top in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
    # Without stops, the lifted finger flings the page, and the next tap only stops it.
    for _ in range(3):
        page.wait_for_timeout(60)
        touch("touchMove", (to_x, to_y))
    touch("touchEnd")


def middle(element: Any) -> tuple[float, float]:
    """Return the coordinates of an element's centre in the window, in pixels."""
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_in(page: Page, turn: int) -> None:
    """Wait until the page confirms that a program was submitted."""
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    expect(page.locator("form[data-orders]")).to_have_attribute("data-turn", str(turn))
