"""Whether a notification is sent now, later or never: what its person wants, and what they know already."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db.models import Q

from accounts.models import Frequency, User
from accounts.time_zones import zone_of
from games import live
from games.news.channels import CHANNELS, Channel
from games.news.kinds import KINDS, Kind, kinds_to_players
from games.news.models import Notice
from games.news.timing import daily_after

if TYPE_CHECKING:
    from games.play.models import Seat

HOLD: Final = timedelta(minutes=3)
"""How long a notification waits whose person is looking at the game, before that is asked again."""


class Judgement(NamedTuple):
    """What is to become of a notification: sent (PENDING), held back until a time, or nothing any more."""

    status: str
    until: datetime | None = None


SEND: Final = Judgement(Notice.Status.PENDING)
UNWANTED: Final = Judgement(Notice.Status.UNWANTED)
OUTDATED: Final = Judgement(Notice.Status.OUTDATED)


def judge(notice: Notice, now: datetime) -> Judgement:
    """Say what is to become of a notification that no one else is sending."""
    kind, channel, seat = KINDS[notice.kind], CHANNELS[notice.channel], notice.seat
    if notice.user and notice.user.silenced.count(kind.name):
        return UNWANTED
    if refused := channel.refused(notice, kind):
        return Judgement(refused)
    if notice.game_id is None:
        return _of_a_starship(notice, kind, channel, now)
    if not kind.to_players:
        return _of_others(notice, kind, channel, now)
    if seat is None or notice.user is None:
        return OUTDATED
    manner = channel.frequency_of(notice, kind)
    if not notice.user.is_active or manner == Frequency.NONE:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if manner == Frequency.DAILY:
        return _of_the_day(notice, kind, notice.user, now)
    at = kind.goes_at(notice, now)
    if at is None:
        return OUTDATED
    if at > now:
        return Judgement(Notice.Status.HELD, at)
    if channel.waits_for_readers and is_looking(seat, now):
        return Judgement(Notice.Status.HELD, now + HOLD)
    return UNWANTED if manner == Frequency.ONE and _was_told(notice, seat) else SEND


def is_looking(seat: "Seat", now: datetime) -> bool:
    """Return whether the player on a seat looks at the game, or did a moment ago."""
    if seat.user_id is None:
        return False
    came = seat.visited_at is not None and seat.visited_at > now - live.LOOKING
    return came or live.is_looking(game_id=seat.game_id, user_id=seat.user_id)


def _of_others(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Say what is to become of what is sent at once: it waits while its person looks at the game."""
    user, seat = notice.user, notice.seat
    if user and not user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if user is None or not channel.waits_for_readers:
        return SEND
    assert notice.game_id
    if live.is_looking(game_id=notice.game_id, user_id=user.pk) or (seat and is_looking(seat, now)):
        return Judgement(Notice.Status.HELD, now + HOLD)
    return Judgement(Notice.Status.SEEN) if notice.came else SEND


def _of_a_starship(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Say what is to become of what is about a starship: it wakes no one, and does not ask who looks."""
    if notice.user is None or not notice.user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if channel.frequency_of(notice, kind) == Frequency.DAILY:
        return _of_the_day(notice, kind, notice.user, now)
    at = kind.goes_at(notice, now)
    if at is None:
        return OUTDATED
    return Judgement(Notice.Status.HELD, at) if at > now else SEND


def _of_the_day(notice: Notice, kind: Kind, user: User, now: datetime) -> Judgement:
    if kind.daily is None:
        return UNWANTED
    due = daily_after(after=notice.created_at, hour=user.daily_hour, zone=zone_of(user.time_zone))
    return SEND if due <= now else Judgement(Notice.Status.HELD, due)


def _was_told(notice: Notice, seat: "Seat") -> bool:
    """Return whether the person heard about the game since they last looked at it, or gave orders."""
    sent = Q(status=Notice.Status.SENT)
    if last := seat.last_active_at:
        sent &= Q(sent_at__gt=last)
    # Of two that are sent at the same time, the earlier one goes; it is claimed already.
    going = Q(status=Notice.Status.PENDING, attempts__gt=0, pk__lt=notice.pk)
    told = Notice.objects.filter(game=notice.game_id, user=notice.user_id, channel=notice.channel)
    return told.filter(sent | going, kind__in=kinds_to_players()).exists()
