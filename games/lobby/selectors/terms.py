"""What the players of a lobby agree to."""

from zlib import crc32

from games.play.models import Game
from games.play.terms import SETTINGS

AGREED = (*SETTINGS, "version", "revision_id", "course_id")
"""Fields of a game that its players agree to."""


def terms_mark(game: Game) -> str:
    """Return what changes with the terms of a game: who agrees says by it to which."""
    terms = [getattr(game, name) for name in AGREED]
    return f"{crc32(repr(terms).encode()):08x}"
