"""Seats of games under way that a computer holds for whoever takes them over."""

from accounts.models import User
from games.models import Game, Replacement, Seat

LEFT = frozenset({Replacement.Reason.MISSED})
"""Why somebody may have been replaced who may come back: whom others have replaced may not."""


def seat_to_return_to(*, user: User, game: Game) -> Seat | None:
    """Return the seat that a person had and may come back to: nobody else has taken it over since."""
    if game.status != Game.Status.RUNNING:
        return None
    last = Replacement.objects.filter(seat__game=game, was=user).select_related("seat").last()
    if last is None or last.reason not in LEFT or last.seat.user_id is not None:
        return None
    latest = last.seat.replacements.last()
    return last.seat if latest == last and last.seat.offered_at else None
