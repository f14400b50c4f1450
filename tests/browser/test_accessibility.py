"""Every page, looked at by axe-core in a real browser: wide by day, and narrow by night.

Beside it what audits of good practice ask for: a language, a title, one heading of the first rank, headings
in order, pictures with their texts, nothing in the console.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page

from tests.browser.signing_in import sign_in
from tests.support.pages import World, make_world, pages
from tests.support.site import Site

SCREENS: dict[str, dict[str, Any]] = {
    "wide, by day": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "narrow, by night": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}
OPTIONS = {"resultTypes": ["violations"]}

GOOD_PRACTICE = """() => {
  const faults = [];
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(seen);
  const ranks = headings.map((heading) => Number(heading.localName[1]));
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title.trim()) faults.push("no title");
  if (ranks.filter((rank) => rank === 1).length !== 1) faults.push(`headings of the first rank: ${ranks}`);
  if (ranks.some((rank, index) => index && rank > ranks[index - 1] + 1)) faults.push(`ranks: ${ranks}`);
  for (const image of document.querySelectorAll("img:not([alt])")) faults.push(`no text: ${image.outerHTML}`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push("scrolls sideways");
  return faults;
}"""


@pytest.fixture
def world(site: Site, settings: Any, tmp_path: Path) -> World:
    settings.MAIL_DIRECTORY = tmp_path / "mails"
    return make_world(settings.MAIL_DIRECTORY)


def faults_of(page: Page, path: str) -> Iterator[str]:
    """Yield what is wrong with a page, a line for each fault."""
    told: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(message.text)

    page.on("console", note)
    answer = page.goto(path)
    yield from (f"console: {text}" for text in told if not (answer and answer.status >= 400))
    page.remove_listener("console", note)
    # Those of Django's own pages for staff are not ours to mend.
    if "/admin/" not in path:
        yield from page.evaluate(GOOD_PRACTICE)
    for violation in Axe().run(page, options=OPTIONS).response["violations"]:
        for node in violation["nodes"][:4]:
            where = " ".join(map(str, node["target"]))
            yield f"{violation['id']} ({violation['impact']}): {where}: {node['html'][:200]}"


WHAT_MATTERS = {"Dave": ("/games/", "/room/", "/my-room/"), "Erin": ("/admin/", "/mail/")}
"""Of what these see, the rest is as others see it."""


@pytest.mark.parametrize(
    ("name", "screen"),
    [
        (None, "wide, by day"),
        (None, "narrow, by night"),
        ("Alice", "wide, by day"),
        ("Alice", "narrow, by night"),
        ("Dave", "narrow, by night"),
        ("Erin", "wide, by day"),
    ],
)
def test_every_page_is_accessible_and_well_made(
    open_page: Callable[..., Page], world: World, site: Site, name: str | None, screen: str
) -> None:
    # Axe is brought along by the test, and no part of the site, whose policy would not have it.
    page = open_page(bypass_csp=True, reduced_motion="reduce", **SCREENS[screen])
    if name:
        sign_in(page, world.people[name], site)

    def get(path: str) -> tuple[int, str, str]:
        answer = page.request.get(path, max_redirects=0)
        kind = answer.headers.get("content-type", "")
        return answer.status, kind, answer.text() if kind.startswith("text/html") else ""

    parts = WHAT_MATTERS.get(name or "", ("/",))
    paths = [seen.path for seen in pages(world, get) if seen.path.startswith(parts)]
    assert paths
    faults = {path: found for path in paths if (found := list(faults_of(page, path)))}
    report = "\n".join(f"{path}\n  " + "\n  ".join(found) for path, found in faults.items())
    assert not faults, report
