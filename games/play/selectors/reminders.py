"""When someone is reminded of a turn, and until when that makes sense."""

from datetime import datetime

from accounts.time_zones import zone_of
from games.news.timing import LATEST, morning_after, reminder_at
from games.play import stored
from games.play.models import Hand, Turn
from games.play.selectors.deadlines import deadline_of


def when_to_remind(*, turn: Turn, hand: Hand) -> datetime | None:
    """Return when the player of a hand is to be reminded of its turn, None for never; computers need no word.

    In training missions no one is told anything.
    """
    seat = hand.seat
    if seat is None or seat.user is None or turn.game.is_practice:
        return None
    deadline, zone = deadline_of(turn=turn, hand=hand), zone_of(seat.user.time_zone)
    sleep = stored.calendar_of(hand).night
    return reminder_at(opened=turn.opened_at, deadline=deadline, zone=zone, sleep=sleep)


def when_to_send(*, turn: Turn, hand: Hand, now: datetime) -> datetime | None:
    """Return when a reminder goes that is there, None for never: it may have been late, or its deadline may
    have moved since.

    It still goes neither by night nor when it helps no one any more.
    """
    planned, deadline = when_to_remind(turn=turn, hand=hand), deadline_of(turn=turn, hand=hand)
    if planned is None or deadline is None or hand.seat is None or hand.seat.user is None:
        return None
    at = morning_after(max(planned, now), zone_of(hand.seat.user.time_zone), stored.calendar_of(hand).night)
    return at if at is not None and at <= deadline - LATEST else None
