"""The catalogue of messages is complete, and its messages are whole sentences."""

import ast
import json
import re
import subprocess
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from html import unescape
from io import StringIO
from itertools import pairwise, zip_longest
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from games.site.documents import TRANSLATED, files
from rules import rulebook
from rules.rulesets import EDITIONS

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "locale" / "django.pot"
FIXTURES = ROOT / "fixtures"

TEMPLATES = sorted(
    path
    for path in (ROOT / "templates").rglob("*.*")
    if path.suffix in {".html", ".txt"} and re.search(r"{% load [^%]*\bi18n\b", path.read_text())
)

MESSAGE_TAGS = re.compile(
    r"""
    {%\ comment.*?{%\ endcomment\ %} | {\#.*?\#} | <!--.*?-->
    | {%\ blocktranslate.*?{%\ endblocktranslate\ %} | {%\ translate\ .*?%} | _\("[^"]*"\)
    | <meta\ name="(?:viewport|color-scheme)"[^>]*>
    | {%\ block\ (?:page|body|drawing)_class\ %}.*?{%\ endblock\ %}
    """,
    re.DOTALL | re.VERBOSE,
)
"""Matches template tags with messages, and parts of a template without words for people."""

CODE = re.compile(r"<(code|kbd|pre|script|style)\b.*?</\1>", re.DOTALL)
FILTERED = r'\|(?:default|default_if_none|yesno|join):"([^"]*)"'
PASSED_ON = r'\b\w+="([^"]*)"'
PUT_IN = re.compile(f"{FILTERED}|{PASSED_ON}")
SHOWN_ATTRIBUTES = re.compile(
    r'\b(?:alt|aria-label|aria-description|content|placeholder|title|label)="([^"]*)"'
)
NAMES = re.compile(r"Robo Runner|RoboRally|https?://\S+|\?\w+=\w*|&\w+;")


def bare(path: Path) -> Iterator[str]:
    """Yield the untranslated texts of a template."""
    text = CODE.sub(" ", MESSAGE_TAGS.sub(" ", path.read_text()))
    for tag in re.findall(r"{%.*?%}|{{.*?}}", text, re.DOTALL):
        if "|pluralize" in tag:
            yield tag
        for put_in in PUT_IN.finditer(tag):
            words = put_in[1] or put_in[2] or ""
            if re.search(r"[A-Za-z]{2}", words) and (put_in[1] or re.match(r"[A-Z]|.*[a-z] [a-z]", words)):
                yield words
    text = re.sub(r"{%.*?%}|{{.*?}}", " ", text, flags=re.DOTALL)
    text = re.sub(
        r"<[^>]*>", lambda tag: "\n".join(["", *SHOWN_ATTRIBUTES.findall(tag[0]), ""]), text, flags=re.DOTALL
    )
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


def test_the_catalogue_is_up_to_date(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.pot"
    subprocess.run(["make", "-s", "-o", "install", "catalogue", f"CATALOGUE={fresh}"], cwd=ROOT, check=True)
    assert fresh.read_text() == CATALOGUE.read_text(), "run make messages"


CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "N_", "Sentence"}
COUNTED_CALLS = {"ngettext", "ngettext_lazy", "counted"}
CONTEXT_CALLS = {"pgettext", "pgettext_lazy"}

Message = tuple[str, ...]
"""A message as a tuple: its text, or its singular and plural."""


@cache
def stored() -> list[tuple[Message, list[str]]]:
    """Return the messages of the catalogue, each with its source files."""
    with CATALOGUE.open("rb") as file:
        return [
            (
                message.id if isinstance(message.id, tuple) else (message.id,),
                [path for path, _ in message.locations],
            )
            for message in read_po(file)
            if message.id
        ]


def paths_of(folder: str) -> set[str]:
    return {path for _message, paths in stored() for path in paths if path.startswith(folder)}


def catalogue(*parts: str) -> set[Message]:
    """Return the catalogue's messages from the given folders and files."""
    there = [message for message, paths in stored() if any(path.startswith(parts) for path in paths)]
    return {*there, *((one,) for one, *_many in there if (one,) in SINGULAR_TOO)}


