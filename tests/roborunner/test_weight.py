"""The weight of pages: their scripts and style sheets in compressed bytes."""

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders

from roborunner.templates import minified
from tests.support.pages import Seen

MOST = 100_000
OF_STAFF = 160_000  # the editor of starships with Django's own scripts
"""The maximum weight of an admin page, in bytes. Other pages may weigh at most `MOST`."""

IMPORTED = re.compile(rb"""(?:\bimport\b[^'"();]*|\bfrom\s*)["'](\.{1,2}/[^"']+)["']""")
WANTED = re.compile(rb"""\bawait import\(\s*["'](\.{1,2}/[^"']+)["']\)""")
"""Matches dynamic imports, which load a module only when a page needs it."""
STYLED = re.compile(rb"""@import\s+(?:url\()?["']?([^"')]+)["']?""")


OF_ALL = re.compile(
    r"(?:\A|[},\s])((?::root|html|body|\.page|\.console|\.console-desk)(?::not\([^)]*\))?:has\((?!\s*>)[^{]*)\{"
)
"""Matches selectors that make a browser restyle the whole page for a new element."""


class Needs(HTMLParser):
    """The scripts and style sheets of a page: addresses and inline code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.files: list[str] = []
        self.modules: set[str] = set()
        self.preloaded: list[str] = []
        self.within = b""
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        data = given.get("type", "") in ("application/json", "speculationrules")
        if tag == "script" and "src" in given:
            self.files.append(given["src"])
            if given.get("type") == "module":
                self.modules.add(given["src"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "modulepreload", "preload"):
            self.files.append(given["href"])
            if given["rel"] == "modulepreload":
                self.preloaded.append(given["href"])
        self._inside = tag == "style" or (tag == "script" and "src" not in given and not data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.within += data.encode()


@cache
def content(address: str) -> bytes:
    path = urlsplit(address).path
    assert path.startswith("/static/"), f"{address} is not of this site"
    found = finders.find(path.removeprefix("/static/"))
    assert isinstance(found, str), f"{address} is not there"
    return Path(found).read_bytes()


@cache
def named_in(address: str) -> list[str]:
    """Return the addresses of a file's direct imports."""
    pattern = STYLED if address.endswith(".css") else IMPORTED
    return [normpath(join(dirname(address), name.decode())) for name in pattern.findall(content(address))]


@cache
def led_to(address: str) -> frozenset[str]:
    """Return the addresses of a file and its direct and indirect imports."""
    found: set[str] = set()
    waiting = [address]
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found.add(here)
        waiting += named_in(here)
    return frozenset(found)


@cache
def compressed(address: str) -> int:
    """Return a file's size in bytes, minified and compressed."""
    return len(gzip.compress(minified(address, content(address))))


WORDS_OF_WIDGETS = "/admin/jsi18n/"
"""The address of a script that a view of Django generates, so there is no file."""


def weight(html: str) -> int:
    """Return a page's weight: the compressed bytes of its scripts and style sheets."""
    needs = Needs(html)
    own = {path for file in needs.files if (path := urlsplit(file).path) != WORDS_OF_WIDGETS}
    files = {address for path in own for address in led_to(path)}
    return sum(map(compressed, files)) + (len(gzip.compress(needs.within)) if needs.within.strip() else 0)


def preloads_what_it_imports(html: str) -> bool:
    """Return whether a page preloads exactly the imports of its modules, once each."""
    needs = Needs(html)
    imported = {address for module in needs.modules for address in led_to(module)}
    return sorted({*needs.preloaded, *needs.modules}) == sorted(imported) and len(needs.preloaded) == len(
        set(needs.preloaded)
    )


def is_heavy(page: Seen) -> bool:
    return weight(page.html) > (OF_STAFF if page.path.startswith("/admin/") else MOST)


def test_only_sound_is_imported_on_demand() -> None:
    static = Path(finders.find("site/sound.js") or "").parents[1]
    wanting = {path.name: WANTED.findall(path.read_bytes()) for path in static.rglob("*.js")}
    assert {name: found for name, found in wanting.items() if found} == {
        "sound.js": [b"./loudspeaker.js", b"./music.js"]
    }
    assert "/static/site/loudspeaker.js" not in led_to("/static/play/game.js")


def test_imports_of_modules_count() -> None:
    assert {"/static/play/game.js", "/static/play/parts.js"} <= led_to("/static/play/game.js")
    style = '<link rel="stylesheet" href="/static/site/base.css">'
    script = '<script type="module" src="/static/play/game.js"></script>'
    assert weight(style + script) > compressed("/static/site/base.css") + compressed("/static/play/parts.js")


def test_no_style_restyles_the_whole_page_for_a_new_element() -> None:
    assert OF_ALL.search(".a { } :root:has(.page .b) { color: red }"), "it finds none"
    styles = {path: path.read_text() for path in Path(settings.BASE_DIR, "static").rglob("*.css")}
    assert styles
    assert [found[1] for style in styles.values() for found in OF_ALL.finditer(style)] == []
