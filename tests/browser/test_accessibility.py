"""Every page, looked at by axe-core in a real browser: wide by day, and narrow by night.

Beside it what audits of good practice ask for: a language, a title, one heading of the first rank, headings
in order, pictures with their texts, nothing in the console. A page is loaded once, and shown on one screen
after the other: as when a window is made smaller, and night falls. One that is the same as another but for
its words is not looked at again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Browser, ConsoleMessage, Page
from pytest_django import DjangoDbBlocker

from tests.browser.opening import opening
from tests.browser.signing_in import cookie_of
from tests.browser.skeletons import skeleton_of
from tests.support.pages import World, make_world, pages
from tests.support.site import Site


@dataclass(frozen=True)
class Screen:
    """How large the window is, in pixels, and which colours its reader likes."""

    name: str
    width: int
    height: int
    colours: Literal["light", "dark"]

    def show(self, page: Page) -> None:
        """Have a page shown like that."""
        page.set_viewport_size({"width": self.width, "height": self.height})
        page.emulate_media(color_scheme=self.colours, reduced_motion="reduce")


WIDE = Screen("wide, by day", 1440, 900, "light")
NARROW = Screen("narrow, by night", 390, 844, "dark")

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

SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let count = 0; count < 2; count += 1) await frame();
  const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(fading.map((each) => each.finished));
}"""
"""Waits until a page has taken on the screen that it is shown on."""

AXE = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, iframes: false });
  return violations.map(({ id, impact, nodes }) => [
    id, impact, nodes.map(({ target, html }) => [target.join(" "), html]),
  ]);
}"""
"""Looks at a page. What axe would load beforehand no rule needs here, and of style sheets that import others
it asks for the wrong ones. The one frame, around a mail, runs no scripts, so axe could not look into it.
"""


# That there is a database; the tests themselves ask it for nothing.
pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Visited:
    """The world, the site that shows it, and the cookies of those who have logged in.

    ``looked_at`` has screens, each with the skeleton of a page that was looked at on it.
    """

    world: World
    site: Site
    cookies: dict[str, dict[str, str]]
    looked_at: set[tuple[Screen, str]] = field(default_factory=set)

    def new_on(self, screens: tuple[Screen, ...], html: str) -> tuple[Screen, ...]:
        """Return the screens on which no page like this was looked at so far, and note it."""
        skeleton = skeleton_of(html)
        new = tuple(screen for screen in screens if (screen, skeleton) not in self.looked_at)
        self.looked_at.update((screen, skeleton) for screen in new)
        return new


@pytest.fixture(scope="module")
def visited(
    _site: Site, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visited]:
    """A world that is there for all who look at it, and is not changed by looking."""
    mails = tmp_path_factory.mktemp("mails")
    with django_db_blocker.unblock(), override_settings(MAIL_DIRECTORY=mails, BASE_URL=_site.url):
        try:
            world = make_world(mails)
            yield Visited(world, _site, {name: cookie_of(user, _site) for name, user in world.people.items()})
        finally:
            _site.rest()
            call_command("flush", verbosity=0, interactive=False)


def faults_of(page: Page, path: str, screens: tuple[Screen, ...]) -> Iterator[str]:
    """Yield what is wrong with a page, a line for each fault."""
    told: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(message.text)

    screens[0].show(page)
    page.on("console", note)
    answer = page.goto(path)
    page.evaluate(AXE_SCRIPT)
    for number, screen in enumerate(screens):
        if number:
            screen.show(page)
        page.evaluate(SETTLED)
        # Those of Django's own pages for staff are not ours to mend.
        if "/admin/" not in path:
            yield from (f"{screen.name}: {fault}" for fault in page.evaluate(GOOD_PRACTICE))
        for rule, impact, nodes in page.evaluate(AXE):
            for where, html in nodes[:4]:
                yield f"{screen.name}: {rule} ({impact}): {where}: {html[:200]}"
    page.remove_listener("console", note)
    yield from (f"console: {text}" for text in told if not (answer and answer.status >= 400))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "screens", "parts", "least"),
    [
        (None, (WIDE, NARROW), ("/",), 4),
        ("Alice", (WIDE, NARROW), ("/",), 4),
        # Of what these see, the rest is as others see it.
        ("Dave", (NARROW,), ("/games/", "/games/", "/my-room/"), 4),
        ("Erin", (WIDE,), ("/admin/",), 3),
        ("Head", (WIDE,), ("/mail/",), 2),
    ],
)
def test_every_page_is_accessible_and_well_made(
    chromium: Browser,
    visited: Visited,
    name: str | None,
    screens: tuple[Screen, ...],
    parts: tuple[str, ...],
    least: int,
) -> None:
    # Axe is brought along by the test, and no part of the site, whose policy would not have it.
    with opening(chromium, visited.site.url) as open_page:
        page = open_page(bypass_csp=True)
        if name:
            page.context.add_cookies([visited.cookies[name]])

        def get(path: str) -> tuple[int, str, str]:
            if not path.startswith(parts):
                return 204, "", ""
            answer = page.request.get(path, max_redirects=0)
            kind = answer.headers.get("content-type", "")
            return answer.status, kind, answer.text() if kind.startswith("text/html") else ""

        faults = {}
        for seen in list(pages(visited.world, get)):
            if new := visited.new_on(screens, seen.html):
                faults[seen.path] = list(faults_of(page, seen.path, new))
        assert len(faults) >= least
    report = "\n".join(f"{path}\n  " + "\n  ".join(found) for path, found in faults.items() if found)
    assert not report, report
