"""Reminding players before their time is up: found by the sweeper, and left as notifications."""

from datetime import datetime
from typing import Final

from accounts.models import User
from games.news.models import Notice
from games.news.services import tell
from games.play.models import Game, Hand, Turn
from games.play.selectors.deadlines import deadline_of
from games.play.selectors.gathering import program_of
from games.play.selectors.reminders import when_to_remind
from games.work.jobs import each

MOST: Final = 500
"""Hands that are looked at in one pass; the next one comes soon."""


def remind(*, now: datetime) -> int:
    """Leave a reminder for each player who is due one and whose orders are missing; return how many.

    Where the deadline has moved, the reminder moves as well.
    """
    due = Hand.objects.filter(remind_at__lte=now).order_by("remind_at", "pk")
    return each(
        "reminders", due, lambda hand_id: _remind(hand_id, now), most=MOST, now=now, game="turn__game_id"
    )


def _remind(hand_id: int, now: datetime) -> bool:
    rows = Hand.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    hand = rows.select_related("turn__game", "seat__user").filter(pk=hand_id, remind_at__lte=now).first()
    if hand is None:
        return False
    hand.remind_at, told = None, False
    if _waits(hand, now) and hand.seat and hand.seat.user:
        at = when_to_remind(turn=hand.turn, hand=hand)
        if at is not None and at > now:
            hand.remind_at = at
        elif at is not None:
            told = _tell(hand.turn, hand.seat.user, now)
    hand.save(update_fields=["remind_at"])
    return told


def _tell(turn: Turn, user: User, now: datetime) -> bool:
    """Remind someone, once a turn even where its deadline has moved since; return whether it was done."""
    reminders = Notice.objects.filter(game=turn.game_id, turn=turn.number, kind="reminder")
    if reminders.filter(user=user).exists():
        return False
    return bool(tell(users=[user], kind="reminder", game=turn.game, turn=turn.number, now=now))


def _waits(hand: Hand, now: datetime) -> bool:
    """Return whether a game still waits for the orders of a hand's player."""
    turn = hand.turn
    if turn.status != Turn.Status.OPEN or turn.game.status != Game.Status.RUNNING or hand.seat_id is None:
        return False
    deadline = deadline_of(turn=turn, hand=hand)
    return deadline is not None and deadline > now and program_of(hand) is None
