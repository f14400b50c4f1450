"""Plant a fault in a source tree, in the one place where its snippet occurs."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final

from bench.planted.fault import Fault

SUFFIXES: Final = frozenset({".py", ".html", ".txt", ".js"})

SKIPPED_DIRECTORIES: Final = frozenset({"tests", "bench", "docs", "fixtures", "migrations", "node_modules"})
"""Directories that contain no code of the service. Hidden directories are also skipped."""


class Unplantable(Exception):
    """Raised if a snippet does not occur exactly once. The message lists the places of the snippet."""


def sources(root: Path) -> Iterator[Path]:
    """Yield the source files of the service in a tree."""
    for path in sorted(root.iterdir()):
        if path.is_dir():
            if path.name not in SKIPPED_DIRECTORIES and not path.name.startswith("."):
                yield from sources(path)
        elif path.suffix in SUFFIXES:
            yield path


def pattern_of(snippet: str) -> re.Pattern[str]:
    """Return a pattern that matches a snippet with any line breaks and indents.

    >>> bool(pattern_of("if late: return").search("if late:\\n            return False"))
    True
    """
    return re.compile(r"\s+".join(re.escape(word) for word in snippet.split()))


def plant(root: Path, fault: Fault) -> Path:
    """Plant a fault in a tree. Return the changed file.

    Raises Unplantable if the fault's snippet is missing or occurs more than once.
    """
    pattern = pattern_of(fault.old)
    texts = {path: path.read_text(encoding="utf-8") for path in sources(root)}
    found = [(path, match) for path, text in texts.items() for match in pattern.finditer(text)]
    if not found:
        raise Unplantable("its snippet is gone: nothing in the tree looks like it")
    if len(found) > 1:
        places = ", ".join(f"{path.relative_to(root)}:{_line(texts[path], match)}" for path, match in found)
        raise Unplantable(f"its snippet is there {len(found)} times: {places}")
    ((path, match),) = found
    text = texts[path]
    planted = _indented(fault.new, like=_indent(text, match.start()))
    path.write_text(text[: match.start()] + planted + text[match.end() :], encoding="utf-8")
    return path


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def _indent(text: str, at: int) -> str:
    """Return the indent of the line that contains this position."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indented(snippet: str, *, like: str) -> str:
    first, *others = dedent(snippet).strip().split("\n")
    return "\n".join([first, *(f"{like}{line}" if line else "" for line in others)])
