"""A pytest plugin that hides all packages except the test tools.

``make test-rules`` uses it to show that the rules need only the standard library.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

MISSING = frozenset(
    {"accounts", "allauth", "celery", "django", "embedded", "games", "kombu", "psycopg", "pytest_django"}
    | {"redis", "resvg_py", "rest_framework", "roborunner"}
)


class _Missing(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r} (on purpose)", name=name)
        return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare an option of pytest-django, as `pyproject.toml` sets it."""
    parser.addini("DJANGO_SETTINGS_MODULE", "of no meaning here")


already_there = sorted(MISSING & sys.modules.keys())
assert not already_there, f"too late to miss {already_there}"
sys.meta_path.insert(0, _Missing())
