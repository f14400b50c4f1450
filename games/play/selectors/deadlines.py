"""By when someone has to give their orders."""

from datetime import datetime

from games.play.models import Hand, Turn


def deadline_of(*, turn: Turn, hand: Hand | None = None, seat_id: int | None = None) -> datetime | None:
    """Return until when a player has time for a turn, None where there is no limit.

    Who it is says their ``hand``, or else their seat. For those who have nothing to give (any more) it is
    when the turn is played at the latest; the same for a hand dealt by a process of the version before.
    """
    if hand is None and seat_id is not None:
        hand = turn.hands.filter(seat=seat_id).first()
    return turn.deadline if hand is None or hand.deadline is None else hand.deadline
