"""Count the files and lines of the product and of its tests.

    .venv/bin/python -m bench.house            the figures of this folder, a line each
    .venv/bin/python -m bench.house HEAD~20    also the figures of a commit
    .venv/bin/python -m bench.house --rooms    lines by room, most first

The product is all Python code in git, without tests, benchmarks and migrations. Files that contain only a
docstring count as files, but not for the median length of files. It needs only Python and git.
"""

import argparse
import ast
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final

APART: Final = ("tests/", "bench/")
SHORT, LONG = 60, 700

Sources = Mapping[str, str]
"""The text of each Python file, by its path."""


def sources(commit: str | None) -> Sources:
    """Return the text of each Python file in a commit, or in this folder if ``commit`` is None."""
    listed = ["git", "ls-tree", "-r", "--name-only", commit] if commit else ["git", "ls-files"]
    paths = [path for path in _output(*listed).splitlines() if path.endswith(".py")]
    if commit is None:
        return {path: Path(path).read_text("utf-8") for path in paths}
    return {path: _output("git", "show", f"{commit}:{path}") for path in paths}


def figures(files: Sources) -> dict[str, str]:
    """Return the counts of files and lines as text, by the names of the counts."""
    product = product_of(files)
    lines = sorted(filter(None, (lines_of(text) for text in product.values())))
    imports = sum(import_lines(text) for text in product.values())
    tests = sum(lines_of(text) for path, text in files.items() if path.startswith("tests/"))
    return {
        "product files": f"{len(product):,}",
        "product lines": f"{sum(lines):,}",
        "lines of the median file": f"{median(lines):g}",
        f"files of at most {SHORT} lines": f"{sum(number <= SHORT for number in lines):,}",
        f"files above {LONG} lines": f"{sum(number > LONG for number in lines):,}",
        "lines that only import": f"{imports / sum(lines):.1%}",
        "lines of tests": f"{tests:,}",
    }


def product_of(files: Sources) -> Sources:
    apart = {path for path in files if path.startswith(APART) or "/migrations/" in path}
    return {path: text for path, text in files.items() if path not in apart}


def lines_of(text: str) -> int:
    """Return the number of lines in a file. A file that contains only a one-line docstring has 0 lines."""
    return 0 if text.count("\n") <= 1 else text.count("\n")


def import_lines(text: str) -> int:
    """Return the number of lines in import statements."""
    nodes = ast.walk(ast.parse(text))
    found = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def rooms(files: Sources) -> Counter[str]:
    """Return the number of lines in each room: each folder in `games`, and each other top-level folder."""
    counted: Counter[str] = Counter()
    for path, text in product_of(files).items():
        folder = Path(path).parent.parts[: 2 if path.startswith("games/") else 1]
        counted["/".join(folder) or "."] += lines_of(text)
    return counted


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("commit", nargs="?", help="a commit to compare with")
    parser.add_argument("--rooms", action="store_true", help="count the lines of each room")
    asked = parser.parse_args()
    now = sources(None)
    before = sources(asked.commit) if asked.commit else None
    if asked.rooms:
        earlier = rooms(before) if before else Counter()
        for room, lines in rooms(now).most_common():
            print(f"{room:28}{lines:8,}" + (f"{earlier[room]:10,}" if before else ""))
        return
    earlier_figures = figures(before) if before else {}
    for name, value in figures(now).items():
        print(f"{name:28}{value:>8}" + (f"{earlier_figures[name]:>10}" if before else ""))


if __name__ == "__main__":
    main()
