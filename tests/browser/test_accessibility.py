"""axe-core checks every page: on a wide light screen and on a narrow dark one.

The test also checks for a language, a title, exactly one heading of level 1, headings in order, pictures with
texts, and no messages in the console.

Each page is loaded once, and shown on one screen after the other. A page is skipped if other pages contain
each kind of its elements, even for other readers. Axe applies all rules on one screen, and on the other only
the rules that depend on the screen. Repeated parts are removed first: comparing colours takes time for every
element, and the API reference has 21,000.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings
from playwright.sync_api import Browser, ConsoleMessage, Page
from pytest_django import DjangoDbBlocker

from games.play.models import Game
from tests.browser.opening import opening
from tests.browser.signing_in import cookie_of
from tests.browser.skeletons import KEPT, NEAR, bones_of, unlike
from tests.support.pages import Get, Seen, World, make_world, pages
from tests.support.site import Site


@dataclass(frozen=True)
class Screen:
    """A window size in pixels, and a colour scheme."""

    name: str
    width: int
    height: int
    colours: Literal["light", "dark"]

    def show(self, page: Page) -> None:
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
"""A script that waits until a page has adapted to its screen."""

FOLD = """([kept, near]) => {
  const bones = new Map();
  const counts = new Map();
  const named = new Set();
  for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(/\\s+/)) named.add(id);
    }
  }
  const boneOf = (element) => {
    const said = [...element.attributes].map(
      ({ name, value }) => (kept.includes(name) ? `${name}=${value}` : name),
    );
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return [element.localName, ...said.sort(), text].join(" ");
  };
  const read = (element, around) => {
    const path = [...around, boneOf(element)].slice(-near - 1);
    const key = path.join(" / ");
    let wanted = named.has(element.id) || element.matches("label[for]");
    const within = new Set([key]);
    for (const child of element.children) {
      const below = read(child, path);
      wanted ||= below.wanted;
      for (const each of below.within) within.add(each);
    }
    bones.set(element, { key, within, wanted });
    return bones.get(element);
  };
  const fold = (element) => {
    const { key, within, wanted } = bones.get(element);
    if (!wanted && [...within].every((each) => counts.get(each) > 1)) {
      element.remove();
      return;
    }
    const isWhole = element.matches("a, button, label, summary, th, [role=row]");
    for (const each of isWhole ? within : [key]) counts.set(each, (counts.get(each) ?? 0) + 1);
    if (!isWhole) [...element.children].forEach(fold);
  };
  read(document.body, []);
  fold(document.body);
}"""
"""A script that removes repeated parts of a page: all copies after the second.

Labels stay. Elements named by their contents stay whole, and so do table rows, which must have cells.
"""

AXE = """async (rules) => {
  for (const { style } of [document.documentElement, document.body]) style.backgroundImage = "none";
  const { violations } = await axe.run({
    resultTypes: ["violations"], preload: false, iframes: false, ...(rules && { runOnly: rules }),
  });
  return violations.map(({ id, impact, nodes }) => [
    id, impact, nodes.map(({ target, html }) => [target.join(" "), html]),
  ]);
}"""
"""A script that runs axe on a page.

Preloading is off. No rule needs it, and it fetches the wrong imported style sheets. The only frame, around an
email, runs no scripts, so axe cannot check it. Axe ignores text over gradients, so the stars and lines behind
the pages are removed.
"""


OF_SCREENS = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"]
"""Rules that depend on the screen. All other rules are checked on one screen only."""

OF_DJANGO = {"label-title-only", "empty-table-header"}
"""Rules that Django's own admin breaks, with its search field and tables."""

# The tests read pages in a transaction that is undone.
pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Reader:
    """A person who reads pages: their name, screens and parts of the site."""

    name: str | None
    screens: tuple[Screen, ...]
    parts: tuple[str, ...]
    least: int
    """The minimum number of pages that this reader checks."""


READERS = [
    Reader("Alice", (WIDE, NARROW), ("/",), 4),
    Reader(None, (WIDE, NARROW), ("/",), 4),
    # Other pages look the same to these readers as to earlier ones.
    Reader("Dave", (NARROW,), ("/games/", "/my-room/"), 1),
    Reader("Erin", (WIDE,), ("/admin/",), 1),
    Reader("Head", (WIDE,), ("/mail/",), 1),
]


