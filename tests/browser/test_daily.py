"""A stranger plays a daily run with the keyboard, from the front page to the line to share."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.games.daily.days import FAR, PAR, saved_day
from tests.rules.daily.positions import HAND
from tests.support.site import Site

LINE = re.compile(
    r"^Robo Runner, daily run 325: ■{5} 3 phases \(par: 3 phases\) http://\S+/daily/results/\d+-\S+/$"
)


def lay(page: Page, program: list[int]) -> None:
    numbers = [int(chip.partition("@")[2]) for chip in HAND]
    for chip in program:
        page.keyboard.press(str(numbers.index(chip) + 1))
    page.keyboard.press("Enter")


def test_a_run_of_two_turns_by_keyboard(open_page: Callable[..., Page], site: Site) -> None:
    saved_day(turns=2)
    page = open_page(permissions=["clipboard-write"])
    page.goto("/")
    page.get_by_role("link", name="Today’s daily run").press("Enter")
    expect(page.get_by_role("heading", name="Turn 1 of 2")).to_be_visible()
    expect(page.locator(".chip-key").first).to_be_visible()
    lay(page, PAR)
    expect(page.get_by_role("heading", name="Turn 2 of 2")).to_be_visible()
    play = page.locator("[data-play]")
    expect(play).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("]")
    expect(page.get_by_role("slider")).to_have_attribute(
        "aria-valuetext", re.compile(r"^Phase \d, \d+ of \d+$")
    )
    lay(page, FAR)
    expect(page.get_by_role("heading", name="3 phases: par!")).to_be_visible()
    expect(page.get_by_label("Your result to share")).to_have_value(LINE)
    page.keyboard.press("Space")
    page.keyboard.press("[")
    page.keyboard.press("[")
    page.keyboard.press(",")
    expect(play).to_have_text("Play turn 1")
    page.get_by_role("button", name="Copy").press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
