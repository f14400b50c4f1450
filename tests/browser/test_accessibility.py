"""Every page, looked at by axe-core in a real browser: wide by day, and narrow by night.

Beside it what audits of good practice ask for: a language, a title, one heading of the first rank, headings
in order, pictures with their texts, nothing in the console. A page is loaded once, and shown on one screen
after the other: as when a window is made smaller, and night falls. A page is left out if each kind of element
in it is on other pages, also if someone else sees those. Axe asks everything on one screen, and on the other
only what screens change. Before axe looks, a page loses what repeats itself:
to compare colours takes as long as a page has elements, and the reference of the API has 21,000.
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

from tests.browser.opening import opening
from tests.browser.signing_in import cookie_of
from tests.browser.skeletons import KEPT, NEAR, bones_of, unlike
from tests.support.pages import Get, Seen, World, make_world, pages
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
"""Removes what is on the page twice before, in the same place, unless it labels something else.

What is named by its contents stays whole, and so does a row, which must have cells.
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
"""Looks at a page. What axe would load beforehand no rule needs here, and of style sheets that import others
it asks for the wrong ones. The one frame, around a mail, runs no scripts, so axe could not look into it.
Of text over gradients axe says nothing, so the stars and lines behind the pages are left out.
"""


OF_SCREENS = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"]
"""Rules whose answers differ between screens; all others are asked on one."""

OF_DJANGO = {"label-title-only", "empty-table-header"}
"""Rules that the search field and the tables of Django's own pages for staff break."""

# The tests read pages in a transaction of their own; nothing of it stays.
pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Reader:
    """Someone who looks at pages: by name, on which screens, at which parts of the site."""

    name: str | None
    screens: tuple[Screen, ...]
    parts: tuple[str, ...]
    least: int
    """How many pages they look at, at least."""


READERS = [
    Reader("Alice", (WIDE, NARROW), ("/",), 4),
    Reader(None, (WIDE, NARROW), ("/",), 4),
    # Of what these see, the rest is as others see it.
    Reader("Dave", (NARROW,), ("/games/", "/my-room/"), 1),
    Reader("Erin", (WIDE,), ("/admin/",), 1),
    Reader("Head", (WIDE,), ("/mail/",), 1),
]


@dataclass(frozen=True)
class Visited:
    """The world, the site that shows it, and for each person the cookie of who has logged in.

    ``gets`` has how each of them asks for an address, which is asked for once.
    """

    world: World
    site: Site
    cookies: dict[str, dict[str, str]]
    gets: dict[str | None, Get]

    def new_to(self, reader: Reader) -> dict[str, tuple[Screen, ...]]:
        """Return the pages of a reader by address, each with the screens on which it is to be looked at.

        Left out are those that look like one before, or like one that an earlier reader looks at.
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
        """Return what a reader sees in their own parts that are in these as well."""

        def get(path: str) -> tuple[int, str, str]:
            asked = path.startswith(parts) and path.startswith(reader.parts)
            return self.gets[reader.name](path) if asked else (204, "", "")

        with transaction.atomic():
            found = list(pages(self.world, get))
            transaction.set_rollback(True)  # browsers must neither see nor await what reading writes
        return found


@pytest.fixture(scope="module")
def visited(
    _site: Site, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visited]:
    """A world that is there for all who look at it, and is not changed by looking."""
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
    """Yield what is wrong with a page, a line for each fault."""
    told: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(message.text)

    screens[0].show(page)
    page.on("console", note)
    answer = page.goto(path)
    # Those of Django's own pages for staff are not ours to mend.
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
    page.remove_listener("console", note)
    yield from (f"console: {text}" for text in told if not (answer and answer.status >= 400))


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: str(reader.name))
def test_every_page_is_accessible_and_well_made(chromium: Browser, visited: Visited, reader: Reader) -> None:
    with opening(chromium, visited.site.url) as open_page:
        # Axe is brought along by the test, and no part of the site, whose policy would not have it.
        page = open_page(bypass_csp=True)
        page.add_init_script(AXE_SCRIPT)
        if reader.name:
            page.context.add_cookies([visited.cookies[reader.name]])
        new = visited.new_to(reader)
        faults = {path: list(faults_of(page, path, screens)) for path, screens in new.items()}
    assert len(faults) >= reader.least
    report = "\n".join(f"{path}\n  " + "\n  ".join(found) for path, found in faults.items() if found)
    assert not report, report
