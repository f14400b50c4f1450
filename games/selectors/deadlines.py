"""By when somebody has to give their orders."""

from datetime import datetime

from games.models import Hand, Turn


def deadline_of(*, turn: Turn, hand: Hand | None = None, seat_id: int | None = None) -> datetime | None:
    """Return until when a player has time for a turn, None where there is no limit.

    Who it is says their ``hand``, or else their seat.
    """
    return turn.deadline
