"""Compiled modules of the rules are only used if they match the current source."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

from rules import compiled, events
from rules.compiled import LIBRARY, SUFFIX, Finder, directory

RULES = Path(compiled.__file__).parent


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the source of the rules. No compiled modules exist for the copy."""
    package = tmp_path / "rules"
    shutil.copytree(RULES, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiled, "COMPILED", tmp_path / ".local" / "compiled")
    return package


def compile_as_if(package: Path, name: str) -> Path:
    """Create an empty file as if a module had been compiled from the current source."""
    file = directory(package) / f"{name}{SUFFIX}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    return file


def found(package: Path, name: str) -> str | None:
    spec = Finder(directory(package)).find_spec(name, None)
    return spec and spec.origin


def start(package: Path, mode: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import rules.engine; print(rules.engine.__file__)"]
    environment = {**os.environ, "RULES": mode, "PYTHONPATH": str(package.parent)}
    return subprocess.run(
        command, cwd=package.parent, env=environment, capture_output=True, text=True, check=False
    )


def test_a_module_compiled_from_the_current_source_is_found(package: Path) -> None:
    assert found(package, "rules.steps.movement") is None
    file = compile_as_if(package, "rules/steps/movement")
    assert found(package, "rules.steps.movement") == str(file)
    assert found(package, "rules.steps.lasers") is None


@pytest.mark.parametrize("changed", ["steps/movement.py", "grid.py", "elements.py"])
def test_a_module_compiled_from_another_source_is_not_found(package: Path, changed: str) -> None:
    compile_as_if(package, "rules/steps/movement")
    source = (package / changed).read_text()
    (package / changed).write_text(f"{source}\n# Other source, of the same age or older.\n")
    os.utime(package / changed, (0, 0))
    assert found(package, "rules.steps.movement") is None
    (package / changed).write_text(source)
    assert found(package, "rules.steps.movement") is not None


def test_a_compiled_module_without_a_source_is_not_found(package: Path) -> None:
    compile_as_if(package, "rules/steps/movement")
    (package / "launch.py").unlink()
    assert found(package, "rules.steps.movement") is None


def test_the_rules_need_compiled_modules_if_required(package: Path) -> None:
    refused = start(package, "compiled")
    assert refused.returncode == 1
    assert "the rules are not compiled: run make compiled" in refused.stderr
    for mode in ("", "interpreted"):
        assert start(package, mode).stdout == f"{package / 'engine.py'}\n"


def test_unloadable_compiled_modules_are_ignored(package: Path) -> None:
    for name in (LIBRARY, "rules/engine"):
        compile_as_if(package, name)
    assert start(package, "").stdout == f"{package / 'engine.py'}\n"
    refused = start(package, "compiled")
    assert refused.returncode == 1
    assert "file too short" in refused.stderr


def test_events_have_types_and_descriptions_of_their_fields() -> None:
    assert get_type_hints(events.Move)["pusher"] == int | None
    assert (events.Move.__doc__ or "").startswith("A robot moves to another cell")


@pytest.mark.skipif(os.environ.get("RULES") != "compiled", reason="the rules are interpreted here")
def test_these_tests_run_compiled_rules() -> None:
    files = Finder(directory()).files
    assert {"rules.engine", "rules.resolution", "rules.steps.lasers"} < files.keys()
    # All modules in one process, since the files may belong to another source later.
    command = [sys.executable, "-c", "import rules, rules.review, sys; print(*sys.modules)"]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert files.keys() <= set(loaded)
    for name, file in files.items():
        assert import_module(name).__file__ == str(file)
