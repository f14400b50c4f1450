"""German pages in a real browser: long words fit, and scripts speak German."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game
from roborunner import translations
from roborunner.translations import read
from tests.browser.programming import PHONE
from tests.browser.test_watching import after
from tests.browser.widths import too_wide
from tests.games.support import Table
from tests.support.languages import GERMAN_FILE, speak_german


@pytest.fixture
def german(settings: Any, tmp_path: Path, people: tuple[User, User]) -> None:
    """Turn German on, and make it Alice's language."""
    translations.compile_all()
    speak_german(settings, tmp_path / "locale", read(GERMAN_FILE))
    User.objects.filter(pk=people[0].pk).update(language="de")


def test_german_fits_and_scripts_speak_it(
    german: None, game: Game, alices: Callable[..., Page], open_page: Callable[..., Page]
) -> None:
    stranger = open_page(locale="de-DE")
    assert not too_wide(stranger, ("/", "/accounts/login/", "/accounts/signup/", "/games/quick/"))
    page = alices()
    paths = ("/", "/my-room/", "/games/new/", "/settings/profile/", "/settings/news/", "/settings/")
    assert not too_wide(page, (*paths, f"/games/{game.pk}/"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.evaluate("django.catalog['Close']") == "Schließen"


def test_a_german_film_on_a_phone_keeps_its_buttons_in_two_rows(
    german: None, alices: Callable[..., Page], table: Table, people: tuple[User, User]
) -> None:
    page = alices(**PHONE)
    page.goto(after(table, people, turns=3, seen=0).get_absolute_url())
    page.locator("[data-offer-watch]").tap()
    expect(page.locator("[data-done]")).to_have_text("Überspringen")
    expect(page.locator("[data-done]")).to_be_visible()
    tops = page.locator(".player-row > .button").evaluate_all("all => all.map((each) => each.offsetTop)")
    assert len({*tops}) == 2
