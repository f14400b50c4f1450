"""Finds compiled modules of the rules, which ``make compiled`` makes of the same source.

They are in a directory whose name is a hash of the source, so those of another source are never used. Modules
that this machine cannot load are ignored. The package imports this module before all others.
``RULES=interpreted`` ignores compiled modules, and ``RULES=compiled`` refuses to start without them.
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
"""The Python and the kind of machine that modules are compiled for."""
GROUP: Final = "rules"
LIBRARY: Final = f"{GROUP}__mypyc"
"""What all compiled modules share: where it loads, they do."""

MODULES: Final = (
    *("apply", "chance", "engine", "grid", "orders", "physics", "resolution", "starship", "state", "view"),
    *("steps/[a-z]*", "computers/[a-z]*"),
)
"""The modules that are compiled: those in which a turn spends its time.

Not `setup`: what is of type ``int | bool`` there would be a whole number where it is compiled, and true 1.
Not `events`: compiled classes have neither the types of their fields nor texts, which the API tells.
"""


def directory(source: Path = SOURCE) -> Path:
    """Return where modules lie that are compiled of a source, for the Python that runs."""
    digest = sha256()
    for file in sorted(source.rglob("*.py")):
        digest.update(f"\n{file.relative_to(source)}\n".encode() + file.read_bytes())
    return COMPILED / f"{TAG}-{digest.hexdigest()[:16]}"


class Finder(MetaPathFinder):
    """Finds compiled modules in a directory, by their names."""

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
    """Use the compiled modules of the rules, if they are there."""
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
