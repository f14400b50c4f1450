"""Reminders that players ask for: “Remind me in 3 hours”, from a notification about a turn.

The request comes from a signed link, which works without a login, or from the API. The reminder is a held
`Notice` for its player. It is dropped if the turn no longer waits for the player's orders.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.time_zones import zone_of
from games.errors import Conflict, refuse_guests
from games.news.models import Notice
from games.news.services import schedule
from games.news.timing import CREATED_BEFORE, REQUESTED, REQUESTED_AFTER, SHORTEST_LEAD, morning_after
from games.play import selectors, stored
from games.play.models import Hand, Turn
from games.play.orders import lock_hand
from games.play.selectors import deadline_of
from games.play.viewers import game_for, own_seat
from games.wording import time_in_zone

_SIGNER: Final = Signer(salt="games.reminder")


class ReminderRequest(NamedTuple):
    """A player's wish in a signed link: a reminder of a turn by the channel of the notification."""

    user: User
    game_id: int
    turn: int
    channel: str


def reminder_url(notice: Notice, turn: int | None = None) -> str:
    """Return the link to ask for a reminder of a turn, by a notification's channel.

    By default, it is the notification's turn. GET asks for confirmation, and POST sets the reminder.
    """
    number = notice.turn if turn is None else turn
    mark = _SIGNER.sign(f"{notice.user_id}-{notice.game_id}-{number}-{notice.channel}")
    return settings.BASE_URL + reverse("games:remind", args=[mark.replace(":", "-", 1)])


def offered_reminder(notice: Notice, turn: Turn, hand: Hand) -> str:
    """Return the `reminder_url` for a waiting hand, or an empty string if the deadline comes too soon."""
    assert notice.user
    sent_at = notice.created_at + CREATED_BEFORE.get(notice.kind, timedelta(0))
    at = _reminder_time(turn, hand, notice.user, sent_at + REQUESTED_AFTER)
    return reminder_url(notice, turn=turn.number) if at else ""


def reminder_request(mark: str) -> ReminderRequest | None:
    """Return the wish in a link of `reminder_url`. ``mark`` is the last part of the link.

    Returns None if this site did not sign the link, or if the person no longer exists.
    """
    try:
        user_id, game_id, turn, channel, signature = mark.split("-", 4)
        _SIGNER.unsign(f"{user_id}-{game_id}-{turn}-{channel}:{signature}")
    except (BadSignature, ValueError):
        return None
    user = User.objects.filter(pk=int(user_id), is_active=True).first()
    return ReminderRequest(user, int(game_id), int(turn), channel) if user else None


def check_waits(asked: ReminderRequest) -> None:
    """Raise Conflict if the turn of a link does not wait for the person's orders.

    `request_reminder` checks this again, with a lock.
    """
    turns = Turn.objects.filter(game=asked.game_id, number=asked.turn, status=Turn.Status.OPEN)
    if not Hand.objects.filter(turn__in=turns, seat__user=asked.user, program=None).exists():
        raise _no_orders_needed(asked.turn)


def request_reminder(*, user: User, game_id: int, turn: int, channel: str = "", now: datetime) -> datetime:
    """Remind a player of a turn in `REQUESTED_AFTER`, or after the night. Return the time.

    A new request replaces an earlier one. If ``channel`` is empty, the reminder comes by all channels.

    Raises NotFound if the person may not see the game, and Forbidden for guests and without a seat. Raises
    Conflict if the turn does not wait for the player's orders, if the deadline comes too soon, or if no
    channel would send the reminder.
    """
    refuse_guests(user)
    seat = own_seat(user=user, game=game_for(viewer=user, game_id=game_id))
    with transaction.atomic():
        game, open_turn, hand = lock_hand(seat=seat, turn_number=turn, now=now)
        if hand is None or selectors.program_of(hand) is not None:
            raise _no_orders_needed(turn)
        at = _reminder_time(open_turn, hand, user, now + REQUESTED_AFTER)
        if at is None:
            raise Conflict(
                "deadline-too-soon", _("Your deadline comes too soon for this reminder. Take your turn now.")
            )
        if not schedule(user=user, kind=REQUESTED, game=game, channel=channel, now=now):
            raise Conflict(
                "no-channel", _("Your notification settings stop this reminder. Change them, then try again.")
            )
    return at


def reminder_in_words(at: datetime) -> str:
    """Say when a requested reminder comes, in the active time zone."""
    says = _("We’ll remind you at {time}, unless you submit your orders before.")
    return says.format(time=time_in_zone(at))


def when_to_send_requested(notice: Notice, now: datetime) -> datetime | None:
    """Return the time to send a requested reminder, or None if it would come too late.

    The reminder may be late after an outage, and the deadline may have moved.
    """
    turn = Turn.objects.select_related("game").filter(game=notice.game_id, number=notice.turn).first()
    hand = turn.hands.select_related("seat__user").filter(seat=notice.seat).first() if turn else None
    if turn is None or hand is None or notice.user is None:
        return None
    return _reminder_time(turn, hand, notice.user, max(now, notice.created_at + REQUESTED_AFTER))


def _no_orders_needed(turn: int) -> Conflict:
    return Conflict("no-orders-needed", _("Turn {turn} no longer needs your orders.").format(turn=turn))


def _reminder_time(turn: Turn, hand: Hand, user: User, wanted: datetime) -> datetime | None:
    deadline = deadline_of(turn=turn, hand=hand)
    at = morning_after(wanted, zone_of(user.time_zone), stored.calendar_of(hand).night)
    return at if at and (deadline is None or at <= deadline - SHORTEST_LEAD) else None
