"""What the players of a lobby agree to."""

from zlib import crc32

from django.db.models import QuerySet

from accounts.models import User
from games.lobby.history import SETTINGS as CHANGES
from games.play.models import Game, LobbyEntry
from games.play.terms import SETTINGS

AGREED = (*SETTINGS, "version", "revision_id", "course_id")
"""Fields of a game that its players agree to."""


def terms_mark(game: Game) -> str:
    """Return what changes with the terms of a game: who agrees says by it to which."""
    terms = [getattr(game, name) for name in AGREED]
    return f"{crc32(repr(terms).encode()):08x}"


def changes_after(game: Game, seen: int = 0) -> QuerySet[LobbyEntry]:
    """Return the changes to the settings of a lobby after the one with number ``seen``, the oldest first."""
    return game.lobby.filter(kind__in=CHANGES, pk__gt=seen).order_by("pk")


def changed_since_joining(*, user: User, game: Game) -> bool:
    """Return whether others have changed the settings of a lobby since a player joined."""
    joined = game.lobby.filter(kind="joined", by=user).values_list("pk", flat=True).last()
    return changes_after(game, joined or 0).exclude(by=user).exists()


def last_change(game: Game) -> int:
    """Return the number of the last change to the settings of a lobby, 0 if there is none."""
    return changes_after(game).values_list("pk", flat=True).last() or 0
