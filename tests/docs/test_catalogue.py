"""The catalogue of messages is complete and holds whole sentences."""

import ast
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

TOLD = re.compile(
    r"""
    {%\ comment.*?{%\ endcomment\ %} | {\#.*?\#} | <!--.*?-->
    | {%\ blocktranslate.*?{%\ endblocktranslate\ %} | {%\ translate\ .*?%} | _\("[^"]*"\)
    | <meta\ name="(?:viewport|color-scheme)"[^>]*> | {%\ block\ (?:page|body)_class\ %}.*?{%\ endblock\ %}
    """,
    re.DOTALL | re.VERBOSE,
)
"""Tags of the catalogue, and text without words for people."""

CODE = re.compile(r"<(code|kbd|pre|script|style)\b.*?</\1>", re.DOTALL)
FILTERED = r'\|(?:default|default_if_none|yesno|join):"([^"]*)"'
PASSED_ON = r'\b\w+="([^"]*)"'
PUT_IN = re.compile(f"{FILTERED}|{PASSED_ON}")
SAID = re.compile(r'\b(?:alt|aria-label|aria-description|content|placeholder|title|label)="([^"]*)"')
NAMES = re.compile(r"Robo Runner|RoboRally|https?://\S+|\?\w+=\w+|&\w+;")


def bare(path: Path) -> Iterator[str]:
    """Yield the texts of a template outside the catalogue."""
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


