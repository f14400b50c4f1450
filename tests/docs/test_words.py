"""Pages and documents are in plain English, without words that are out of use."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]

INSTEAD = {
    r"anew": "again",
    r"who(m)?(so)?ever": "anyone who, or a player who",
    r"shall": "must or will",
    r"reckon(s|ed|ing)?": "calculate or count",
    r"befall(s|en)?|befell": "happen to",
    r"likewise": "also, or in the same way",
    r"thereby": "by it",
    r"hitherto": "until now",
    r"so many": "a number",
    r"it is to be": "must or will",
    r"(stand|stands|standing) back": "wait",
    r"of theirs": "their",
    r"somebody": "someone, or a player",
    r"(make|makes|made) good": "make up for, or repair",
    r"of its own accord": "alone",
}
"""Banned words and their replacements."""

CONTRACT = ("rulebook", "robo-runner", "robo-recon", "robo-arena")
CONTRACT += ("amigo-1999", "factory-1999", "group-11", "websocket")
"""Pages of docs/rules with the text of the rulebook, clause by clause."""

DOCUMENTS = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if not (path.parent.name == "rules" and path.stem in CONTRACT)
)
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.suffix in {".html", ".txt"})

QUOTED = re.compile(r'"([^"]*)"')
SAID = re.compile(r'\b(?:alt|aria-label|content|placeholder|title)="([^"]*)"')


def prose(path: Path) -> str:
    """Return the prose of a file, without code, comments and tags."""
    text = path.read_text()
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```|`[^`\n]+`", " ", text, flags=re.DOTALL | re.MULTILINE)
    else:
        text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}|<!--.*?-->", " ", text, flags=re.DOTALL)
        text = re.sub(r"{%.*?%}|{{.*?}}", lambda tag: " ".join(QUOTED.findall(tag[0])), text, flags=re.DOTALL)
        text = re.sub(r"<[^>]*>", lambda tag: " ".join(["", *SAID.findall(tag[0]), ""]), text)
    return re.sub(r"\s+", " ", unescape(text))


def found(text: str) -> Iterator[str]:
    """Yield each banned word with some text around it and its replacement."""
    for words, instead in INSTEAD.items():
        for hit in re.finditer(rf"\b({words})\b", text, re.IGNORECASE):
            around = text[max(0, hit.start() - 40) : hit.end() + 40].strip()
            yield f"“{hit[0]}” in “… {around} …”: write {instead}"


def test_no_page_has_a_banned_word() -> None:
    assert DOCUMENTS and TEMPLATES
    words = {path: list(found(prose(path))) for path in (*DOCUMENTS, *TEMPLATES)}
    assert {path: banned for path, banned in words.items() if banned} == {}


def test_no_sentence_of_code_or_script_has_a_banned_word() -> None:
    with (ROOT / "locale" / "django.pot").open("rb") as file:
        sentences = [message.id for message in read_po(file) if message.id]
    texts = [text for each in sentences for text in (each if isinstance(each, tuple) else [each])]
    assert len(texts) > 1000
    assert [told for text in texts for told in found(text)] == []


def test_each_kind_of_file_is_read() -> None:
    assert {path.suffix for path in TEMPLATES} == {".html", ".txt"}
    assert {"README.md", "CHANGELOG.md", "operations.md"} <= {path.name for path in DOCUMENTS}


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Whoever has no seat may take one over.", "Whoever"),
        ("Have this hand dealt anew", "anew"),
        ("Registers that shall be freed", "shall"),
        ("No clock runs for so many days.", "so many"),
    ],
)
def test_a_banned_word_is_found(sentence: str, word: str) -> None:
    (told,) = found(sentence)
    assert told.startswith(f"“{word}” in ") and "write " in told


def test_words_in_code_do_not_count_as_prose(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '{# anew #}{% comment %}whoever{% endcomment %}<p class="shall" title="Go">{{ anew }}on</p>'
    )
    assert prose(page).split() == ["Go", "on"]


def test_default_words_in_template_tags_count_as_prose(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<p>{{ name|default:"somebody" }} speaks to you</p>')
    assert [told.partition(" in ")[0] for told in found(prose(page))] == ["“somebody”"]
