"""Whether a notice is sent now, later or never: what its person wants, and what they know already."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Q

from accounts import closed_addresses
from accounts.models import ClosedAddress, Manner, User
from accounts.time_zones import zone_of
from games import presence, stored
from games.chat.selectors import mentions_unread
from games.clocks.clock import Live
from games.clocks.selectors.vacations import on_vacation
from games.news import lobby_texts
from games.news.models import Notice
from games.news.models.notices import OF_GAMES
from games.news.reminders import when_to_send
from games.news.selectors.channels import is_reached
from games.news.timing import daily_after
from games.play.models import Game, Hand, Program, Seat, Turn
from games.votes.selectors import unanswered

HOLD: Final = timedelta(minutes=3)
"""How long a notice is held back whose person is looking at the game, before that is asked again."""


class Verdict(NamedTuple):
    """What is to become of a notice: sent (PENDING), held back until a time, or nothing any more."""

    status: Notice.Status
    until: datetime | None = None


NOT_DAILY: Final = frozenset({Notice.Kind.REMINDER, Notice.Kind.MISSED, Notice.Kind.AWAY, Notice.Kind.OUTAGE})
"""What comes too late by the mail of a day: the deadlines in that mail say it all."""

SEND: Final = Verdict(Notice.Status.PENDING)


def manner_of(notice: Notice, seat: Seat | None) -> Manner:
    """Return how a notice's person wants to get mail; what is about no game of theirs comes at once.

    Who wants no mail gets none, whatever they chose for a game: one click stops it all. Of a live game who is
    away gets one mail, and not one each minute.
    """
    if notice.kind not in OF_GAMES or notice.user is None:
        return Manner.AT_ONCE
    if notice.user.manner == Manner.NONE:
        return Manner.NONE
    manner = Manner((seat and seat.manner) or notice.user.manner)
    if manner == Manner.AT_ONCE and isinstance(stored.pace_of(notice.game), Live):
        return Manner.ONE
    return manner


def seat_of(notice: Notice) -> Seat | None:
    """Return the seat that a notice's person has in its game."""
    if notice.user_id is None:
        return None
    return Seat.objects.filter(game=notice.game_id, user=notice.user_id).first()


def judge(notice: Notice, seat: Seat | None, now: datetime) -> Verdict:
    """Say what is to become of a notice that nobody else is sending."""
    if notice.channel != Notice.Channel.MAIL:
        return _of_other_channel(notice, seat, now)
    closed = closed_addresses.closed(notice.user.email if notice.user else notice.email)
    if closed and closed.cause == ClosedAddress.Cause.CAME_BACK:
        return Verdict(Notice.Status.CLOSED)
    if notice.user is None:
        return Verdict(Notice.Status.UNWANTED) if closed else _of_lobby(notice, None, now)
    if notice.kind not in OF_GAMES:
        started = notice.game.started_at is not None
        # Whoever asked for no mail about lobbies before they had an account gets that about their games.
        wanted = notice.user.manner != Manner.NONE if started else notice.user.lobby_mail and not closed
        return _of_lobby(notice, seat, now) if wanted else Verdict(Notice.Status.UNWANTED)
    manner = manner_of(notice, seat)
    if seat is None:
        return Verdict(Notice.Status.OUTDATED)
    if not notice.user.is_active or manner == Manner.NONE:
        return Verdict(Notice.Status.UNWANTED)
    if settled := _settled(notice, seat):
        return Verdict(settled)
    if manner == Manner.DAILY:
        return _of_the_day(notice, notice.user, now)
    if later := _later(notice, seat, now):
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


def _of_other_channel(notice: Notice, seat: Seat | None, now: datetime) -> Verdict:
    """Say what is to become of what goes to a program, or is shown by a browser: nothing of silent games.

    How often their person wants mail is nothing to these. A program is told even while they look at the game.
    """
    user, channel = notice.user, Notice.Channel(notice.channel)
    if user is None or not user.is_active or not is_reached(user=user, channel=channel):
        return Verdict(Notice.Status.UNWANTED)
    if notice.kind not in OF_GAMES:
        return _of_lobby(notice, seat, now)
    if seat is None:
        return Verdict(Notice.Status.OUTDATED)
    if seat.manner == Manner.NONE:
        return Verdict(Notice.Status.UNWANTED)
    if settled := _settled(notice, seat):
        return Verdict(settled)
    if later := _later(notice, seat, now):
        return later
    if channel == Notice.Channel.PUSH and is_looking(seat, now):
        return Verdict(Notice.Status.HELD, now + HOLD)
    return SEND


