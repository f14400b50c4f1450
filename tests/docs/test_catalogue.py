"""Everything that people read stands in the catalogue, in whole sentences, for translators."""

import re
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "locale" / "django.pot"

TEMPLATES = sorted(
    path
    for path in (ROOT / "templates").rglob("*.*")
    if path.suffix in {".html", ".txt"} and re.search(r"{% load [^%]*\bi18n\b", path.read_text())
)
"""Templates that ask the catalogue."""

TOLD = re.compile(
    r"""
    {%\ comment.*?{%\ endcomment\ %} | {\#.*?\#} | <!--.*?-->
    | {%\ blocktranslate.*?{%\ endblocktranslate\ %} | {%\ translate\ .*?%} | _\("[^"]*"\)
    | <meta\ name="(?:viewport|color-scheme)"[^>]*> | {%\ block\ (?:page|body)_class\ %}.*?{%\ endblock\ %}
    """,
    re.DOTALL | re.VERBOSE,
)
"""What the catalogue has, and what no person reads."""

CODE = re.compile(r"<(code|kbd|pre|script|style)\b.*?</\1>", re.DOTALL)
FILTERED = r'\|(?:default|default_if_none|yesno|join):"([^"]*)"'
PASSED_ON = r'\b\w+="([^"]*)"'
PUT_IN = re.compile(f"{FILTERED}|{PASSED_ON}")
SAID = re.compile(r'\b(?:alt|aria-label|aria-description|content|placeholder|title|label)="([^"]*)"')
NAMES = re.compile(r"Robo Runner|RoboRally|https?://\S+|\?\w+=\w+|&\w+;")


def bare(path: Path) -> Iterator[str]:
    """Yield what a template says without asking the catalogue."""
    text = CODE.sub(" ", TOLD.sub(" ", path.read_text()))
    for tag in re.findall(r"{%.*?%}|{{.*?}}", text, re.DOTALL):
        if "|pluralize" in tag:
            yield tag
        for put_in in PUT_IN.finditer(tag):
            words = put_in[1] or put_in[2] or ""
            if re.search(r"[A-Za-z]{2}", words) and (put_in[1] or re.match(r"[A-Z]|.*[a-z] [a-z]", words)):
                yield words
    text = re.sub(r"{%.*?%}|{{.*?}}", " ", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", lambda tag: "\n".join(["", *SAID.findall(tag[0]), ""]), text, flags=re.DOTALL)
    for line in unescape(NAMES.sub(" ", text)).splitlines():
        if re.search(r"[A-Za-z]{2}", line):
            yield line.strip()


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_that_asks_the_catalogue_says_nothing_outside_it(path: Path) -> None:
    assert list(bare(path)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<img alt="A robot">', ["A robot"]),
        ('{{ name|default:"nobody" }}', ["nobody"]),
        ('{% include "a.html" with verb="Create game" %}', ["Create game"]),
        ('{% include "a.html" with verb=_("Create game") %}', []),
        ('{% translate "Hello" %} {% blocktranslate %}Go <b>on</b>{% endblocktranslate %}', []),
        ('<a href="{% url "games:game" game.pk %}">{{ game.name }}</a>', []),
    ],
)
def test_bare_words_are_found(tmp_path: Path, text: str, found: list[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(text)
    assert list(bare(page)) == found


def test_the_catalogue_has_each_sentence_and_no_other(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.pot"
    subprocess.run(["make", "-s", "-o", "install", "messages", f"CATALOGUE={fresh}"], cwd=ROOT, check=True)
    assert fresh.read_text() == CATALOGUE.read_text(), "run make messages"
