"""German pages in a real browser: longer words fit, and scripts speak German."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game
from roborunner import translations
from roborunner.translations import LOCALE, read
from tests.browser.widths import too_wide
from tests.support.languages import speak_german


@pytest.fixture
def german(settings: Any, tmp_path: Path, people: tuple[User, User]) -> None:
    """Turn German on. Alice reads it."""
    translations.compile_all()
    speak_german(settings, tmp_path / "locale", read(LOCALE / "de" / "LC_MESSAGES" / "django.po"))
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
