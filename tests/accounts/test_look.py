"""Rules of the visual design that a test can check."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import Client

from rules.drawing import palette

STYLES = Path(settings.BASE_DIR) / "static" / "site"
DAY, NIGHT = 0, 1


def tokens() -> dict[str, tuple[str, str]]:
    """Return the opaque colours of tokens.css by name, in the light and dark theme."""
    pattern = r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)"
    return {
        name: (day, night) for name, day, night in re.findall(pattern, (STYLES / "tokens.css").read_text())
    }


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1, as WCAG 2.2 defines it."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


PAIRS = [
    *((text, ground, 4.5) for text in ("ink", "quiet", "blue") for ground in ("paper", "sheet", "shade")),
    *((text, ground, 4.5) for text in ("move", "good", "fair", "bad") for ground in ("paper", "sheet")),
    *(("on-ink", ground, 4.5) for ground in ("ink", "blue", "good", "fair", "bad")),
    *(("edge", ground, 3.0) for ground in ("paper", "sheet", "shade")),
    ("on-move", "move", 4.5),
    ("ink", "move-wash", 4.5),
    ("bad", "bad-wash", 4.5),
]
"""Colours of texts and edges, each with a background and the minimum contrast."""


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
def test_text_and_edges_contrast_with_their_background(theme: int) -> None:
    colours = tokens()
    for text, ground, least in PAIRS:
        assert contrast(colours[text][theme], colours[ground][theme]) >= least, f"{text} on {ground}"


class AdminStyles:
    """The admin's styles for text and background colours, from Django and the site.

    Only styles with colours from CSS variables count.
    """

    def __init__(self) -> None:
        theirs = [Path(finders.find(f"admin/css/{name}.css") or "") for name in ("base", "widgets", "forms")]
        ours = Path(settings.BASE_DIR) / "static" / "admin_games" / "admin.css"
        self.rules: dict[str, dict[str, str]] = {}
        for path in (*theirs, ours):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
            for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
                for selector in every(selectors):
                    found = re.findall(r"(?:^|[;\s])(color|background(?:-color)?|--[\w-]+):\s*([^;]+)", body)
                    named = {name.replace("background-color", "background"): value for name, value in found}
                    self.rules.setdefault(selector, {}).update(named)
        self.variables = self.rules["html:root"]

    def colour(self, value: str) -> str | None:
        """Return the token that a CSS value refers to, or the value if it is no variable."""
        while match := re.match(r"var\((--[\w-]+)\)", value):
            name = match[1]
            if name not in self.variables:
                return name.removeprefix("--")
            value = self.variables[name]
        return value.strip()

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Yield each selector with its text colour and background colour.

        The background may be inherited.
        """
        for selector, said in self.rules.items():
            parts = selector.split(" ")
            around = (" ".join(parts[:end]) for end in range(len(parts), 0, -1))
            grounds = (self.rules.get(each, {}).get("background", "") for each in around)
            ground = next((each for each in grounds if each.startswith("var(")), "")
            text, under = self.colour(said.get("color", "")), self.colour(ground)
            if text and under:
                yield selector, {"white": "#ffffff"}.get(text, text), under


def every(selectors: str) -> Iterator[str]:
    """Yield each selector of a comma-separated list, with ``:is()`` expanded."""
    text = " ".join(selectors.split())
    if within := re.search(r":is\(([^()]*)\)", text):
        for each in within[1].split(","):
            yield from every(text[: within.start()] + each.strip() + text[within.end() :])
    else:
        yield from (each.strip() for each in text.split(","))


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
def test_text_of_the_admin_contrasts_with_its_background(theme: int) -> None:
    colours = tokens()
    pairs = list(AdminStyles().pairs())
    assert ".selector-chosen-title label" in [selector for selector, *_ in pairs]
    faint = []
    for selector, text, ground in pairs:
        if ground not in colours or (text not in colours and not text.startswith("#")):
            continue
        ink = colours[text][theme] if text in colours else text
        if re.fullmatch(r"#[0-9a-f]{6}", ink) and contrast(ink, colours[ground][theme]) < 4.5:
            faint.append(f"{selector}: {text} on {ground}")
    assert not faint


def test_the_colours_of_ships_match_the_drawings() -> None:
    assert (STYLES / "ship.css").read_text() == palette.stylesheet(), (
        "write static/site/ship.css anew from rules.drawing.palette.stylesheet()"
    )


class Forbidden(HTMLParser):
    """Collects inline scripts and styles, and the addresses of static files."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.files: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if (address := given.get("src") or given.get("href")) and address.startswith("/static/"):
            self.files.append(address.partition("#")[0].removeprefix("/static/"))


def check(page: str) -> None:
    """Fail if a page has inline scripts or styles, or names a missing static file."""
    parser = Forbidden()
    parser.feed(page)
    assert not parser.found
    assert [name for name in parser.files if not finders.find(name)] == []


def test_pages_for_strangers_keep_to_the_policy(client: Client, db: None) -> None:
    for path in ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/"):
        check(client.get(path).content.decode())


def test_pages_for_players_keep_to_the_policy(signed_in: Client) -> None:
    for path in (
        *("/settings/profile/", "/settings/", "/accounts/email/", "/accounts/password/change/"),
        *("/accounts/logout/", "/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/sessions/"),
    ):
        check(signed_in.get(path).content.decode())


def test_the_last_resort_error_page_needs_no_other_file() -> None:
    for name in ("400.html", "500.html", "503.html"):
        page = render_to_string(name)
        check(page)
        assert "Front page" in page


def test_a_missing_page_is_explained(client: Client, db: None) -> None:
    page = client.get("/nowhere/")
    assert page.status_code == 404
    assert b"Nothing but space" in page.content


def test_an_expired_form_is_explained(db: None) -> None:
    page = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "Alice", "password": "x"})
    assert page.status_code == 403
    assert b"Please send the form again" in page.content


def test_an_error_is_tied_to_its_field(client: Client, db: None) -> None:
    page = client.post("/accounts/signup/", {"username": "hull"}).content.decode()
    field = re.search(r"<input[^>]*name=\"username\"[^>]*>", page)
    assert field
    assert 'aria-invalid="true"' in field[0]
    assert 'aria-describedby="id_username_helptext id_username_error"' in field[0]
    assert 'id="id_username_error"' in page
