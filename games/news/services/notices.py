"""Notices: written with what they are about, in one transaction, and sent after it."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from games import enqueue, presence
from games.chat.models import ChatLine
from games.chat.selectors import speaks_to
from games.news.models import Notice
from games.news.models.notices import OF_GAMES
from games.news.selectors.channels import channels_of
from games.news.services.judgement import HOLD
from games.play.models import Game, Turn


def people_in(game: Game) -> list[User]:
    """Return the people who play a game, in the order of their seats."""
    return [seat.user for seat in game.players.select_related("user") if seat.user]


def tell(*, users: Iterable[User], kind: Notice.Kind, game: Game, turn: int, now: datetime) -> list[Notice]:
    """Leave a notice for each of these people and each of their channels.

    They are sent once the transaction is committed. Guests have no address, and are told nothing. Mail to
    those who look at the game is held back from the start, without a worker being asked.
    """
    notices = [
        Notice(kind=kind, **way, game=game, turn=turn, created_at=now) for way in channels_of(users=users)
    ]
    if kind in OF_GAMES:
        people = [notice.user_id for notice in notices if notice.user_id is not None]
        looking = presence.who_looks(game_id=game.pk, user_ids=people)
        for notice in notices:
            if notice.user_id in looking and notice.channel == Notice.Channel.MAIL:
                notice.status, notice.due_at = Notice.Status.HELD, now + HOLD
    return _leave(notices)


def tell_address(*, email: str, kind: Notice.Kind, game: Game, now: datetime) -> list[Notice]:
    """Leave a notice for somebody who has no account, as `tell` does, in place of one that was not sent."""
    Notice.objects.filter(game=game, email=email, kind=kind).exclude(status=Notice.Status.SENT).delete()
    return _leave([Notice(kind=kind, email=email, game=game, turn=0, created_at=now)])


def was_told(*, email: str, kind: Notice.Kind, game: Game) -> bool:
    """Return whether a mail of that kind went to an address before: nobody is sent the same twice."""
    return Notice.objects.filter(game=game, email=email, kind=kind, status=Notice.Status.SENT).exists()


def tell_of_lobby(*, users: Iterable[User], kind: Notice.Kind, game: Game, now: datetime) -> list[Notice]:
    """Leave a notice about a game that has not started; who was told the same before is told again."""
    people = list(users)
    Notice.objects.filter(game=game, turn=0, user__in=people, kind=kind).delete()
    return tell(users=people, kind=kind, game=game, turn=0, now=now)


def tell_mentioned(*, line: ChatLine, game: Game, now: datetime) -> list[Notice]:
    """Leave a notice for each player whom a line of the chat speaks to, in a game whose row is held.

    There is one for each turn, person and channel: of what is said to them later in a turn they are told no
    more, unless they had seen the first before it was sent.
    """
    seats = game.players.select_related("user").exclude(user=None).exclude(user=line.user)
    people = [seat.user for seat in seats if seat.user and speaks_to(line.text, seat.user.robo_name)]
    if not people:
        return []
    turn = game.turn or 0
    before = Notice.objects.filter(game=game, turn=turn, user__in=people, kind=Notice.Kind.MENTION)
    before.filter(status=Notice.Status.SEEN).delete()
    told = set(before.values_list("user", "channel"))
    ways = [way for way in channels_of(users=people) if (way["user"].pk, way["channel"]) not in told]
    kind = Notice.Kind.MENTION
    return _leave([Notice(kind=kind, **way, game=game, turn=turn, created_at=now) for way in ways])


def tell_of_vote(*, users: Iterable[User], game: Game, now: datetime) -> list[Notice]:
    """Leave a notice for each of these people that their vote is asked for, in a game whose row is held.

    There is one for each turn, person and channel, and it tells of all votes that are open when it is sent:
    only where it was sent before there is another in its place.
    """
    people, turn, kind = list(users), game.turn or 0, Notice.Kind.VOTE
    before = Notice.objects.filter(game=game, turn=turn, user__in=people, kind=kind)
    before.exclude(status__in=(Notice.Status.PENDING, Notice.Status.HELD)).delete()
    told = set(before.values_list("user", "channel"))
    ways = [way for way in channels_of(users=people) if (way["user"].pk, way["channel"]) not in told]
    return _leave([Notice(kind=kind, **way, game=game, turn=turn, created_at=now) for way in ways])


def outdate(*, turn: Turn) -> None:
    """Let what is held back about a turn go, and the reminders of it: it has been played."""
    waiting = (Notice.Kind.TURN, Notice.Kind.REMINDER)
    held = Notice.objects.filter(game=turn.game_id, turn=turn.number, kind__in=waiting)
    held.filter(status=Notice.Status.HELD).update(status=Notice.Status.OUTDATED, due_at=None)
    turn.hands.exclude(remind_at=None).update(remind_at=None)


def _leave(notices: list[Notice]) -> list[Notice]:
    made = Notice.objects.bulk_create(notices)
    for notice in made:
        if notice.status == Notice.Status.PENDING:
            enqueue.send_notice(notice.pk, channel=notice.channel)
    return made
