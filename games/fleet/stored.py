"""Boards as values of the rules, and how crowded the service takes them.

The engine takes boards of any crowd. The service draws, explains and checks boards for many people at a time,
so it has a bound for boards that are saved or joined here. Boards saved before it are still played.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

import rules
from games.fleet.models import Course, StarshipRevision
from games.kept import Memory
from rules.language import N_, Sentence

FEATURES: Final = 4_000
"""Features of the most crowded board, without rails. Boards that people have played have 20 to 150."""
LASERS: Final = 500
"""Laser emitters of the most crowded board."""


A_CELL: Final = 2_000
"""Bytes of a compiled board for each of its cells, about."""


def size_of(ship: rules.Starship) -> int:
    """Return about how many bytes a compiled board takes."""
    return A_CELL * ship.size


COMPILED: Final = Memory[rules.Starship](200_000_000, size_of)
"""Boards: some five hundred usual ones, or ten of the largest."""


def starship_of(board: StarshipRevision | Course) -> rules.Starship:
    """Return a board, compiled; those that were used last are remembered."""
    text = _text_of(board)
    return COMPILED.made(_name_of(text), lambda: rules.read_starship(json.loads(text), known=True))


def remember(board: StarshipRevision | Course, ship: rules.Starship) -> None:
    """Remember a board that was just saved, instead of compiling it again."""
    COMPILED.put({_name_of(_text_of(board)): ship})


def _text_of(board: StarshipRevision | Course) -> str:
    return json.dumps(board.document, sort_keys=True)  # the database has another order of keys


def _name_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def crowding(tokens: Iterable[str]) -> list[rules.Problem]:
    """Say why a board is too crowded, by the tokens of its cells. The list is empty if it isn't."""
    features = [feature[:1] for token in tokens for feature in token.removeprefix("g+").split("+")[1:]]
    bounds = (
        (
            len(features) - features.count("w"),
            FEATURES,
            N_("the starship has {number:,} features beside rails, and may have {most:,}"),
        ),
        (features.count("l"), LASERS, N_("the starship has {number:,} lasers, and may have {most:,}")),
    )
    return [
        rules.Problem(Sentence(form, number=number, most=most), key="rows", code="crowded")
        for number, most, form in bounds
        if number > most
    ]


def crowding_in(document: object) -> list[rules.Problem]:
    """Say why a document is too crowded, before anything else is made of it."""
    rows = document.get("rows") if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        return []
    return crowding(token for row in rows if isinstance(row, str) for token in row.split())
