"""Modules import models of other rooms, and never name them in strings.

import-linter sees only imports, so it would miss such a name.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def hidden_models(source: str) -> Iterator[str]:
    """Yield each call of `get_model` in a module's source, with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
            if node.func.attr == "get_model" and texts:
                yield f"line {node.lineno}: {'.'.join(map(str, texts))}"


def test_a_model_named_in_a_string_is_found() -> None:
    assert list(hidden_models('apps.get_model("games", "Invitation").objects')) == [
        "line 1: games.Invitation"
    ]
    assert list(hidden_models("apps.get_model(label)\nGame.objects.get(pk=1)")) == []


def test_no_room_names_a_model_in_a_string() -> None:
    """Migrations are exempt, since they use earlier versions of the models."""
    found = {
        f"{path.relative_to(PROJECT)}, {call}"
        for top in ("accounts", "games", "roborunner")
        for path in (PROJECT / top).rglob("*.py")
        if "migrations" not in path.parts
        for call in hidden_models(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_imports_for_types_count_as_imports() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["importlinter"]["exclude_type_checking_imports"] is False
