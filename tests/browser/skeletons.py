"""The structure of pages without their words, to find pages that look alike."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

KEPT = frozenset({"class", "role", "type", "hidden", "open", "disabled", "aria-hidden", "aria-current"})
"""Attributes whose values affect the look. Other attributes count only by name."""

IGNORED = frozenset({"script", "style", "template"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)

LONG = 20
"""A word with more letters counts as long, because it may not fit everywhere."""

NEAR = 1
"""The number of surrounding elements that affect the look of an element."""

HEADING = re.compile(r"h[1-6]")


@cache
def bones_of(html: str) -> frozenset[str]:
    """Return the "bones" of a page: kinds of elements, with their surrounding elements.

    Only the page's main part counts. A page shows nothing new if other pages have all its bones. Repeated
    elements count once, and only very long words count.

    >>> page = '<body><main><ul class="{}">{}</ul></main></body>'
    >>> one, two = "<li>Three games</li>", "<li>One game</li><li>Another</li>"
    >>> bones_of(page.format("games", one)) == bones_of(page.format("games", two))
    True
    >>> bones_of(page.format("games", one)) == bones_of(page.format("quiet", one))
    False
    >>> bones_of(page.format("games", one)) < bones_of(page.format("games", one + "<li><b>A</b></li>"))
    True

    The order of headings and the style sheets of a page also count.

    >>> page = "<main><h1>A</h1><h2>B</h2>{}</main>"
    >>> bones_of(page.format("")) < bones_of(page.format("<h1>C</h1>"))
    True

    The card about achievements is the same on every page, like header and footer.

    >>> card = '<section class="earned" data-earned><h2>You earned an achievement</h2></section>'
    >>> bones_of("<main><h1>Games</h1></main>") == bones_of(f"<main>{card}<h1>Games</h1></main>")
    True
    """
    bones = _Bones()
    bones.feed(html)
    return frozenset(bones.found)


def unlike(pages: dict[str, frozenset[str]], seen: set[str]) -> Iterator[str]:
    """Yield the pages with bones (see `bones_of`) that are not in ``seen``, and add these bones to it.

    The page with the most new bones comes first, so that fewer pages are needed.

    >>> list(unlike({"list": frozenset("a"), "form": frozenset("ab"), "none": frozenset("c")}, {"c"}))
    ['form']
    """
    left = dict(pages)
    while left:
        page = max(left, key=lambda page: len(left[page] - seen))
        if left[page] <= seen:
            return
        seen |= left.pop(page)
        yield page


class _Bones(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._around: list[tuple[str, str]] = []
        self._rank = "h0"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") == "stylesheet":
            self.found.add(f"style sheet {given['href']}")
        if not (self._around or tag == "main"):
            return
        said = (f"{name}={value}" if name in KEPT else name for name, value in sorted(attrs))
        self._around.append((tag, " ".join([tag, *said])))
        if not self._is_passed_over():
            self._find()
            if HEADING.fullmatch(tag):
                self.found.add(f"{tag} after {self._rank}")
                self._rank = tag
        if tag in VOID:
            self._around.pop()

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _ in self._around):
            if self._around.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._around and (words := data.split()) and not self._is_passed_over():
            self._find("long" if max(map(len, words)) > LONG else "text")

    def _is_passed_over(self) -> bool:
        return any(name in IGNORED or "data-earned" in bone for name, bone in self._around)

    def _find(self, *words: str) -> None:
        self.found.add(" / ".join([*(bone for _, bone in self._around[-NEAR - 1 :]), *words]))
