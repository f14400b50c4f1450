"""Pages, documents and docstrings are in plain English, without banned words."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from games.web.reference import openapi

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

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
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
    """Yield a message for each banned word: its context and its replacement."""
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
    assert {"README.md", "CHANGELOG.md", "operations.md", "rulebook.md"} <= {path.name for path in DOCUMENTS}


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


BEFORE_WHO = "of to by for with from and or than if but is tell tells know knows".replace(" ", "|")
STUMBLES = {
    "a clause without a noun": rf"\bwhat\b|(?:^|[,.;:(] ?|\b(?:{BEFORE_WHO}) )who(?:m|se)?\b",
    "a passive of telling or keeping": r"\b(?:is|are|was|were)(?: not)? (?:told|kept|said|held|meant)\b",
    "where for if or when": r"\b(?:none|nothing) where\b|\bwhere (?:there|it|that|nothing|no|they|this)\b",
    "that of, those who": r"\b(?:that|those) of\b|\bthose (?:who|whose|that|which)\b",
    "have or let": r"^(?:have|let) ",
    "but for only": r"\b(?:all|nothing|none|anything) but\b|\bbut for\b",
    "of its own, by itself": r"\bof (?:its|their|his|one's) own\b|\bby (?:itself|themselves)\b",
    "a word of long ago": rf"\b(?:{'|'.join(INSTEAD)}|whatever|whosever|henceforth)\b",
    "to be or to which": r"\b(?:is|are) to be\b|\b(?:of|to|by|in|with|from|for) which\b|\bfor whom\b",
}
"""Patterns that make a native reader of docstrings stop, by kind of fault."""

CODE = sorted(
    path
    for folder in ("accounts", "bench", "deploy", "embedded", "games", "roborunner", "rules", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)


def docstrings(path: Path) -> Iterator[str]:
    """Yield a module's docstrings, including strings below constants and fields."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            if text := ast.get_docstring(node):
                yield text
            for before, after in pairwise(node.body):
                match before, after:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text))):
                        yield text


def stumbles(docstring: str) -> set[str]:
    """Return the kinds of fault in a docstring."""
    text = re.sub(r"`+[^`]*`+", "X", " ".join(docstring.split()))
    sentences = re.split(r"(?<=[.!?:;]) ", text)
    return {
        kind for kind, words in STUMBLES.items() if any(re.search(words, each, re.I) for each in sentences)
    }


def test_few_docstrings_make_a_native_reader_stop() -> None:
    found = [text for path in CODE for text in docstrings(path)]
    assert len(found) > 8000
    faulty = [text for text in found if stumbles(text)]
    assert len(faulty) / len(found) < 0.01, Counter(kind for text in faulty for kind in stumbles(text))


@pytest.mark.parametrize(
    ("docstring", "kind"),
    [
        ("What players hear who missed a turn.", "a clause without a noun"),
        ("None where there is no room.", "where for if or when"),
        ("Have its builder know.", "have or let"),
        ("Return whatever stands there.", "a word of long ago"),
    ],
)
def test_a_sentence_that_makes_a_reader_stop_is_found(docstring: str, kind: str) -> None:
    assert kind in stumbles(docstring)
    assert not stumbles("Return the games that wait for players, oldest first.")


def descriptions() -> Iterator[str]:
    """Yield the API reference's descriptions of components, fields and parameters."""
    for component in openapi()["components"]["schemas"].values():
        yield component["description"]
        yield from (
            each["description"] for each in component.get("properties", {}).values() if "description" in each
        )
    for calls in openapi()["paths"].values():
        for call in calls.values():
            yield from (each["description"] for each in call.get("parameters", []) if "description" in each)


def test_calls_have_imperative_summaries_and_descriptions_in_the_third_person() -> None:
    for calls in openapi()["paths"].values():
        for call in calls.values():
            summary, description = call["summary"], call["description"].strip()
            assert summary[0].isupper() and not summary.endswith("."), summary
            assert not summary.split()[0].endswith("s"), f"“{summary}”: write “Get”, not “Gets”"
            assert re.match(r"[A-Z][a-z]+s(,| )", description), (
                f"“{description}”: write “Returns”, not “Return”"
            )
            assert all(part.endswith(".") for part in description.split("\n\n")), description


def test_descriptions_of_values_are_sentences_in_terms_of_json() -> None:
    texts = [text.strip() for text in descriptions()]
    assert len(texts) > 1000
    assert [text for text in texts if not text.endswith(".")] == []
    assert [text for text in texts if re.match(r"[a-z]|(Return|True|False)\b", text)] == []
    assert [text for text in texts if re.search(r"\b(None|rules\.\w+|games\.\w+)", text)] == []