SINGULAR_TOO = {("Add an airlock",), ("Add a start cell",), ("Add a checkpoint",)}
"""Messages that occur both alone and with a plural.

The catalogue has one entry for both.
"""


def messages_in_python(source: str) -> Iterator[Message]:
    """Yield the messages in Python code, found by reading its tokens."""
    tokens = [
        token
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type
        not in {tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    ]
    for formatted in (
        each.string for each in tokens if each.type == tokenize.STRING and "gettext(" in each.string
    ):
        yield from ((text,) for text in re.findall(r"gettext\([\"']([^\"']+)[\"']\)", formatted))
    for index, (name, bracket) in enumerate(pairwise(tokens)):
        wanted = CALLS | COUNTED_CALLS | CONTEXT_CALLS
        if name.string not in wanted or bracket.string != "(" or tokens[index - 1].string in {"def", "class"}:
            continue
        arguments = [""]
        for token in tokens[index + 2 :]:
            if token.type == tokenize.STRING:
                arguments[-1] += ast.literal_eval(token.string)
            elif token.string == "," and arguments[-1]:
                arguments.append("")
            elif token.string == "if" and arguments[-1]:
                yield (arguments[-1],)
                other = next(each for each in range(index, len(tokens)) if tokens[each].string == "else")
                yield (ast.literal_eval(tokens[other + 1].string),)
                break
            else:
                break
        if arguments[0]:
            first = 1 if name.string in CONTEXT_CALLS else 0
            yield tuple(
                arguments[first : first + 2] if name.string in COUNTED_CALLS else arguments[first : first + 1]
            )


def messages_in_script(source: str) -> Iterator[Message]:
    """Yield the messages in JavaScript code, found by a regular expression."""
    text = r"\s*(\"(?:[^\"\\]|\\.)*\")\s*"
    pattern = rf"\bgettext\({text}|\bngettext\({text},{text}|\bpgettext\(\s*\"[^\"]*\",{text}"
    for found in re.finditer(pattern, source):
        yield tuple(json.loads(form) for form in found.groups() if form)


def messages_in_template(source: str) -> Iterator[Message]:
    """Yield the messages in a template, found by regular expressions."""
    source = re.sub(r"{% comment.*?{% endcomment %}|{#.*?#}", "", source, flags=re.DOTALL)
    for found in re.finditer(r'{% translate "([^"]+)"|[=:]_\("([^"]+)"\)', source):
        yield (found[1] or found[2],)
    for options, body in re.findall(
        r"{% blocktranslate(.*?)%}(.*?){% endblocktranslate %}", source, re.DOTALL
    ):
        text = re.sub(
            r"{{ (\w+) }}", r"%(\1)s", body.replace("%", "%%").replace("{%% plural %%}", "{% plural %}")
        )
        forms = text.split("{% plural %}")
        if "trimmed" in options:
            forms = [" ".join(line.strip() for line in form.strip().splitlines()) for form in forms]
        yield tuple(forms)


def test_the_catalogue_has_exactly_the_messages_of_the_code() -> None:
    messages = {
        message
        for folder in ("accounts", "games", "roborunner", "rules")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
        for message in messages_in_python(path.read_text())
    }
    steps = {
        (text,)
        for edition in EDITIONS.values()
        for _title, there in rulebook.parts(edition)
        for step in there
        for text in (step.name, step.text)
    }
    assert len(messages) > 2500
    assert len(steps) > 80
    assert messages | steps == catalogue("accounts/", "games/", "roborunner/", "rules/")


def test_the_catalogue_has_exactly_the_messages_of_scripts_and_templates() -> None:
    scripts = {
        each for path in (ROOT / "static").rglob("*.js") for each in messages_in_script(path.read_text())
    }
    templates = {
        each for path in (ROOT / "templates").rglob("*.*") for each in messages_in_template(path.read_text())
    }
    assert scripts == catalogue("static/")
    assert templates == catalogue("templates/")


def test_the_catalogue_has_exactly_the_lessons_and_stories_of_the_fixtures() -> None:
    messages = {each["title"] for each in tomllib.loads((FIXTURES / "missions.toml").read_text())["mission"]}
    for path in (FIXTURES / "lessons").glob("*.json"):
        lesson = json.loads(path.read_text())
        messages |= {lesson["introduction"], lesson["goal"], lesson["closing"]}
        messages |= {each["text"] for part in ("notes", "hints") for each in lesson.get(part, ())}
    for path in (FIXTURES / "starships").glob("*.json"):
        messages |= {json.loads(path.read_text()).get("description", "")} - {""}
    assert {(text,) for text in messages} == catalogue("fixtures/")


def test_the_catalogue_has_all_words_of_the_documents_for_players() -> None:
    assert {Path(path).stem for path in paths_of("docs/")} == TRANSLATED
    for slug in TRANSLATED:
        text = re.sub(
            r"(?s:^ *```.*?^ *```)|^ {4,}[^-* ].*$", "", files()[slug].read_text(), flags=re.MULTILINE
        )
        text = re.sub(r"^ *(?:#+|[-*]|\d+\.|\|[-|]+\|$)", "", text, flags=re.MULTILINE)
        there = " ".join(message for (message, *_other) in catalogue(f"docs/{slug}.md"))
        assert set(re.findall(r"[^\W_]+", text)) == set(re.findall(r"[^\W_]+", there)), slug


TRANSLATED_PATHS = (
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
"""Folders and modules without untranslated sentences for people."""

OPERATOR_MODULES = {
    "accounts/passwords.py",
    "games/work/jobs.py",
    "games/news/channels/__init__.py",
    "games/news/channels/browser.py",
    "games/news/channels/bounces.py",
    "games/news/pages.py",
    "games/news/channels/mail.py",
    "games/news/channels/webhook.py",
    "games/news/models.py",
    "games/news/sending.py",
    "games/news/delivery.py",
    "games/people/selectors/personal_data.py",
    "games/people/services/deletion.py",
    "games/people/services/scrubbing.py",
    "games/play/stored.py",
    "games/staff/backups.py",
    "games/staff/health.py",
    "games/staff/incidents.py",
    "games/staff/operator.py",
    "games/staff/recovery.py",
    "games/play/heads.py",
    "games/play/computers.py",
    "games/play/orders.py",
    "games/play/resolution.py",
    "games/news/feeds.py",
    "games/staff/selectors.py",
    "games/staff/watch.py",
}
"""Modules with English texts that are not for players.

They are notes for operators, outputs of commands, keys, or SQL.
"""

MODULES = sorted(
    path
    for translated in TRANSLATED_PATHS
    for path in (ROOT / translated).parent.rglob("*.py")
    if path.is_relative_to(ROOT / translated)
    and "migrations" not in path.parts
    and path.name != "api.py"  # descriptions in English
    and str(path.relative_to(ROOT)) not in OPERATOR_MODULES
)

GETTEXT_FUNCTIONS = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "pgettext_lazy", "N_"}
"""Names of functions that mark messages. Code imports gettext_lazy as _."""

REFUSED = {"Conflict", "Forbidden", "Invalid", "Malformed", "NotFound", "ServiceError"}
LABELS = {"empty_label", "help", "help_text", "label", "title", "verbose_name", "verbose_name_plural"}
FIELDS = {
    "Amount",
    "Choice",
    "CompanionNames",
    "Day",
    "Flag",
    "Instant",
    "Items",
    "Name",
    "Pick",
    "Prose",
    "Text",
}
FIELDS |= {"CoordinatesField", "PositionField", "ReadMark", "TimeOfDay", "WholeNumber"}
"""Fields of inputs. Those without a label are for programs, in English."""

UNTRANSLATED_CALLS = {"Annotated", "Literal", "for_each_row", "_choices_schema", "_hours"}
"""Calls and types with texts that need no translation.

Their texts are descriptions in the API reference, keys, or names of jobs.
"""

MODELS = {"Model", "BelongsToGame", "Leased", "LeasedWork"}
"""Base classes of the models.

Verbose names of models need no translation, since only the admin and the log show them.
"""

INTERNAL = {"AssertionError", "LookupError", "RuntimeError", "TimeoutError", "TypeError", "time_limit"}
INTERNAL |= {"ContextVar", "OAuth2Error", "write_despite_outage"}
LOGS = {"log", "logger"}
WORD = re.compile(r"[A-Za-z]{2}")
SENTENCE = re.compile(r"[A-Za-z][a-z’]+,? [a-z]|[a-z]{2,} ?\{|\} [a-z]{2}")


def name_of(node: ast.AST) -> str:
    """Return the last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def bare_in_code(node: ast.AST, shown: bool = False) -> Iterator[str]:
    """Yield the untranslated sentences of Python code.

    If ``shown`` is True, people certainly see all texts in the code, so single words count too.
    """
    match node:
        case ast.Constant(value=str(text)):
            if (WORD if shown else SENTENCE).search(re.sub(r"<[^>]*>|:root\{", " ", text)):
                yield text
        case ast.JoinedStr(values=values):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
            yield from bare_in_code(ast.Constant(text), shown)
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
        case ast.Call(func=function) if (
            name_of(function) in GETTEXT_FUNCTIONS | UNTRANSLATED_CALLS | INTERNAL
        ):
            return
        case ast.Subscript(value=kind, slice=ast.Tuple(elts=parts)) if name_of(kind) in UNTRANSLATED_CALLS:
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
            yield from bare_in_code(words, shown=True)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            refused = name_of(function) in REFUSED
            if name_of(function) in FIELDS and "label" not in {keyword.arg for keyword in keywords}:
                keywords = [keyword for keyword in keywords if keyword.arg != "help_text"]
            for place, argument in enumerate(arguments):
                yield from bare_in_code(argument, shown=refused and place == 1)
            for keyword in keywords:
                yield from bare_in_code(keyword.value, shown=keyword.arg in LABELS)
        case ast.ClassDef(bases=bases, body=body) if any(name_of(base) in MODELS for base in bases):
            for child in body:
                if not (isinstance(child, ast.FunctionDef) and child.name == "__str__"):
                    yield from bare_in_code(child)
        case ast.ClassDef(bases=bases, body=body) if any("Choices" in name_of(base) for base in bases):
            for child in body:
                labelled = isinstance(child, ast.Assign) and isinstance(child.value, ast.Tuple)
                yield from bare_in_code(child.value.elts[-1] if labelled else child, shown=labelled)
        case ast.IfExp(test=test, body=one, orelse=other):
            yield from bare_in_code(test)
            yield from bare_in_code(one, shown)
            yield from bare_in_code(other, shown)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from bare_in_code(child)


def test_code_has_no_sentence_outside_the_catalogue() -> None:
    assert MODULES
    found = {path: list(bare_in_code(ast.parse(path.read_text()))) for path in MODULES}
    assert {path: texts for path, texts in found.items() if texts} == {}


def unmarked(tree: ast.AST) -> Iterator[str]:
    """Yield the texts in tables of Python code that are not marked for translation.

    A table is a tuple or list of rows. Only columns with at least one marked text count.
    """
    for node in ast.walk(tree):
        rows = node.elts if isinstance(node, ast.Tuple | ast.List) else ()
        if not all(isinstance(row, ast.Tuple | ast.List) for row in rows):
            continue
        for column in zip_longest(*(row.elts for row in rows if isinstance(row, ast.Tuple | ast.List))):
            if any(isinstance(each, ast.Call) and name_of(each.func) == "N_" for each in column):
                texts = (each.value for each in column if isinstance(each, ast.Constant))
                yield from (text for text in texts if isinstance(text, str) and WORD.search(text))


def test_tables_of_the_rules_mark_all_texts_of_a_column() -> None:
    found = {path: list(unmarked(ast.parse(path.read_text()))) for path in (ROOT / "rules").rglob("*.py")}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_unmarked_texts_of_tables_are_found() -> None:
    rows = '((1, "Eins", N_("One")), (2, "Zwei", "Two"), (3, "Drei", N_("Three")))'
    assert list(unmarked(ast.parse(rows))) == ["Two"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('text = "The game is over."', ["The game is over."]),
        ('text = f"Turn {number} has been played."', ["Turn {} has been played."]),
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
