"""Monthly figures of players, for tests of awards."""

from datetime import date

from accounts.models import User
from games.standings.models import PlayerMonth

OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)


def store_month(user: User, month: date = OCTOBER, *, games: int = 10, **figures: int) -> PlayerMonth:
    """Store a player's figures for a month."""
    return PlayerMonth.objects.create(user=user, month=month, games=games, **figures)
