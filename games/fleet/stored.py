"""Boards as values of the rules."""

import json
from functools import lru_cache

import rules
from games.fleet.models import Course, StarshipRevision


@lru_cache(maxsize=256)
def _compiled(text: str) -> rules.Starship:
    return rules.read_starship(json.loads(text))


def starship_of(board: StarshipRevision | Course) -> rules.Starship:
    """Return a board, compiled; the last few hundred are remembered."""
    return _compiled(json.dumps(board.document))
