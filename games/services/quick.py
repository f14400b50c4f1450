"""A game against computers, at once."""

from datetime import datetime

from accounts.models import User
from games.errors import NotFound
from games.models import Game, Seat, Starship
from games.services.admitting import refuse_guests
from games.services.creating import create_game

SHIPS = ("tin-canoe", "hull-walker")
"""Where such a game is played, the first that is there: small, and with something of everything."""

MOST = 3
"""Computers against one person."""


def quick_game(
    *, user: User, strength: str = Seat.Strength.ROOKIE, computers: int = 1, now: datetime
) -> Game:
    """Start a game of one person against computers.

    Raises Forbidden for guests, NotFound where there are no starships, and what `create_game` does.
    """
    refuse_guests(user)
    ship = next(filter(None, (_offered(slug) for slug in SHIPS)), None)
    if ship is None:
        raise NotFound("no-starship", "There is no starship to play on: ask the staff to load some.")
    against = "a computer" if computers == 1 else f"{computers} computers"
    return create_game(
        host=user,
        name=f"{user.robo_name} against {against}",
        starship_id=ship.pk,
        seats=1 + computers,
        computers=[strength] * computers,
        now=now,
    )


def _offered(slug: str) -> Starship | None:
    return Starship.objects.filter(slug=slug, retired=False).exclude(current=None).first()
