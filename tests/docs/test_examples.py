"""Examples in docstrings give the documented results."""

import doctest
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("accounts", "bench", "embedded", "games", "roborunner", "rules")


def test_all_examples_in_docstrings_are_true() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if ">>> " in path.read_text()
    ]
    results = {name: doctest.testmod(import_module(name)) for name in names}
    assert sum(result.attempted for result in results.values()) > 200
    assert [name for name, result in results.items() if result.failed] == []
