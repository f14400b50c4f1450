"""The report of planted faults says which are found, missed, or outdated."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.planted.__main__ import main
from bench.planted.fault import Fault, chosen, read_faults
from bench.planted.planting import Unplantable, plant
from bench.planted.trial import Unfit, commit_of, copy_of, places_of, try_out

CODE = """\
class Door:
    def opens(self, age):
        if age < 14:
            return False
        return True

    def price(self, age):
        if age < 6:
            return 0
        return 5
"""

TESTS = """\
from app.door import Door


def test_a_child_stays_outside():
    assert not Door().opens(13)


def test_nothing_opens():
    assert not Door().opens(40)
"""


QUICK = """\
[pytest]
addopts = -p no:schemathesis -p no:valkey -p no:xdist -p no:hypothesispytest
"""
"""The pytest.ini of the tiny project. It disables plugins that load slowly."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Make a tiny project with tests of the door, and no tests of the price."""
    root = tmp_path / "project"
    files = {"app/door.py": CODE, "tests/house/test_door.py": TESTS, "pytest.ini": QUICK}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "--quiet"], ["add", "."], [*who, "commit", "--quiet", "--message", "A door"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    return root


def fault(old: str, new: str, *tests: str) -> Fault:
    return Fault("a-fault", "doors", "Children come in.", old, new, tests or ("test_a_child_stays_outside",))


def test_a_planted_fault_is_found_and_removed(tree: Path) -> None:
    with copy_of(tree) as copy:
        outcome = try_out(copy, fault("if age < 14:", "if age < 4:"))
        assert (copy / "app/door.py").read_text() == CODE
    assert outcome.told == "found by tests/house/test_door.py::test_a_child_stays_outside"
    assert (tree / "app/door.py").read_text() == CODE


def test_an_untested_fault_is_not_found(tree: Path) -> None:
    with copy_of(tree) as copy:
        assert try_out(copy, fault("if age < 6:", "if age > 6:")).told == "NOT FOUND"


def test_a_missing_snippet_is_named(tree: Path) -> None:
    with copy_of(tree) as copy:
        outcome = try_out(copy, fault("if age < 15:", "if age < 4:"))
    assert outcome.told == "NOT PLANTED: its snippet is gone: nothing in the tree looks like it"


def test_a_repeated_snippet_is_named_with_its_places(tree: Path) -> None:
    with pytest.raises(Unplantable, match=r"2 times: app/door\.py:3, app/door\.py:8"):
        plant(tree, fault("if age <", "if age >"))
    assert (tree / "app/door.py").read_text() == CODE


def test_neither_files_nor_indents_nor_line_breaks_matter(tree: Path) -> None:
    (tree / "rooms").mkdir()
    (tree / "app/door.py").rename(tree / "rooms/entrance.py")
    changed = fault("if age < 14: return False", "if age < 14:\n    return None")
    assert plant(tree, changed) == tree / "rooms/entrance.py"
    text = (tree / "rooms/entrance.py").read_text()
    assert "        if age < 14:\n            return None\n        return True\n" in text


def test_snippets_in_tests_are_ignored(tree: Path) -> None:
    with pytest.raises(Unplantable, match="is gone"):
        plant(tree, fault("assert not Door().opens(13)", "assert True"))


@pytest.mark.parametrize("name", ["test_door", "house/test_door"])
def test_likely_tests_are_found_by_module_and_by_name_in_any_folder(tree: Path, name: str) -> None:
    assert places_of(tree, [name, "test_nothing_opens", "test_that_is_gone"]) == [
        "tests/house/test_door.py",
        "tests/house/test_door.py::test_nothing_opens",
    ]


def test_a_fault_without_any_test_is_named(tree: Path) -> None:
    with pytest.raises(Unfit, match="no test called test_window or house/test_roof"):
        places_of(tree, ["test_window", "house/test_roof"])


LIST = """
[child-enters]
harm = "Children come in."
old = "if age < 14:"
new = "if age < 4:"
tests = ["test_a_child_stays_outside"]

[free-for-all]
harm = "The house earns nothing."
old = "return 5"
new = "return 0"
tests = ["test_nothing_opens"]
"""


@pytest.fixture
def command(tree: Path, tmp_path: Path) -> Callable[..., int]:
    """A function that runs the command on the tiny project."""
    (tmp_path / "faults").mkdir()
    (tmp_path / "faults/doors.toml").write_text(LIST)
    return lambda *more: main(["--root", str(tree), "--faults", str(tmp_path / "faults"), *more])


def test_a_test_that_fails_without_any_fault_finds_nothing(
    command: Callable[..., int], tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--report", str(tmp_path / "report.md")) == 1
    said = capsys.readouterr().out
    assert "fails without any fault, and finds nothing: tests/house/test_door.py::test_nothing_opens" in said
    report = (tmp_path / "report.md").read_text()
    assert f"Planted at {commit_of(tree)}: 2 faults, 1 found." in report
    assert "| free-for-all | doors | The house earns nothing. | NOT FOUND |" in report


def test_a_list_is_checked_without_running_tests(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--check", "free-for-all") == 0
    assert command("--check", "windows") == 2
    assert capsys.readouterr().out == "1 of 1 faults can be planted.\n"


def test_the_list_covers_every_subject_with_faults_that_change_something() -> None:
    faults = read_faults()
    assert len(faults) >= 64
    for each in faults:
        assert each.tests
        assert each.harm.endswith(".")
        assert each.old.split() != each.new.split()
    assert len({each.subject for each in faults}) >= 12


def test_faults_are_chosen_by_name_and_subject() -> None:
    faults = [fault("a", "b"), Fault("other", "windows", "", "a", "b", ())]
    assert chosen(faults, []) == faults
    assert chosen(faults, ["windows", "a-fault", "other"]) == faults[::-1]
    with pytest.raises(ValueError, match="called roof"):
        chosen(faults, ["roof"])
