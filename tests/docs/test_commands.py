"""Programs accept every command in the documentation, word for word.

Commands of `manage.py` also run here. `RUN_BY` names the tests that run the others, which need servers, files
or minutes.
"""

import argparse
import importlib.util
import re
import runpy
import shlex
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
import yaml
from django.core.management import CommandError, call_command, get_commands, load_command_class

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`]+)`", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(
    r"(?:\.venv/bin/|nice \S+ )?(?:python -m |(?:python )?manage\.py |robo-runner |docker compose |make )\S.*"
)
PLACEHOLDER = re.compile(r"\[|…|\.\.\.|^[A-Z]+$")


class Accepted(Exception):
    """Raised to stop a program as soon as it has accepted its arguments."""


def _commands() -> Iterator[tuple[str, str, bool]]:
    """Yield each documented command as its page, its text, and whether it is in a sentence.

    All other commands are in blocks of code.
    """
    for page in PAGES:
        for block, span in CODE.findall(page.read_text()):
            for line in (block or span).replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\s\|\s|\s#|\s>\s", line):
                    text = part.strip()
                    if (found := COMMAND.match(text)) and found[0] == text:
                        yield str(page.relative_to(ROOT)), text, not block


WITHOUT_PARSER = {"accounts.passwords"}
"""Modules that take words as arguments, and have no options."""

