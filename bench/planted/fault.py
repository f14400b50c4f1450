"""Read the list of faults in ``faults/*.toml``. Each subject has its own file."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FAULTS: Final = Path(__file__).parent / "faults"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault to plant: its ``old`` code, the ``new`` code that replaces it, and the harm it would do.

    ``tests`` has the names of modules and functions that are likely to find the fault.
    """

    name: str
    subject: str
    harm: str
    old: str
    new: str
    tests: tuple[str, ...]


def read_faults(directory: Path = FAULTS) -> list[Fault]:
    """Read all faults, in order of subject. Raises ValueError if two faults have the same name."""
    found = [
        Fault(
            name=name,
            subject=path.stem,
            harm=fault["harm"],
            old=fault["old"],
            new=fault["new"],
            tests=tuple(fault["tests"]),
        )
        for path in sorted(directory.glob("*.toml"))
        for name, fault in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]
    names = [fault.name for fault in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"Two faults have the same name: {', '.join(twice)}.")
    return found


def chosen(faults: Iterable[Fault], wanted: Iterable[str]) -> list[Fault]:
    """Return the faults with these names or subjects, or all faults if ``wanted`` is empty.

    Raises ValueError for an unknown name.
    """
    known, asked = list(faults), list(wanted)
    if unknown := set(asked) - {fault.name for fault in known} - {fault.subject for fault in known}:
        raise ValueError(f"There is no fault or subject called {', '.join(sorted(unknown))}.")
    found = [fault for name in asked for fault in known if name in (fault.name, fault.subject)]
    return list(dict.fromkeys(found)) if asked else known
