"""Whether two pages are the same but for their words."""

from html.parser import HTMLParser

KEPT = frozenset({"class", "role", "type", "hidden", "open", "disabled", "aria-hidden", "aria-current"})
"""Attributes whose values decide about how something looks, or what it is; of others the name is enough."""

IGNORED = frozenset({"script", "style"})

LONG = 20
"""Letters of a word that may be too long for its place."""


def skeleton_of(html: str) -> str:
    """Return what is left of a page's main part without its words: whoever has seen that has seen the page.

    >>> page = '<body><main><p class="{}">{}</p></main></body>'
    >>> skeleton_of(page.format("lead", "Three games.")) == skeleton_of(page.format("lead", "No games."))
    True
    >>> skeleton_of(page.format("lead", "Three games.")) == skeleton_of(page.format("quiet", "Three games."))
    False
    >>> skeleton_of(page.format("lead", "Games")) == skeleton_of(page.format("lead", ""))
    False

    The card over a page that tells of achievements is the same on every page, as header and footer are.

    >>> card = '<section class="earned" data-earned><h2>You earned an achievement</h2></section>'
    >>> skeleton_of("<main><h1>Games</h1></main>") == skeleton_of(f"<main>{card}<h1>Games</h1></main>")
    True
    """
    bones = _Bones()
    bones.feed(html)
    return "".join(bones.found)


class _Bones(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._within = False
        self._ignored = False
        self._in_card = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within = self._within or tag == "main"
        self._ignored = tag in IGNORED
        self._in_card = self._in_card or "data-earned" in dict(attrs)
        if self._within and not self._in_card:
            said = (f"{name}={value}" if name in KEPT else name for name, value in sorted(attrs))
            self.found.append(f"<{tag} {' '.join(said)}>")

    def handle_endtag(self, tag: str) -> None:
        self._ignored = False
        if self._within and not self._in_card:
            self.found.append(f"</{tag}>")
        if tag == "main":
            self._within = False
        if tag == "section":
            self._in_card = False

    def handle_data(self, data: str) -> None:
        if self._within and not self._ignored and not self._in_card and (words := data.split()):
            self.found.append(" ".join(word for word in words if len(word) > LONG) or "…")
