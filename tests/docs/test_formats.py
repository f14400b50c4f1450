"""Dates, times and numbers are formatted for the reader's language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

NAMED = {"DATE_FORMAT", "DATETIME_FORMAT", "MONTH_DAY_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT"}
NAMED |= {"TIME_FORMAT", "YEAR_MONTH_FORMAT"}
"""Formats with another value in each language."""

FOR_MACHINES = {"c", "U"}

IN_TEMPLATE = re.compile(r'\|(?:date|time):"([^"]*)"|{% now "([^"]*)"|\|stringformat:"([^"]*[fd,])"')

DATE_CALLS = {"date_format", "time_format", "date_filter", "date", "time"}

CODES = re.compile(r"%-?[A-Za-z]")
ISO = re.compile(r"%Y-?%m|%m%d%H%M|%d%H%M")
"""Matches the start of date formats for files, addresses, keys and logs."""

NUMBER = re.compile(r"^[^a-z%]*(,|\.\d)[^a-z]*[a-z%]?$|^[egn%]$")
PLACEHOLDER = re.compile(r"{\w*:([^{}]+)}")

DOCUMENTS = {"games/clocks/inputs.py", "games/clocks/paces.py"}
"""Modules that write times of day into stored documents."""

ENGLISH = {
    "accounts/models.py",  # names in the admin
    "games/management/commands/backup.py",
    "games/news/channels/outbound.py",
    "games/news/delivery.py",
    "games/play/computers.py",
    "games/play/resolution.py",
    "games/shipyard/flying.py",
    "games/shipyard/outlook.py",
    "games/shipyard/suggestions.py",
    "games/shipyard/tunnel.py",
    "rules/drawing/pen.py",  # coordinates
    "rules/language.py",
}
"""Modules that format numbers in English, for operators, programs or staff."""


def formats_of_template(text: str) -> Iterator[str]:
    """Yield the formats in a template that do not depend on the language."""
    for found in IN_TEMPLATE.finditer(text):
        form = next(filter(None, found.groups()), "")
        if form not in NAMED | FOR_MACHINES:
            yield form


def formats_of_code(source: str) -> Iterator[str]:
    """Yield the formats in Python code that do not depend on the language."""
    tree = ast.parse(source)
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=function, args=[_, ast.Constant(value=str(form)), *_]) if (
                name_of(function) in DATE_CALLS and form not in NAMED | FOR_MACHINES
            ):
                yield form
            case ast.Call(func=ast.Attribute(attr="strftime"), args=[ast.Constant(value=str(form))]) if (
                not ISO.match(form)
            ):
                yield form
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=str(form))])) if (
                CODES.search(form) and not ISO.match(form)
            ) or NUMBER.match(form):
                yield form
            case ast.Constant(value=str(text)) if id(node) not in texts:
                yield from (form for form in PLACEHOLDER.findall(text) if NUMBER.match(form))


def name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def formats_of_script(text: str) -> Iterator[str]:
    """Yield JavaScript calls that format a number or time in a fixed language."""
    yield from re.findall(r"\.toLocale\w*String\((?!locale\(\))[^,)]*|\.toFixed\([^)]*", text)
    yield from re.findall(r"Intl\.\w+Format\((?!locale\(\)|\)\.resolvedOptions)[^)]*", text)


def test_templates_have_no_fixed_format() -> None:
    paths = [path for path in (ROOT / "templates").rglob("*.*") if path.suffix in {".html", ".txt"}]
    assert len(paths) > 300
    found = {path: list(formats_of_template(path.read_text())) for path in paths}
    assert {path: forms for path, forms in found.items() if forms} == {}


def test_code_has_no_fixed_format() -> None:
    found = {}
    for folder in ("accounts", "games", "roborunner", "rules"):
        for path in (ROOT / folder).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            if "migrations" not in path.parts and name not in ENGLISH:
                allowed = {"%H:%M"} if name in DOCUMENTS else set()
                found[name] = set(formats_of_code(path.read_text())) - allowed
    assert {name: forms for name, forms in found.items() if forms} == {}


def test_scripts_have_no_fixed_format() -> None:
    found = {path: list(formats_of_script(path.read_text())) for path in (ROOT / "static").rglob("*.js")}
    assert len(found) > 100
    assert {path: forms for path, forms in found.items() if forms} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{{ at|date:"D j M, H:i" }} {{ at|date:"DATE_FORMAT" }} {{ at|date:"c" }}', ["D j M, H:i"]),
        ('{% now "H:i" %} {{ share|stringformat:".1f" }}', ["H:i", ".1f"]),
    ],
)
def test_formats_of_templates_are_found(text: str, found: list[str]) -> None:
    assert list(formats_of_template(text)) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('date_format(at, "l, j F"), date_format(at, "DATE_FORMAT")', ["l, j F"]),
        ('at.strftime("%d.%m.%Y"), at.strftime("%Y%m%dT%H%M%SZ")', ["%d.%m.%Y"]),
        ('f"{at:%H:%M} {day:%Y-%m-%d}"', ["%H:%M"]),
        ('f"{cells:,} {share:.0%} {mean:.1f} {turn:02d} {open:d}"', [",", ".0%", ".1f"]),
        ('N_("at most {most:,} cells, not {cells}")', [","]),
        ('"""Write {cells:,}."""', []),
    ],
)
def test_formats_of_code_are_found(code: str, found: list[str]) -> None:
    assert list(formats_of_code(code)) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('time.toLocaleString("en-GB", {})', ['.toLocaleString("en-GB"']),
        ("time.toLocaleString(locale(), {})", []),
        ("share.toFixed(1)", [".toFixed(1"]),
        ('new Intl.ListFormat("en").format(names)', ['Intl.ListFormat("en"']),
    ],
)
def test_formats_of_scripts_are_found(code: str, found: list[str]) -> None:
    assert list(formats_of_script(code)) == found
