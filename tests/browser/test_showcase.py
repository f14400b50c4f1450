"""The film on the front page plays once it is in view, and waits for readers who want no motion."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.guests import make_guest
from games.lobby.practice import quick_game
from roborunner import translations
from roborunner.translations import read
from tests.browser.signing_in import sign_in
from tests.games.support import LANE
from tests.support.languages import GERMAN_FILE, speak_german
from tests.support.site import Site

FILL = "shape => getComputedStyle(shape).fill"


def test_the_film_plays_by_itself_and_can_be_paused_and_replayed(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto("/")
    button = page.locator("[data-showcase-play]")
    robot = page.locator(".showcase [data-robot='A']")
    expect(button).to_have_text("Pause")
    button.click()
    expect(button).to_have_text("Play")
    button.click()
    expect(button).to_have_text("Replay")
    expect(robot).to_have_attribute("data-y", "0")
    expect(page.locator(".showcase [data-robot='B']")).to_be_hidden()
    expect(page.locator(".showcase .way")).to_have_count(0)
    button.click()
    expect(button).to_have_text("Pause")
    expect(robot).not_to_have_attribute("data-y", "0")


def test_by_day_the_grid_of_the_paper_shows_around_the_ship(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="light")
    page.goto("/")
    assert page.locator(".showcase .space").evaluate(FILL) == "rgba(0, 0, 0, 0)"
    page.emulate_media(color_scheme="dark")
    assert page.locator(".showcase .space").evaluate(FILL) != "rgba(0, 0, 0, 0)"


def test_reduced_motion_keeps_the_picture_of_the_push(open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto("/")
    button = page.locator("[data-showcase-play]")
    expect(button).to_have_text("Play")
    page.wait_for_timeout(1000)
    expect(page.locator(".showcase .way-push")).to_be_visible()
    expect(button).to_have_text("Play")
    button.click()
    expect(button).to_have_text("Replay")


WATCHED = """() => {
  window.seen = new Set();
  const board = document.querySelector(".showcase > svg");
  const add = (selector, say) => board.querySelectorAll(selector).forEach((each) => seen.add(say(each)));
  const note = () => {
    add(".robot.is-driving", ({ dataset }) => `driving ${dataset.robot}`);
    add(".is-push", ({ textContent }) => `push ${textContent}`);
    add(".checkpoints.is-lit > .goal", ({ dataset }) => `goal ${dataset.number}`);
    add(".robot[data-face]", ({ dataset }) => `${dataset.robot} ${dataset.face}`);
  };
  new MutationObserver(note).observe(board, { subtree: true, childList: true, attributes: true });
}"""
"""A script that records later changes of the board."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_push_has_its_number_robots_make_faces_and_the_goal_lights_up(
    motion: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(reduced_motion=motion)
    page.goto("/")
    button = page.locator("[data-showcase-play]")
    if motion == "no-preference":
        button.click()
    page.evaluate(WATCHED)
    button.click()
    expect(button).to_have_text("Replay")
    seen = set(page.evaluate("[...seen]"))
    assert {"push 1", "goal 1", "B pushed", "B lost", "A glad", "A win"} <= seen
    assert ("driving A" in seen) == (motion == "no-preference")
    expect(page.locator(".robot.is-driving")).to_have_count(0)
    button.click()  # from the start
    expect(page.locator(".showcase .checkpoints")).not_to_have_class(re.compile("is-lit"))
    expect(page.locator(".showcase .robot[data-face='win']")).to_have_count(0)


def test_without_a_script_the_picture_shows_the_push(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/")
    expect(page.locator(".showcase .way-push")).to_be_visible()
    expect(page.locator("[data-showcase-play]")).to_be_hidden()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("reader", ["a stranger", "a guest"])
def test_the_button_is_wholly_in_sight_on_phones(
    language: str, reader: str, settings: Any, tmp_path: Path, open_page: Callable[..., Page], site: Site
) -> None:
    LANE.saved()
    translations.compile_all()
    speak_german(settings, tmp_path / "locale", read(GERMAN_FILE))
    page = open_page(
        locale=language, viewport={"width": 390, "height": 664}
    )  # 844 without the browser's bars
    if reader == "a guest":
        guest = make_guest()
        quick_game(user=guest, admits_guests=True, now=timezone.now())
        sign_in(page, guest, site)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    expect(page.locator(".hero-start")).to_be_in_viewport(ratio=1)
