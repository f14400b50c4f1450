"""Translations match the catalogue in messages, placeholders, tags and plurals."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from roborunner.translations import PROJECT, language_in, read, script_of, translation_files

FILES = [pytest.param(file, id=language_in(file)) for file in translation_files()]

PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\(\w+\)s|%%")
MARKS = re.compile(r"</?[a-z][^<>]*>|\]\([^()]*\)")
"""Matches tags, and targets of links."""


def forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def faults(message: Message, plurals: int) -> Iterator[str]:
    """Yield the faults of a translated message."""
    asked, said = forms(message.id), forms(message.string)
    if message.fuzzy:
        yield "fuzzy"
    if len(asked) > 1 and len(list(filter(None, said))) != plurals:
        yield "missing plural"
    known = [set(PLACEHOLDER.findall(form)) for form in asked]
    for form in said:
        there = set(PLACEHOLDER.findall(form))
        if not set.intersection(*known) <= there <= set.union(*known):
            yield f"placeholders of {form!r}"
        if Counter(MARKS.findall(form)) not in [Counter(MARKS.findall(each)) for each in asked]:
            yield f"tags of {form!r}"


@pytest.mark.parametrize("file", FILES)
def test_translated_messages_keep_placeholders_tags_and_plurals(file: Path) -> None:
    translation = read(file)
    found = {
        str(message.id): wrong
        for message in translation
        if message.id and any(forms(message.string))
        if (wrong := list(faults(message, translation.num_plurals)))
    }
    assert found == {}


@pytest.mark.parametrize("file", FILES)
def test_translations_are_up_to_date_with_the_catalogue(file: Path, tmp_path: Path) -> None:
    fresh = shutil.copy(file, tmp_path / "django.po")
    update = ["roborunner.catalogue", "-q", "update", "--no-fuzzy-matching", "--ignore-pot-creation-date"]
    files = ["-i", PROJECT / "locale" / "django.pot", "-o", fresh, "-l", language_in(file)]
    subprocess.run([sys.executable, "-m", *update, *files], check=True)
    assert fresh.read_text() == file.read_text(), "run make messages"


def test_a_percent_sign_before_a_word_is_no_placeholder() -> None:
    entries = (PROJECT / "locale" / "django.pot").read_text().split("\n\n")
    flagged = [entry for entry in entries if "#, python-format" in entry]
    assert flagged
    assert [entry for entry in flagged if "%(" not in entry] == []


@pytest.mark.parametrize(
    ("english", "german", "found"),
    [
        ("{robot} moves", "{robot} fährt", []),
        ("{robot} moves", "{Roboter} fährt", ["placeholders of '{Roboter} fährt'"]),
        ("Hello %(name)s", "Hallo", ["placeholders of 'Hallo'"]),
        ("<b>No</b>", "Nein", ["tags of 'Nein'"]),
        ("[Help](help.md)", "[Hilfe](hilfe.md)", ["tags of '[Hilfe](hilfe.md)'"]),
        (("{n} day", "{n} days"), ("{n} Tag", ""), ["missing plural", "placeholders of ''"]),
        (("a day", "{n} days"), ("ein Tag", "{n} Tage"), []),
    ],
)
def test_faults_of_translations_are_found(
    english: str | tuple[str, ...], german: str | tuple[str, ...], found: list[str]
) -> None:
    assert list(faults(Message(english, german), plurals=2)) == found


def test_a_compiled_script_has_the_translated_sentences_of_scripts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    catalog = Catalog(locale="de")
    catalog.add("Pause", "Anhalten", [("static/play/projector.js", None)], context="playback")  # type: ignore[list-item]
    catalog.add(("{number} day", "{number} days"), ("{number} Tag", "{number} Tage"), [("static/a.js", 1)])
    catalog.add("Redo", "", [("static/a.js", 1)])
    catalog.add("Sign up", "Registrieren", [("templates/a.html", 1)])
    script = script_of(catalog)
    assert '{"playback\\u0004Pause": "Anhalten", "{number} day": ["{number} Tag", "{number} Tage"]}' in script
    assert "pluralidx: (n) => Number(n != 1)" in script


@pytest.mark.parametrize("missing", ["static/languages", "locale/de/LC_MESSAGES/django.mo"])
def test_the_installation_compiles_translations_that_are_missing(missing: str, tmp_path: Path) -> None:
    (tmp_path / "locale/de/LC_MESSAGES").mkdir(parents=True)
    inputs = ["requirements-dev.lock", "roborunner/translations.py", "locale/de/LC_MESSAGES/django.po"]
    for name in (*inputs, ".venv/.installed", "locale/de/LC_MESSAGES/django.mo"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "static/languages").mkdir(parents=True)
    install = ["make", "-n", "-f", str(PROJECT / "Makefile"), "install"]

    def commands() -> str:
        return subprocess.run(install, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert "roborunner.translations" not in commands()
    (tmp_path / missing).rename(tmp_path / "gone")
    assert "roborunner.translations" in commands()
