"""Deadlines that are near: a turn is played as its time runs out, not when the sweeper next comes by."""

from datetime import datetime

from games.play.selectors.underway import turns_under_way
from games.play.services.resolution import resolve_turn
from games.work import enqueue


def keep_deadline(*, turn_id: int, now: datetime) -> bool:
    """Play a turn whose time is up; where it has some left, have it looked at again later.

    A message that comes early, late or twice, or after the deadline was put off, does no harm. Returns
    whether this call played the turn.
    """
    if resolve_turn(turn_id=turn_id, thinks=False, now=now):
        return True
    turn = turns_under_way().filter(pk=turn_id, ready_at=None, deadline__gt=now).only("deadline").first()
    if turn is not None and turn.deadline is not None:
        enqueue.keep_deadline(turn_id, deadline=turn.deadline, now=now)
    return False
