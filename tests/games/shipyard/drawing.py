"""Draft ships for tests."""

from typing import Any

from accounts.models import User
from games.shipyard.models import StarshipDraft
from games.shipyard.services import create_draft
from tests.games.support import NOW

CANOE = ("a . .", ". . .+i1")
"""The rows of a ship without faults."""

WRECK = ("a qq .+l1N .+i1", ". .+i1 t:red")
"""The rows of a ship with most kinds of faults.

It has an unreadable cell, a short row, a repeated checkpoint and a laser without a rail.
"""


def document(*rows: str, **texts: Any) -> dict[str, Any]:
    return {"format": "starship/1", "name": "Canoe", "rows": list(rows or CANOE), **texts}


def drafted(user: User, *rows: str, **more: Any) -> StarshipDraft:
    return create_draft(user=user, document=document(*rows), **{"now": NOW, **more})


def rows_of(draft: StarshipDraft) -> list[str]:
    draft.refresh_from_db()
    rows: list[str] = draft.document["rows"]
    return rows


def parent(kind: str, number: int | None, name: str, version: int | None = 1) -> dict[str, Any]:
    """Return a draft's data about the ship that it is a copy of."""
    return {"kind": kind, "id": number, "name": name, "version": version, "builder": None}
