"""Find the compiled modules, made from the rules' source by ``make compiled``.

The name of their directory contains a hash of the source, so modules compiled from another source are never
used. Modules that this machine cannot load are ignored. The `rules` package imports this module before all
others. With the environment variable ``RULES=interpreted``, all compiled modules are ignored. With
``RULES=compiled``, the import fails if there are none.
"""

import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

SOURCE: Final = Path(__file__).parent
COMPILED: Final = SOURCE.parent / ".local" / "compiled"
SUFFIX: Final = EXTENSION_SUFFIXES[0]
TAG: Final = SUFFIX.split(".")[1]
"""The tag in a file name that names the Python version and the platform of compiled modules."""
GROUP: Final = "rules"
LIBRARY: Final = f"{GROUP}__mypyc"
"""The name of the library with the code of all compiled modules. If it loads, every module loads."""

MODULES: Final = (
    *("apply", "chance", "engine", "grid", "orders", "physics", "resolution", "starship", "state", "view"),
    *("steps/[a-z]*", "computers/[a-z]*", "review/chances", "review/coach", "review/worlds"),
)
"""Patterns for the modules to compile, which take most of the time of a turn.

`setup` is not compiled, because compiled code would change true to 1 in fields of type ``int | bool``.
`events` is not compiled either, because compiled classes lose their field types and docstrings, which the API
reference needs.
"""


def directory(source: Path = SOURCE) -> Path:
    """Return the directory of modules compiled from this source for this Python version."""
    digest = sha256()
    for file in sorted(source.rglob("*.py")):
        digest.update(f"\n{file.relative_to(source)}\n".encode() + file.read_bytes())
    return COMPILED / f"{TAG}-{digest.hexdigest()[:16]}"


class Finder(MetaPathFinder):
    def __init__(self, directory: Path) -> None:
        files = sorted(directory.rglob(f"*{SUFFIX}"))
        self.files = {
            ".".join(file.relative_to(directory).parts).removesuffix(SUFFIX): file for file in files
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_file_location(name, self.files[name]) if name in self.files else None


def use() -> None:
    """Import the compiled modules of the rules if they exist and the variable ``RULES`` allows it.

    Raises ImportError if ``RULES=compiled`` and there are no compiled modules.
    """
    wanted = os.environ.get("RULES", "")
    if wanted == "interpreted":
        return
    finder = Finder(directory())
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as problem:
        sys.meta_path.remove(finder)
        if wanted == "compiled":
            raise ImportError(
                "RULES=compiled, and the rules are not compiled: run make compiled"
            ) from problem


use()
