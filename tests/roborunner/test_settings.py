"""The settings and the page that explains them."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_every_variable_is_explained() -> None:
    settings = (PROJECT / "roborunner/settings.py").read_text()
    read = set(re.findall(r'os\.environ(?:\.get\(|,)\s*"([A-Z_]+)"', settings))
    explained = set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))
    assert read
    assert explained - {"PORT"} == read