def test_templates_have_no_text_outside_the_catalogue() -> None:
    assert TEMPLATES
    assert {path: texts for path in TEMPLATES if (texts := list(bare(path)))} == {}


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
def test_untranslated_words_are_found(tmp_path: Path, text: str, found: list[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(text)
    assert list(bare(page)) == found


def test_the_catalogue_has_each_sentence_and_no_other(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.pot"
    subprocess.run(["make", "-s", "-o", "install", "messages", f"CATALOGUE={fresh}"], cwd=ROOT, check=True)
    assert fresh.read_text() == CATALOGUE.read_text(), "run make messages"


DONE = (
    "accounts",
    "games/absence",
    "games/admin",
    "games/work/models.py",
    "games/web/answers.py",
    "games/web/inputs.py",
    "games/chat",
    "games/clocks",
    "games/login_hooks.py",
    "games/errors.py",
    "games/films",
    "games/fleet",
    "games/work/jobs.py",
    "games/lobby",
    "games/news",
    "games/web/pages.py",
    "games/people",
    "games/play",
    "games/live.py",
    "games/work/jobs.py",
    "games/site",
    "games/wording.py",
    "games/staff",
    "games/templatetags",
    "games/people/pages.py",
    "games/people/tokens.py",
    "games/votes",
    "games/wording.py",
    "roborunner/server.py",
)
"""Folders and modules with no sentence outside the catalogue."""

REMARKS = {
    "accounts/passwords.py",
    "games/work/jobs.py",
    "games/news/channels/__init__.py",
    "games/news/channels/browser.py",
    "games/news/channels/bounces.py",
    "games/news/pages.py",
    "games/news/channels/mail.py",
    "games/news/channels/webhook.py",
    "games/news/models.py",
    "games/news/delivery.py",
    "games/people/selectors/personal_data.py",
    "games/people/services/deletion.py",
    "games/people/services/scrubbing.py",
    "games/play/stored.py",
    "games/play/heads.py",
    "games/play/computers.py",
    "games/play/orders.py",
    "games/play/resolution.py",
    "games/news/feeds.py",
    "games/staff/selectors.py",
}
"""Modules with English notes for operators, answers of commands, keys or SQL."""

MODULES = sorted(
    path
    for done in DONE
    for path in (ROOT / done).parent.rglob("*.py")
    if path.is_relative_to(ROOT / done)
    and "migrations" not in path.parts
    and path.name != "api.py"  # descriptions in English
    and str(path.relative_to(ROOT)) not in REMARKS
)

ASKED = {"_", "gettext", "ngettext", "N_"}
"""Functions of the catalogue, as Babel knows them. The code imports gettext_lazy as _."""

REFUSED = {"Conflict", "Forbidden", "Invalid", "Malformed", "NotFound", "ServiceError"}
LABELS = {"empty_label", "help", "help_text", "label", "title", "verbose_name", "verbose_name_plural"}
FIELDS = {"Amount", "Choice", "Day", "Flag", "Instant", "Items", "Name", "Pick", "Prose", "Text"}
FIELDS |= {"CoordinatesField", "ReadMark", "TimeOfDay", "WholeNumber"}
"""Fields of inputs. Those without a label are for programs, in English."""

UNSAID = {"Annotated", "Literal", "each", "_choices_schema", "_hours"}
"""Descriptions of the API, keys, and names of jobs."""

MODELS = {"Model", "BelongsToGame", "Leased"}
"""Bases of the models. Staff and the log see their names."""

INTERNAL = {"AssertionError", "LookupError", "RuntimeError", "TimeoutError", "TypeError", "time_limit"}
INTERNAL |= {"ContextVar", "write_despite_outage"}
LOGS = {"log", "logger"}
WORD = re.compile(r"[A-Za-z]{2}")
SENTENCE = re.compile(r"[A-Za-z][a-z’]+,? [a-z]|[a-z]{2,} ?\{|\} [a-z]{2}")


def name_of(node: ast.AST) -> str:
    """Return the last name of a call or type."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def bare_in_code(node: ast.AST, said: bool = False) -> Iterator[str]:
    """Yield the untranslated texts of code. If ``said``, a single word counts as a text."""
    match node:
        case ast.Constant(value=str(text)):
            if (WORD if said else SENTENCE).search(re.sub(r"<[^>]*>", " ", text)):
                yield text
        case ast.JoinedStr(values=values):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
            yield from bare_in_code(ast.Constant(text), said)
            for part in values:
                if isinstance(part, ast.FormattedValue):
                    yield from bare_in_code(part.value)
        case ast.Expr(value=ast.Constant()) | ast.Compare():
            return
        case ast.Assert(test=test):
            yield from bare_in_code(test)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if not (isinstance(key, ast.Constant) and key.value == "description"):
                    yield from bare_in_code(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner in LOGS:
            return
        case ast.Call(func=function) if name_of(function) in ASKED | UNSAID | INTERNAL:
            return
        case ast.Subscript(value=kind, slice=ast.Tuple(elts=parts)) if name_of(kind) in UNSAID:
            for part in parts:
                if isinstance(part, ast.Call) and name_of(part.func) == "Setting":
                    yield from bare_in_code(part)
        case ast.Assign(targets=[ast.Attribute(attr="__doc__")]):
            return
        case ast.AnnAssign(target=ast.Name(id=name)) if name.endswith("_JOB"):
            return
        case ast.Subscript(value=value, slice=ast.Constant()):
            yield from bare_in_code(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="messages")), args=[_, words, *_]):
            yield from bare_in_code(words, said=True)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            refused = name_of(function) in REFUSED
            if name_of(function) in FIELDS and "label" not in {keyword.arg for keyword in keywords}:
                keywords = [keyword for keyword in keywords if keyword.arg != "help_text"]
            for place, argument in enumerate(arguments):
                yield from bare_in_code(argument, said=refused and place == 1)
            for keyword in keywords:
                yield from bare_in_code(keyword.value, said=keyword.arg in LABELS)
        case ast.ClassDef(bases=bases, body=body) if any(name_of(base) in MODELS for base in bases):
            for child in body:
                if not (isinstance(child, ast.FunctionDef) and child.name == "__str__"):
                    yield from bare_in_code(child)
        case ast.ClassDef(bases=bases, body=body) if any("Choices" in name_of(base) for base in bases):
            for child in body:
                one_said = isinstance(child, ast.Assign) and isinstance(child.value, ast.Tuple)
                yield from bare_in_code(child.value.elts[-1] if one_said else child, said=one_said)
        case ast.IfExp(test=test, body=one, orelse=other):
            yield from bare_in_code(test)
            yield from bare_in_code(one, said)
            yield from bare_in_code(other, said)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from bare_in_code(child)


def test_code_has_no_sentence_outside_the_catalogue() -> None:
    assert MODULES
    found = {path: list(bare_in_code(ast.parse(path.read_text()))) for path in MODULES}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('said = "The game is over."', ["The game is over."]),
        ('said = f"Turn {number} has been played."', ["Turn {} has been played."]),
        ('raise Conflict("over", "Over")', ["Over"]),
        ('raise Conflict("over", _("Over"))', []),
        ('messages.success(request, "Saved")', ["Saved"]),
        ('CharField(label="Name", help_text=_("Your name."))', ["Name"]),
        ('class Status(TextChoices):\n    OPEN = "open", "Open"', ["Open"]),
        ('class Game(Model):\n    def __str__(self):\n        return f"game {self.pk}"', []),
        ('{"orders in": _("How many.")}', []),
        ('log.warning("A turn failed")', []),
        ('end: Annotated[int, "The last turn."]', []),
        ('"""The rooms of a game."""', []),
    ],
)
def test_untranslated_words_of_code_are_found(code: str, found: list[str]) -> None:
    assert list(bare_in_code(ast.parse(code))) == found
