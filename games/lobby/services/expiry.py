"""Lobbies that no one fills come to an end."""

from datetime import datetime, timedelta

from django.conf import settings

from games.clocks.selectors import since_when
from games.lobby.selectors.invitations import people_in_lobby
from games.news.services import tell_of_lobby
from games.play.models import Game
from games.play.services.history import note
from games.work.jobs import each

AT_ONCE = 200
"""How many lobbies a pass looks at; the next pass goes on."""


def expire_lobbies(*, now: datetime) -> int:
    """Cancel games that have waited for players for too long, and tell who is in them; return how many."""
    oldest = since_when(period=timedelta(days=settings.LOBBY_DAYS), now=now)
    waiting = Game.objects.filter(status=Game.Status.OPEN, created_at__lte=oldest).order_by("created_at")
    return each("lobbies", waiting, lambda game_id: _expire(game_id, now), most=AT_ONCE, now=now, game="pk")


def _expire(game_id: int, now: datetime) -> bool:
    # A row that is held is being changed right now: the next pass looks again.
    found = Game.objects.select_for_update(skip_locked=True, no_key=True)
    game = found.filter(pk=game_id, status=Game.Status.OPEN).first()
    if game is None:
        return False
    game.status = Game.Status.CANCELLED
    game.ended_at = game.moved_at = now
    game.save(update_fields=["status", "ended_at", "moved_at"])
    note(game=game, by=None, kind="expired", now=now)
    tell_of_lobby(users=people_in_lobby(game), kind="cancelled", game=game, now=now)
    return True