COMMANDS = sorted(set(_commands()))
SERVICES: dict[str, dict[str, object]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
PROCESSES = {
    name
    for name, service in SERVICES.items()
    if str(service.get("image", "")).startswith("robo-runner") and name != "prepare"
}
"""Long-running services of compose.

Operators stop or replace all of them together.
"""


def _words(command: str, program: str) -> list[str]:
    """Return the words after the program's name, with values for placeholders."""
    words = shlex.split(command.partition(program)[2])
    return [_value(word) if PLACEHOLDER.search(word) and not word.startswith("-") else word for word in words]


def _value(placeholder: str) -> str:
    is_hash = placeholder == "HASH" or re.fullmatch(r"[0-9a-f]{6,}…", placeholder)
    return "a" * 64 if is_hash else "1"


def _check(page: str, command: str, mention: bool, fault: str) -> None:
    """Fail unless the command is only mentioned in a sentence, without its arguments."""
    assert mention and "required" in fault, f"{page}: {command}: {fault}"


@pytest.mark.parametrize(
    ("page", "command", "mention"), [each for each in COMMANDS if "python -m" in each[1]]
)
def test_a_module_accepts_its_documented_arguments(
    page: str, command: str, mention: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    module, *words = _words(command, "python -m ")
    found = importlib.util.find_spec(module)
    assert found, f"{page} names {module}, and there is no such module"
    if found.submodule_search_locations:
        found = importlib.util.find_spec(f"{module}.__main__")
    assert found and found.origin
    if "[" in command or words == ["1"]:  # a synopsis
        return
    if "argparse" not in Path(found.origin).read_text():
        assert not words or module in WITHOUT_PARSER, f"{page}: {command}"
        return
    read = argparse.ArgumentParser.parse_args

    def accept(self: argparse.ArgumentParser, *given: object, **more: object) -> None:
        read(self, *given, **more)  # type: ignore[call-overload]
        raise Accepted

    with (
        patch("sys.argv", [module, *words]),
        patch.object(argparse.ArgumentParser, "parse_args", accept),
        pytest.raises((Accepted, SystemExit)) as ended,
    ):
        runpy.run_module(module, run_name="__main__")
    if ended.type is SystemExit and ended.value.code:
        _check(page, command, mention, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("page", "command", "mention"),
    [each for each in COMMANDS if re.search(r"manage\.py |^robo-runner ", each[1])],
)
def test_manage_accepts_its_documented_arguments(page: str, command: str, mention: bool) -> None:
    program = "manage.py " if "manage.py " in command else "robo-runner "
    name, *words = [word for word in _words(command, program) if word != "--as-administrator"]
    assert name in get_commands(), f"{page} names {name}, and there is no such command"
    if "[" in command:  # a synopsis
        return
    loaded = load_command_class(get_commands()[name], name)
    try:
        loaded.create_parser("manage.py", name).parse_args(words)
    except CommandError as refused:
        _check(page, command, mention, str(refused))


RUN_BY = {
    "backup": "tests/roborunner/test_database_script.py",
    "restore": "tests/roborunner/test_database_script.py",
    "drill": "tests/games/staff/test_backups.py",
    "bring_back": "tests/games/staff/test_recovery.py",
    "take_over": "tests/roborunner/test_backup_by_version.py",
    "take_return": "tests/games/news/channels/mail/test_bounces.py",
    "check_mail": "tests/games/management/test_check_mail.py",
    "collectstatic": "tests/roborunner/test_image.py",
    "watch": "tests/games/staff/test_watch.py",
    "createsuperuser": "tests/accounts/users/test_models.py",
    "daily": "tests/games/daily/test_pages.py",
    "puzzles": "tests/games/puzzles/test_pages.py",
}
"""Commands that need minutes, a dump, an email or answers, each with the test that runs it."""

ONLY_SHOWN = {"makemigrations": "--dry-run"}
"""Options for commands that would otherwise change the source code."""

MANAGED = {tuple(_words(command, "manage.py ")) for _, command, _ in COMMANDS if "manage.py " in command}


@pytest.mark.parametrize("words", sorted(each for each in MANAGED if each[0] not in RUN_BY), ids=" ".join)
def test_a_documented_command_runs_or_says_in_one_line_why_not(db: None, words: tuple[str, ...]) -> None:
    try:
        options = [ONLY_SHOWN[words[0]]] if words[0] in ONLY_SHOWN else []
        call_command(*words, *options, stdout=StringIO(), stderr=StringIO())
    except CommandError as refused:
        mention = len(words) == 1 and "are required" in str(refused)
        assert mention or (str(refused).endswith(".") and "\n" not in str(refused))


@pytest.mark.parametrize("name", sorted(RUN_BY))
def test_another_test_runs_each_command_skipped_here(name: str) -> None:
    assert re.search(rf"[\"' ]{name}[\"' ]", (ROOT / RUN_BY[name]).read_text())
    assert name in {words[0] for words in MANAGED}


@pytest.mark.parametrize(("page", "command"), [each[:2] for each in COMMANDS if "docker compose" in each[1]])
def test_documented_compose_services_exist_and_are_complete(page: str, command: str) -> None:
    verb, *words = [word for word in _words(command, "docker compose ") if not word.startswith("-")]
    named = {word for word in words if word in SERVICES}
    if verb in {"up", "stop", "restart"}:
        assert set(words) - {"web=2"} <= SERVICES.keys(), f"{page}: {command}"
    if "beat" in named:
        assert named >= PROCESSES - {"web"}, f"{page} forgets {PROCESSES - named}: {command}"


def test_operations_name_every_number_of_processes() -> None:
    numbers = set(re.findall(r"[A-Z]+_(?:REPLICAS|CONCURRENCY)", (ROOT / "docker-compose.yml").read_text()))
    assert len(numbers) > 8
    for page in ("docs/operations.md", ".env.example"):
        assert [name for name in numbers if name not in (ROOT / page).read_text()] == []


@pytest.mark.parametrize(("page", "command"), [each[:2] for each in COMMANDS if each[1].startswith("make ")])
def test_documented_make_targets_exist(page: str, command: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in (word for word in _words(command, "make ") if "=" not in word):
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"{page}: {command}"


def test_commands_of_every_kind_are_found() -> None:
    found = {command.split()[0] for _, command, _ in COMMANDS}
    assert {"make", "docker", "manage.py", "python", "robo-runner"} <= found
    assert {"web", "worker", "mailer", "lab", "beat"} <= PROCESSES
