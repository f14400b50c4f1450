"""Run tests on a source tree with a planted fault, and report whether a test fails."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from bench.planted.fault import Fault
from bench.planted.planting import Unplantable, plant
from embedded.servers import Servers

ROOT: Final = Path(__file__).parents[2]

SECONDS: Final = 300
"""The maximum seconds for the tests of a fault. If they take longer, the fault counts as found."""

QUIET: Final = ("-q", "--tb=no", "--show-capture=no", "-rfE", "-p", "no:cacheprovider")

KEPT: Final = ["--reuse-db"]
"""Options for pytest to reuse the database tables of the previous trial."""

NO_TESTS: Final = 5
"""The exit status of pytest if no test was selected."""

RULES: Final = (
    "-p no:django -p no:valkey -p no:schemathesis -p tests.support.without_django --import-mode=importlib"
)
"""Options for pytest to run the tests of the rules, which must not import Django."""

FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.M)


class Unfit(Exception):
    """Raised if a trial has no meaning, because its tests do not exist or cannot run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of planting a fault: the test that found it, or the problem that prevented the trial."""

    fault: Fault
    found_by: str = ""
    problem: str = ""
    seconds: float = 0

    @property
    def told(self) -> str:
        if self.problem:
            return f"NOT PLANTED: {self.problem}"
        return f"found by {self.found_by}" if self.found_by else "NOT FOUND"


@contextmanager
def copy_of(root: Path = ROOT, commit: str = "HEAD") -> Iterator[Path]:
    """Yield a copy of the source tree at a ``commit``. It uses the installed packages of the original."""
    with TemporaryDirectory(prefix="robo-runner-planted-") as parent:
        tree = Path(parent) / "tree"
        _git(root, "worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            if (root / ".venv").exists():
                (tree / ".venv").symlink_to((root / ".venv").resolve())
            yield tree
        finally:
            _git(root, "worktree", "remove", "--force", str(tree))


@contextmanager
def servers() -> Iterator[None]:
    """Run Postgres and Redis for all trials. Later trials reuse the tables that the first one creates."""
    with (
        TemporaryDirectory(prefix="robo-runner-planted-", ignore_cleanup_errors=True) as directory,
        Servers(Path(directory), os.environ, disposable=True) as running,
    ):
        os.environ.update(running.environment)
        yield


def places_of(tree: Path, names: Iterable[str]) -> list[str]:
    """Return pytest's arguments for the tests with these names, without browser tests.

    A name is the name of a function or of a module, optionally with its directory. Unknown names are ignored.
    Raises Unfit if all names are unknown.
    """
    everywhere = sorted((tree / "tests").rglob("test_*.py"))
    modules = [path.relative_to(tree) for path in everywhere if "browser" not in path.parts]
    found: list[str] = []
    for name in names:
        places = [str(path) for path in modules if f"/{path.with_suffix('')}".endswith(f"/{name}")]
        definition = re.compile(rf"^(?:async )?def {re.escape(name)}\(", re.M)
        found += places or [
            f"{path}::{name}"
            for path in modules
            if definition.search((tree / path).read_text(encoding="utf-8"))
        ]
    if not found:
        raise Unfit(f"there is no test called {' or '.join(names)}")
    return list(dict.fromkeys(found))


def failures(
    tree: Path, tests: Iterable[str], *, without: Iterable[str] = (), all_of_them: bool = False
) -> list[str]:
    """Run tests in a tree. Return the first test that fails or, if ``all_of_them`` is True, all of them.

    Tests in ``without`` do not run. Raises Unfit if pytest could not run the tests.
    """
    options = [f"--deselect={test}" for test in without] + ([] if all_of_them else ["-x"])
    found: list[str] = []
    asked = list(tests)
    for of_rules in (True, False):
        part = [test for test in asked if test.startswith("tests/rules") == of_rules]
        if part and (all_of_them or not found):
            found += _run(tree, [*options, *part], of_rules=of_rules)
    return found


def _run(tree: Path, tests: list[str], *, of_rules: bool) -> list[str]:
    command = [sys.executable, "-m", "pytest", *QUIET]
    command += ["-o", f"addopts={RULES}"] if of_rules else KEPT
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "DJANGO"))
    }
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS if "-x" in tests else None,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"{tests[-1]} (it hung for {SECONDS} s)"]
    failed = FAILED.findall(done.stdout)
    if done.returncode not in (0, 1, NO_TESTS) and not failed:
        raise Unfit(f"pytest ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return failed


def test_of(failure: str) -> str:
    """Return the test that a failure names, without its parameters.

    >>> test_of("tests/test_votes.py::test_majority[2 of 3]")
    'tests/test_votes.py::test_majority'
    """
    return re.split(r"\[| \(", failure)[0]


def try_out(tree: Path, fault: Fault, *, ill: Iterable[str] = ()) -> Outcome:
    """Plant a fault in a tree, run its tests, and remove the fault again. Return the outcome.

    Tests in ``ill`` fail even without a fault, so they do not run.
    """
    begun = monotonic()
    try:
        path = plant(tree, fault)
    except Unplantable as reason:
        return Outcome(fault, problem=str(reason))
    try:
        found = failures(tree, places_of(tree, fault.tests), without=ill)
    except Unfit as reason:
        return Outcome(fault, problem=str(reason))
    finally:
        take_out(tree, path)
    return Outcome(fault, found_by=found[0] if found else "", seconds=monotonic() - begun)


def take_out(tree: Path, path: Path) -> None:
    """Remove a fault: restore the committed version of a file."""
    _git(tree, "checkout", "--quiet", "--", str(path.relative_to(tree)))


def report(outcomes: Iterable[Outcome], *, commit: str) -> str:
    """Return a Markdown table of the outcomes."""
    rows = list(outcomes)
    found = sum(bool(row.found_by) for row in rows)
    lines = [
        f"Planted at {commit}: {len(rows)} faults, {found} found.",
        "",
        "| fault | subject | what it would do | outcome | s |",
        "|---|---|---|---|---|",
        *(
            f"| {row.fault.name} | {row.fault.subject} | {row.fault.harm} | {row.told} | {row.seconds:.0f} |"
            for row in rows
        ),
    ]
    return "\n".join(lines) + "\n"


def commit_of(tree: Path) -> str:
    """Return the short hash of the commit of a tree."""
    return _git(tree, "rev-parse", "--short", "HEAD")


def _git(tree: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(tree), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
