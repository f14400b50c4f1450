"""Noting that a player has come to look at a game."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from games.play.models import Seat

TO_THE: Final = timedelta(minutes=1)
"""How exactly visits are noted: nothing is written more often than that."""


def note_visit(*, user_id: int, game_id: int, now: datetime) -> bool:
    """Note that someone looks at a game, where they play in it; return whether anything was written."""
    long_ago = Q(visited_at=None) | Q(visited_at__lte=now - TO_THE)
    return Seat.objects.filter(long_ago, game=game_id, user=user_id).update(visited_at=now) > 0
