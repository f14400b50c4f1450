"""`make quick` chooses the tests of the rooms that changed."""

import subprocess
from pathlib import Path

import pytest

from tests.support import quick

THERE = (
    "tests/games/clubs/conftest.py",
    "tests/games/clubs/test_pages.py",
    "tests/games/test_anything.py",
    "tests/accounts/login/test_login.py",
    "tests/browser/test_chat.py",
    "tests/docs/test_words.py",
    "tests/rules/test_turns.py",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with one commit on the branch main."""
    for name in THERE:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    monkeypatch.setattr(quick, "PROJECT", tmp_path)
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    _commit(tmp_path)
    return tmp_path


def _git(project: Path, *words: str) -> None:
    someone = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    subprocess.run(["git", *someone, *words], cwd=project, check=True)


def _commit(project: Path) -> None:
    _git(project, "add", ".")
    _git(project, "commit", "--quiet", "--message=A commit")


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("games/clubs/services.py", ["tests/games/clubs"]),
        ("games/anything.py", ["tests/games/test_anything.py"]),
        ("games/folder/anything.py", ["tests/games/test_anything.py"]),
        ("games/untested.py", []),
        ("accounts/login/pages.py", ["tests/accounts/login"]),
        ("templates/clubs/club.html", ["tests/games/clubs"]),
        ("static/login/login.js", ["tests/accounts/login"]),
        ("tests/games/clubs/conftest.py", ["tests/games/clubs"]),
        ("tests/games/clubs/test_pages.py", ["tests/games/clubs/test_pages.py"]),
        ("tests/games/clubs/test_deleted.py", []),
        ("tests/games/support.py", []),
        ("tests/browser/test_chat.py", ["tests/browser/test_chat.py"]),
        ("tests/browser/conftest.py", []),
        ("rules/steps/moves.py", ["tests/rules"]),
        ("docs/time.md", ["tests/docs/test_words.py"]),
        ("README.md", ["tests/docs/test_words.py"]),
        ("Makefile", []),
    ],
)
def test_a_file_selects_the_tests_of_its_room(project: Path, file: str, tests: list[str]) -> None:
    assert list(quick.tests_of(file)) == tests


def test_changed_files_are_the_differences_from_main(project: Path) -> None:
    assert quick.changed() == []
    (project / "on-main").write_text("")
    assert quick.changed() == ["on-main"]
    _commit(project)
    assert quick.changed() == []
    _git(project, "switch", "--quiet", "--create=branch")
    (project / "on-branch").write_text("")
    _commit(project)
    (project / "not-committed").write_text("")
    (project / "on-main").unlink()
    assert quick.changed() == ["not-committed", "on-branch", "on-main"]


def test_each_kind_of_test_runs_once_with_its_options(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[list[str]] = []

    def run(words: list[str]) -> int:
        runs.append(words)
        return len(runs) % 2

    monkeypatch.setattr(quick, "_run", run)
    assert quick.main() == 0
    assert runs == []
    for name in ("games/clubs/models.py", "tests/games/clubs/test_pages.py", "rules/grid.py", THERE[4]):
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("changed")
    assert quick.main() == 1
    assert runs == [
        [*quick.RULES, "tests/rules"],
        [*quick.QUICK, "tests/games/clubs"],
        ["tests/browser/test_chat.py"],
    ]
