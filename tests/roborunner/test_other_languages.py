"""Pages and errors in a made-up language with every message in ⟦brackets⟧."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

import rules
from accounts.models import User
from games.branches.models import Branch
from games.clubs.models import Club
from games.competitions.models import Tournament
from games.errors import Malformed, document_problems
from games.fleet.models import Starship
from games.play.models import Game
from games.play.orders import read_orders
from games.play.selectors import computer_name
from games.shipyard.models import StarshipDraft
from games.site.documents import TRANSLATED
from tests.roborunner.test_weight import is_heavy, preloads_what_it_imports
from tests.support.pages import World, make_world, pages

ENGLISH = ("/admin/", "/api/")
"""The prefixes of pages that exist only in English.

Other pages mark English passages with ``lang``.
"""

SHOWN = {"alt", "aria-label", "aria-description", "placeholder", "title"}
"""Attributes with text that browsers show or read out."""

NOT_SHOWN = {"script", "style", "code", "kbd", "textarea", "optgroup"}
"""Elements whose text is not translated. An optgroup is a region of time zones."""

CLAUSE = re.compile(r"\b[A-Z]{1,2}-\d+(\.\d+)*\b")
"""Matches the number of a rulebook's clause. It is the same in all languages."""

NAMES = {
    *("Albot", "James Bot", "LazyBot", "Peach", "Tanky"),
    *("Discord", "Matrix", "Slack", "English"),
    *("Robo Runner", "Alice", "Bob", "Dave", "Erin", "Tests", "alice@example.org", "My bot"),
    *(
        "Out of my way!",
        "Fast ships",
        "For friends",
        "Ships that are over before the coffee is cold.",
        "Mind the gap.",
        "By mail, and slowly.",
        "Cans of tin.",
        "A text.",
        "A lane",
        "Creative Commons BY-SA 4.0",
        "Short and sweet.",
        "The end comes sooner than you think.",
        "Version 2 has a longer way home.",
        "UTC",
        "belt",
        "red",
        "blue",
        "https://example.org/robo-runner",
    ),
}


