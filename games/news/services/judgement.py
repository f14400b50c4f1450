"""Whether a notice is sent now, later or never: what its person wants, and what they know already."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Q

from accounts.addresses import closures
from accounts.models import ClosedAddress, Manner, User
from accounts.time_zones import zone_of
from games import presence, stored
from games.clocks.clock import Live
from games.news.kinds import Kind, kind_named, kinds_to_players
from games.news.models import Notice
from games.news.selectors.channels import is_reached
from games.news.timing import daily_after
from games.play.models import Program, Seat

HOLD: Final = timedelta(minutes=3)
"""How long a notice is held back whose person is looking at the game, before that is asked again."""


class Verdict(NamedTuple):
    """What is to become of a notice: sent (PENDING), held back until a time, or nothing any more."""

    status: Notice.Status
    until: datetime | None = None


SEND: Final = Verdict(Notice.Status.PENDING)


def manner_of(notice: Notice) -> Manner:
    """Return how a notice's person wants to get mail; what is about no game of theirs comes at once.

    Who wants no mail gets none, whatever they chose for a game: one click stops it all. Of a live game who is
    away gets one mail, and not one each minute.
    """
    if notice.user is None or not kind_named(notice.kind).to_players:
        return Manner.AT_ONCE
    if notice.user.manner == Manner.NONE:
        return Manner.NONE
    manner = Manner((notice.seat and notice.seat.manner) or notice.user.manner)
    if manner == Manner.AT_ONCE and isinstance(stored.pace_of(notice.game), Live):
        return Manner.ONE
    return manner


def judge(notice: Notice, now: datetime) -> Verdict:
    """Say what is to become of a notice that nobody else is sending."""
    kind, seat = kind_named(notice.kind), notice.seat
    if notice.channel != Notice.Channel.MAIL:
        return _of_other_channel(notice, kind, now)
    closed = closures.closed(notice.user.email if notice.user else notice.email)
    if closed and closed.cause == ClosedAddress.Cause.CAME_BACK:
        return Verdict(Notice.Status.CLOSED)
    if notice.user is None:
        return Verdict(Notice.Status.UNWANTED) if closed else _of_others(notice, kind, now)
    if not kind.to_players:
        started = notice.game.started_at is not None
        # Whoever asked for no mail about lobbies before they had an account gets that about their games.
        wanted = notice.user.manner != Manner.NONE if started else notice.user.lobby_mail and not closed
        return _of_others(notice, kind, now) if wanted else Verdict(Notice.Status.UNWANTED)
    manner = manner_of(notice)
    if seat is None:
        return Verdict(Notice.Status.OUTDATED)
    if not notice.user.is_active or manner == Manner.NONE:
        return Verdict(Notice.Status.UNWANTED)
    if settled := kind.settled(notice):
        return Verdict(Notice.Status(settled))
    if manner == Manner.DAILY:
        return _of_the_day(notice, kind, notice.user, now)
    if later := _later(notice, kind, now):
        return later
    if is_looking(seat, now):
        return Verdict(Notice.Status.HELD, now + HOLD)
    if manner == Manner.ONE and _was_told(notice, seat):
        return Verdict(Notice.Status.UNWANTED)
    return SEND


def is_looking(seat: Seat, now: datetime) -> bool:
    """Return whether the player on a seat looks at the game, or did a moment ago."""
    if seat.user_id is None:
        return False
    came = seat.visited_at is not None and seat.visited_at > now - presence.LOOKING
    return came or presence.is_looking(game_id=seat.game_id, user_id=seat.user_id)


def _of_other_channel(notice: Notice, kind: Kind, now: datetime) -> Verdict:
    """Say what is to become of what goes to a program, or is shown by a browser: nothing of silent games.

    How often their person wants mail is nothing to these. A program is told even while they look at the game.
    """
    user, seat, channel = notice.user, notice.seat, Notice.Channel(notice.channel)
    if user is None or not user.is_active or not is_reached(user=user, channel=channel):
        return Verdict(Notice.Status.UNWANTED)
    if not kind.to_players:
        return _of_others(notice, kind, now)
    if seat is None:
        return Verdict(Notice.Status.OUTDATED)
    if seat.manner == Manner.NONE:
        return Verdict(Notice.Status.UNWANTED)
    if settled := kind.settled(notice):
        return Verdict(Notice.Status(settled))
    if later := _later(notice, kind, now):
        return later
    if channel == Notice.Channel.PUSH and is_looking(seat, now):
        return Verdict(Notice.Status.HELD, now + HOLD)
    return SEND


def _of_others(notice: Notice, kind: Kind, now: datetime) -> Verdict:
    """Say what is to become of what is sent at once: it waits while its person looks at the game."""
    seat = notice.seat
    if notice.user and not notice.user.is_active:
        return Verdict(Notice.Status.UNWANTED)
    if settled := kind.settled(notice):
        return Verdict(Notice.Status(settled))
    if notice.user_id is None or notice.channel == Notice.Channel.WEBHOOK:
        return SEND
    if presence.is_looking(game_id=notice.game_id, user_id=notice.user_id) or (
        seat is not None and is_looking(seat, now)
    ):
        return Verdict(Notice.Status.HELD, now + HOLD)
    return Verdict(Notice.Status.SEEN) if seat and _came(notice, seat) else SEND


def _came(notice: Notice, seat: Seat) -> bool:
    """Return whether a notice's person has come to look at the game since there was something to tell."""
    return seat.visited_at is not None and seat.visited_at > notice.created_at


def _later(notice: Notice, kind: Kind, now: datetime) -> Verdict | None:
    """Say whether a notification waits, or comes too late."""
    at = kind.goes_at(notice, now)
    if at is None:
        return Verdict(Notice.Status.OUTDATED)
    return Verdict(Notice.Status.HELD, at) if at > now else None


def _of_the_day(notice: Notice, kind: Kind, user: User, now: datetime) -> Verdict:
    if kind.daily is None:
        return Verdict(Notice.Status.UNWANTED)
    zone = zone_of(user.time_zone)
    due = daily_after(after=notice.created_at, hour=user.daily_hour, zone=zone)
    return SEND if due <= now else Verdict(Notice.Status.HELD, due)


def _was_told(notice: Notice, seat: Seat) -> bool:
    """Return whether the person got mail about the game since they last came to look at it, or moved."""
    moved = Program.objects.filter(hand__seat=seat, by=Program.Author.PLAYER).order_by("-submitted_at")
    times = [seat.visited_at, moved.values_list("submitted_at", flat=True).first()]
    sent = Q(status=Notice.Status.SENT)
    if there := [time for time in times if time is not None]:
        sent &= Q(sent_at__gt=max(there))
    # Of two that are sent at the same time, the earlier one goes; it is claimed already.
    going = Q(status=Notice.Status.PENDING, attempts__gt=0, pk__lt=notice.pk)
    told = Notice.objects.filter(
        game=notice.game_id, user=notice.user_id, kind__in=kinds_to_players(), channel=Notice.Channel.MAIL
    )
    return told.filter(sent | going).exists()