@dataclass(frozen=True)
class Visited:
    """The world, its site, and each person's session cookie.

    ``gets`` has a function for each person. It requests an address as this person, and caches the response.
    """

    world: World
    site: Site
    cookies: dict[str, dict[str, str]]
    gets: dict[str | None, Get]

    def new_to(self, reader: Reader) -> dict[str, tuple[Screen, ...]]:
        """Return a reader's pages by address, and the screens for checking each page.

        Pages that look like an earlier page of any reader are left out.
        """
        seen: dict[Screen, set[str]] = {WIDE: set(), NARROW: set()}
        new: dict[str, tuple[Screen, ...]] = {}
        for other in READERS[: READERS.index(reader) + 1]:
            bones = {page.path: bones_of(page.html) for page in self._pages(other, reader.parts)}
            new = {}
            for screen in other.screens:
                for path in unlike(bones, seen[screen]):
                    new[path] = (*new.get(path, ()), screen)
        return new

    def _pages(self, reader: Reader, parts: tuple[str, ...]) -> list[Seen]:
        """Return a reader's pages whose addresses begin with one of ``parts``."""

        def get(path: str) -> tuple[int, str, str]:
            asked = path.startswith(parts) and path.startswith(reader.parts)
            return self.gets[reader.name](path) if asked else (204, "", "")

        with transaction.atomic():
            found = list(pages(self.world, get))
            transaction.set_rollback(True)  # reading must not write anything that browsers see or wait for
        return found


@pytest.fixture(scope="module")
def visited(
    _site: Site, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visited]:
    """A world made once for all `READERS`. Requests for pages do not change it."""
    mails = tmp_path_factory.mktemp("mails")
    with django_db_blocker.unblock(), override_settings(MAIL_DIRECTORY=mails, BASE_URL=_site.url):
        try:
            world = make_world(mails)
            cookies = {name: cookie_of(user, _site) for name, user in world.people.items()}
            yield Visited(
                world, _site, cookies, {name: cache(world.reader(name)) for name in (None, *world.people)}
            )
        finally:
            _site.rest()
            call_command("flush", verbosity=0, interactive=False)


def faults_of(page: Page, path: str, screens: tuple[Screen, ...]) -> Iterator[str]:
    """Yield the faults of a page on the given screens, one in each line."""
    told: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(message.text)

    screens[0].show(page)
    page.on("console", note)
    answer = page.goto(path)
    yield from faults_shown(page, path, screens)
    page.remove_listener("console", note)
    yield from (f"console: {text}" for text in told if not (answer and answer.status >= 400))


def faults_shown(page: Page, path: str, screens: tuple[Screen, ...]) -> Iterator[str]:
    """Yield the faults of the page that a browser shows, one in each line."""
    # Faults of Django's own admin pages do not count.
    for screen in () if "/admin/" in path else screens:
        screen.show(page)
        page.evaluate(SETTLED)
        yield from (f"{screen.name}: {fault}" for fault in page.evaluate(GOOD_PRACTICE))
    if page.locator("[data-shipyard-editor], [data-shipyard]").count():
        page.get_by_role("gridcell").first.wait_for()
    page.evaluate(FOLD, [sorted(KEPT), NEAR])
    for index, screen in enumerate(reversed(screens)):
        screen.show(page)
        page.evaluate(SETTLED)
        for rule, impact, nodes in page.evaluate(AXE, OF_SCREENS if index else None):
            if "/admin/" in path and rule in OF_DJANGO:
                continue
            for where, html in nodes[:4]:
                yield f"{screen.name}: {rule} ({impact}): {where}: {html[:200]}"


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: str(reader.name))
def test_every_page_is_accessible_and_well_made(chromium: Browser, visited: Visited, reader: Reader) -> None:
    with opening(chromium, visited.site.url) as open_page:
        # The test loads axe, which the site's policy forbids.
        page = open_page(bypass_csp=True)
        page.add_init_script(AXE_SCRIPT)
        if reader.name:
            page.context.add_cookies([visited.cookies[reader.name]])
        new = visited.new_to(reader)
        faults = {path: list(faults_of(page, path, screens)) for path, screens in new.items()}
    assert len(faults) >= reader.least
    report = "\n".join(f"{path}\n  " + "\n  ".join(found) for path, found in faults.items() if found)
    assert not report, report


@pytest.mark.long
def test_the_advice_of_the_coach_is_accessible(chromium: Browser, visited: Visited) -> None:
    """The advice is the answer to a form, so it is on no page of the list."""
    with opening(chromium, visited.site.url) as open_page:
        page = open_page(bypass_csp=True)
        page.add_init_script(AXE_SCRIPT)
        page.context.add_cookies([visited.cookies["Alice"]])
        page.goto(Game.objects.get(mission__isnull=False, status="running").get_absolute_url())
        page.get_by_role("button", name="Ask the coach").click()
        page.get_by_role("region", name="The coach").wait_for()
        assert list(faults_shown(page, page.url, (WIDE, NARROW))) == []
