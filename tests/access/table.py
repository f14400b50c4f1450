"""Read the table of access from docs/access.md."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tests.access.world import ROLES

PAGE = Path(__file__).parents[2] / "docs" / "access.md"

WORDS = ("yes", "own", "log in", "no", "hidden", "in vain")

ROW = re.compile(r"^\| `(GET|POST|PUT|PATCH|DELETE) /(\S*)` \|(.+)\|$", re.MULTILINE)
KNOWN = re.compile(r"^\| a (\S+ game(?:, by its link)?) \|(.+)\|$", re.MULTILINE)
STAFF = re.compile(r"^\| `/(admin/\w+/\w+/)` \|(.+)\|$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """A row of the table: a method, an address, and a word for each role."""

    method: str
    address: str
    words: dict[str, str]

    def __str__(self) -> str:
        return f"{self.method} /{self.address}"


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.split("|")]


@lru_cache
def rows() -> tuple[Row, ...]:
    """Return the rows of addresses for people and programs."""
    found = tuple(
        Row(method, address, dict(zip(ROLES, _cells(cells), strict=True)))
        for method, address, cells in ROW.findall(PAGE.read_text())
    )
    assert found and all(word in WORDS for row in found for word in row.words.values())
    return found


@lru_cache
def known() -> dict[str, dict[str, bool]]:
    """Return whether each role may know about a game, by kind of game and role."""
    return {
        kind: {role: cell == "yes" for role, cell in zip(ROLES, _cells(cells), strict=True)}
        for kind, cells in KNOWN.findall(PAGE.read_text())
    }


@lru_cache
def staff_rows() -> dict[str, dict[str, bool]]:
    """Return the permissions of staff for each model: list, show, add, change, delete.

    They are booleans, by path in the admin and then by permission.
    """
    deeds = ("list", "show", "add", "change", "delete")
    return {
        path: {deed: cell == "yes" for deed, cell in zip(deeds, _cells(cells), strict=True)}
        for path, cells in STAFF.findall(PAGE.read_text())
    }