def _of_lobby(notice: Notice, seat: Seat | None, now: datetime) -> Verdict:
    """Say what is to become of what is sent at once: it waits while its person looks at the game."""
    if notice.user and not notice.user.is_active:
        return Verdict(Notice.Status.UNWANTED)
    if lobby_texts.is_pointless(notice):
        return Verdict(Notice.Status.OUTDATED)
    if notice.user_id is None or notice.channel == Notice.Channel.WEBHOOK:
        return SEND
    if presence.is_looking(game_id=notice.game_id, user_id=notice.user_id) or (
        seat is not None and is_looking(seat, now)
    ):
        return Verdict(Notice.Status.HELD, now + HOLD)
    return Verdict(Notice.Status.SEEN) if seat and _came(notice, seat) else SEND


def _settled(notice: Notice, seat: Seat) -> Notice.Status | None:
    """Say why there is nothing to tell any more, if so."""
    match notice.kind:
        case Notice.Kind.MENTION:
            return None if mentions_unread(seat=seat) else Notice.Status.SEEN
        case Notice.Kind.MISSED:
            return _settled_missed(notice, seat)
        case Notice.Kind.OVER:
            seen = seat.seen_turn is not None and seat.seen_turn >= notice.turn
            return Notice.Status.SEEN if seen else None
        case Notice.Kind.VOTE:
            return None if unanswered(seat=seat) else Notice.Status.OUTDATED
    turns = Turn.objects.filter(game=notice.game_id, number=notice.turn, status=Turn.Status.OPEN)
    if notice.game.status != Game.Status.RUNNING or not turns.exists():
        return Notice.Status.OUTDATED
    if notice.kind == Notice.Kind.AWAY:
        return None if Hand.objects.filter(on_vacation(), turn__in=turns).exists() else Notice.Status.OUTDATED
    if Program.objects.filter(hand__turn__in=turns, hand__seat=seat).exists():
        return Notice.Status.SEEN
    reminds = notice.kind == Notice.Kind.REMINDER
    return Notice.Status.OUTDATED if reminds and _turn_tells_it(notice) else None


def _turn_tells_it(notice: Notice) -> bool:
    """Return whether what a reminder says is in the notice about its turn, which is on its way still, or went
    when the reminder was there already: nobody gets two messages of a turn at once.
    """
    turns = Notice.objects.filter(
        game=notice.game_id,
        turn=notice.turn,
        user=notice.user_id,
        channel=notice.channel,
        kind=Notice.Kind.TURN,
    )
    waiting = Q(status__in=(Notice.Status.PENDING, Notice.Status.HELD))
    return turns.filter(waiting | Q(sent_at__gte=notice.created_at)).exists()


def _later(notice: Notice, seat: Seat, now: datetime) -> Verdict | None:
    """Say whether a reminder waits, or comes too late: it is night by now, or the deadline has moved."""
    if notice.kind != Notice.Kind.REMINDER:
        return None
    hands = Hand.objects.select_related("turn__game", "seat__user")
    hand = hands.filter(turn__game=notice.game_id, turn__number=notice.turn, seat=seat).first()
    at = when_to_send(turn=hand.turn, hand=hand, now=now) if hand else None
    if at is None:
        return Verdict(Notice.Status.OUTDATED)
    return Verdict(Notice.Status.HELD, at) if at > now else None


def _settled_missed(notice: Notice, seat: Seat) -> Notice.Status | None:
    """Say why somebody is not told any more that they have missed a turn: mail about the next one says so."""
    if not Turn.objects.filter(game=notice.game_id, number=notice.turn, status=Turn.Status.OPEN).exists():
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if _came(notice, seat) else None


def _came(notice: Notice, seat: Seat) -> bool:
    """Return whether a notice's person has come to look at the game since there was something to tell."""
    return seat.visited_at is not None and seat.visited_at > notice.created_at


def _of_the_day(notice: Notice, user: User, now: datetime) -> Verdict:
    if notice.kind in NOT_DAILY:
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
        game=notice.game_id, user=notice.user_id, kind__in=OF_GAMES, channel=Notice.Channel.MAIL
    )
    return told.filter(sent | going).exists()
