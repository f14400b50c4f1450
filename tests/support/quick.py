"""Run the tests of changed rooms: `python -m tests.support.quick`, `make quick`.

A room is a folder of the project with its tests: changes to `games/clubs/pages.py` and `templates/clubs/` run
`tests/games/clubs`. A file counts as changed if it is uncommitted, or if it changed since the branch left
main. Tests of the whole site run only if they are changed themselves.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
ROOMS: Final = ("games", "accounts", "roborunner")
"""Folders whose subfolders are rooms.

Each other folder, such as `embedded`, is one room.
"""
DOCUMENTS: Final = tuple(
    f"tests/docs/test_{name}.py" for name in ("documents", "commands", "labels", "limits", "words")
)
"""The tests to run when a document changes. They are quick, and read the documentation."""
QUICK: Final = ("-m", "not long and not browser")
WITHOUT_DJANGO: Final = "-p no:django -p no:valkey -p no:schemathesis -p tests.support.without_django"
RULES: Final = ("-o", f"addopts={WITHOUT_DJANGO} --import-mode=importlib")
SHARED: Final = ("tests/scripts", "tests/support")
"""Folders without tests. All rooms use their files."""
SLOW: Final = ("tests/access", "tests/bench", "tests/browser")
"""Folders with slow tests of the whole site. Only their changed files run."""


def main() -> int:
    """Run the tests of changed files. Return the first exit status other than 0, or 0."""
    paths = sorted({test for file in changed() for test in tests_of(file)})
    paths = [path for path in paths if not any(Path(other) in Path(path).parents for other in paths)]
    rules = [path for path in paths if path.startswith("tests/rules")]
    site = [path for path in paths if path not in rules]
    own = [path for path in site if path.startswith(SLOW)]
    runs = [[*RULES, *rules]] if rules else []
    runs += [[*QUICK, *rest]] if (rest := [path for path in site if path not in own]) else []
    runs += [own] if own else []
    if not runs:
        print("No changed file has tests of its own.")
    return next(filter(None, [_run(words) for words in runs]), 0)


def changed() -> list[str]:
    """Return the paths of all files that are uncommitted or differ from main."""
    base = _git("merge-base", "HEAD", "main") or _git("rev-parse", "HEAD")
    differing = _git("diff", "--name-only", "--no-renames", *base)
    return sorted({*differing, *_git("ls-files", "--others", "--exclude-standard")})


def tests_of(file: str) -> Iterator[str]:
    """Yield the paths of tests for a changed file: folders or test modules."""
    path = Path(file)
    top, *below = path.parts
    own = f"tests/{top}/test_{path.name}"
    if top == "tests":
        if path.name.startswith("test_"):
            yield from _first_there([file])
        elif len(below) > (2 if below[0] in ROOMS else 1) and not file.startswith((*SLOW, *SHARED)):
            yield from _first_there([str(path.parent)])
    elif top == "docs" or path.suffix == ".md":
        yield from filter(_there, DOCUMENTS)
    elif top in ("templates", "static"):
        yield from _first_there(f"tests/{room}/{below[0]}" for room in ROOMS)
    elif top in ROOMS:
        yield from _first_there([f"tests/{top}/{below[0]}", own])
    elif below and f"tests/{top}" not in SLOW:
        yield from _first_there([f"tests/{top}"])


def _first_there(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if _there(path)][:1]


def _there(path: str) -> bool:
    return (PROJECT / path).exists()


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1]


def _run(words: list[str]) -> int:
    processes = f"--numprocesses={os.cpu_count()}"
    command = [sys.executable, "-m", "pytest", "-q", processes, *words]
    status = subprocess.run(command, cwd=PROJECT, check=False).returncode
    return 0 if status == 5 else status  # 5: none of the tests is quick


if __name__ == "__main__":
    sys.exit(main())