class Words(HTMLParser):
    """Collects the texts of a page, and its attributes with text for people."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.attributes: list[str] = []
        self._within: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_SHOWN or (tag != "html" and "lang" in dict(attrs)) or tag in self._within[-1:]:
            self._within.append(tag)
        self.attributes += [value for name, value in attrs if name in SHOWN and value]
        self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()
        self.text += "\n"

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.text += data


def outside(text: str) -> Iterator[str]:
    """Yield the texts outside all brackets, by line."""
    depth, found = 0, []
    for part in re.split("([⟦⟧])", text):
        depth += {"⟦": 1, "⟧": -1}.get(part, 0)
        if depth == 0:
            found.append("\n" if part == "⟧" else part)
    assert depth == 0, text
    yield from filter(None, (line.strip() for line in "".join(found).splitlines()))


def bare(html: str, names: set[str]) -> Iterator[str]:
    """Yield the untranslated texts of a page, except the given ``names``."""
    words = Words(html)
    known = re.compile("|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True))))
    for text in (words.text, *words.attributes):
        for line in outside(text):
            if re.search(r"[A-Za-z]{2}", known.sub("", CLAUSE.sub("", line))):
                yield line


MADE_UP = "en-ie"
"""The code of the made-up language. No other test uses this language."""


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """Activate the made-up language, and translate each message to itself in brackets."""
    settings.LANGUAGES = [(MADE_UP, "⟦English⟧")]
    translation.gettext("")  # makes Django load its translations
    asked = vars(translation)["_trans"]
    for name, singular in (("gettext", 0), ("pgettext", 1), ("ngettext", 0), ("npgettext", 1)):
        monkeypatch.setattr(asked, name, bracketing(getattr(asked, name), singular, name.startswith("n")))
    with translation.override(MADE_UP):
        yield


def bracketing(translate: Any, singular: int, counts: bool) -> Any:
    """Return a gettext function that puts messages in brackets.

    It does so only in the made-up language.
    """

    def bracketed(*said: Any) -> str:
        if translation.get_language() != MADE_UP:
            return str(translate(*said))
        message = said[singular + (counts and said[-1] != 1)]
        return message and f"⟦{message}⟧"

    return bracketed


@pytest.fixture
def world(db: None, settings: Any, tmp_path: Path) -> World:
    settings.MAIL_DIRECTORY = tmp_path / "mails"
    return make_world(settings.MAIL_DIRECTORY)


READERS = ((None, "/", 25), ("Alice", "/", 40), ("Erin", "/admin/", 20))
"""Readers, each with the prefix of the addresses to read and the minimum number of pages."""


def test_pages_are_translated_light_and_preload_their_modules(world: World, brackets: None) -> None:
    names = NAMES | {ruleset.name for ruleset in rules.RULESETS.values()}
    for named in (Game, Branch, Starship, StarshipDraft, Club, Tournament):
        names |= {*named._default_manager.values_list("name", flat=True)}
    names |= {name.strip() for name in names}
    found, heavy, late = {}, [], []
    for name, part, least in READERS:
        seen = list(pages(world, world.reader(name, part)))
        assert len(seen) >= least, sorted(page.path for page in seen)
        heavy += [page.path for page in seen if is_heavy(page)]
        late += [page.path for page in seen if not preloads_what_it_imports(page.html)]
        translated = [page for page in seen if is_translated(page.path)]
        found |= {line: page.path for page in translated for line in bare(page.html, names)}
    assert found == {}
    assert heavy == []
    assert late == []


def is_translated(path: str) -> bool:
    document = path.removeprefix("/docs/").strip("/") if path.startswith("/docs/") else ""
    return not path.startswith(ENGLISH) and (not document or document in TRANSLATED)


def test_caches_keep_languages_apart(world: World, settings: Any, brackets: None) -> None:
    settings.LANGUAGES = [("en", "English"), *settings.LANGUAGES]
    client = Client()
    client.force_login(world.people["Alice"])
    game, ship = f"/games/{world.values['game_id'][0]}/", f"/starships/{world.values['starship_id'][0]}/"
    paths = ["/", game, f"{game}turns/1/", f"{game}turns/1/film/", f"{game}rulebook/", ship, "/starships/"]
    draft = f"/shipyard/{world.values['draft_id'][0]}/"
    paths += ["/starships/palette/", "/docs/players/", "/settings/", draft]
    for language in ("en", MADE_UP, "en"):
        User.objects.update(language=language)
        for path in paths:
            answer = client.get(path, follow=True)
            assert answer.status_code == 200, path
            text = answer.content.decode()
            said = json.dumps(answer.json(), ensure_ascii=False) if path.endswith("film/") else text
            assert ("⟦" in said) == (language == MADE_UP), path


def test_computers_have_the_same_name_in_all_languages(brackets: None) -> None:
    assert computer_name("ace", 1) == "Ace Rivet"


def test_untranslated_words_are_found(brackets: None) -> None:
    page = f"<title>Hall</title><p>{translation.gettext('Hello')} <b>Goodbye</b></p><img alt='A robot'>"
    assert list(bare(page, {"Hall"})) == ["Goodbye", "A robot"]


@pytest.mark.parametrize(
    "document",
    [
        {"format": "starship/2"},
        {"format": "starship/1", "rows": [". o ~", "b1:EE .+i2"], "size": 1},
        {"format": "starship/1", "rows": [". .+cN+cN .+x11", "q .+i1 t:purple"]},
    ],
)
def test_errors_of_starships_are_translated(brackets: None, document: dict[str, Any]) -> None:
    with pytest.raises(rules.NotationError) as refused:
        rules.read_starship(document)
    found = [problem["detail"] for problem in document_problems("starship", refused.value.problems)]
    assert found and all(not list(outside(detail)) for detail in found), found


@pytest.mark.parametrize("document", [{"registers": 1}, {"heading": "X", "unlock": 1, "thrust": 3}])
def test_errors_of_orders_are_translated(brackets: None, document: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as refused:
        read_orders(document)
    found = [refused.value.detail, *(problem["detail"] for problem in refused.value.problems)]
    assert all(not list(outside(detail)) for detail in found), found
