"""Notifications: written with what they are about, in one transaction, and sent after it."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.db.models import QuerySet

from accounts.models import User
from games import live
from games.news.channels import CHANNELS
from games.news.kinds import KINDS
from games.news.models import Notice, NoticeSubject
from games.news.models.subjects import SUBJECT_FORMAT
from games.news.selectors.reach import Reach, Way, channels_of
from games.news.services.judgement import HOLD
from games.work import enqueue
from roborunner.postgres.queries import Pipeline

if TYPE_CHECKING:
    from games.play.models import Game


DONE: Final = frozenset(Notice.Status) - {Notice.Status.PENDING, Notice.Status.HELD}
"""The states of notifications of which nothing more will come."""


def people_in(game: "Game") -> list[User]:
    """Return the people who play a game, in the order of their seats."""
    return [seat.user for seat in game.players.select_related("user") if seat.user]


def tell(
    *,
    users: Iterable[User],
    kind: str,
    game: "Game",
    turn: int = 0,
    reach: Reach | None = None,
    batch: Pipeline | None = None,
    now: datetime,
) -> list[Notice]:
    """Leave a notification for each of these people and each of their channels.

    They are sent once the transaction is committed. Guests have no address, and get none. Players who look
    at the game get it later: no worker is asked yet. A ``batch`` writes it where there is one, and how people
    are reached may have been asked before.
    """
    notices = _made(channels_of(users=users, reach=reach), kind, game, turn, now)
    if KINDS[kind].to_players:
        people = [notice.user_id for notice in notices if notice.user_id is not None]
        looking = live.who_looks(game_id=game.pk, user_ids=people)
        for notice in notices:
            if notice.user_id in looking and CHANNELS[notice.channel].waits_for_readers:
                notice.status, notice.due_at = Notice.Status.HELD, now + HOLD
    return _leave(notices, batch)


def tell_address(*, email: str, kind: str, game: "Game", now: datetime) -> list[Notice]:
    """Leave a notification for a person without an account, in place of one that was not sent."""
    before = Notice.objects.filter(game=game, email=email, kind=kind)
    before.exclude(status=Notice.Status.SENT).delete()
    return _leave([Notice(kind=kind, email=email, game=game, turn=0, created_at=now)])


def was_told(*, email: str, kind: str, game: "Game") -> bool:
    """Return whether a mail of a kind went to an address before: no address gets the same twice."""
    sent = Notice.objects.filter(status=Notice.Status.SENT)
    return sent.filter(email=email, kind=kind, game=game).exists()


def tell_of_lobby(*, users: Iterable[User], kind: str, game: "Game", now: datetime) -> list[Notice]:
    """Leave a notification about a game that has not started, in place of any before."""
    people = list(users)
    Notice.objects.filter(game=game, turn=0, user__in=people, kind=kind).delete()
    return tell(users=people, kind=kind, game=game, now=now)


def tell_once(
    *,
    users: Iterable[User],
    kind: str,
    game: "Game",
    again: Iterable[str],
    now: datetime,
) -> list[Notice]:
    """Leave a notification that tells all there is to tell when it is sent, in a game whose row is held.

    There is one for each turn, person and channel. A new one replaces it only if its status is in ``again``.
    """
    people, turn = list(users), game.turn or 0
    before = Notice.objects.filter(game=game, turn=turn, user__in=people, kind=kind)
    return _leave(_made(_not_told(people, before, again), kind, game, turn, now))


def tell_of_starship(
    *, users: Iterable[User], kind: str, starship_id: int, about: int, now: datetime
) -> list[Notice]:
    """Leave a notification about a starship for each of these people who has an account still.

    Each is told once of the same thing, which is named by ``about``. It is told again only if it was over
    before it was told. The caller holds a row, so that no other tells of the same thing meanwhile.
    """
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(starship=starship_id, about=about, user__in=people, kind=kind)
    ways = _not_told(people, before, [Notice.Status.OUTDATED])
    of = {"kind": kind, "starship_id": starship_id, "about": about, "turn": 0}
    return _leave([Notice(**of, **way, created_at=now) for way in ways])


def tell_of_person(*, users: Iterable[User], kind: str, about: int, now: datetime) -> list[Notice]:
    """Leave a notification for each of these people that is about no game and no starship, once.

    The row with the number ``about`` says what it is about: which one, the kind knows.
    """
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(game=None, starship=None, about=about, user__in=people, kind=kind)
    of = {"kind": kind, "about": about, "turn": 0}
    return _leave([Notice(**of, **way, created_at=now) for way in _not_told(people, before, [])])


def tell_of_subject(
    *, users: Iterable[User], kind: str, now: datetime, **parameters: str | int
) -> list[Notice]:
    """Leave a notification for each of these people about a thing that no other row keeps."""
    people = list(users)
    if not people:
        return []
    written = {"format": SUBJECT_FORMAT, **parameters}
    subject = NoticeSubject.objects.create(parameters=written, created_at=now)
    return tell_of_person(users=people, kind=kind, about=subject.pk, now=now)


def outdate(*, game_id: int, turn: int, kinds: Iterable[str], batch: Pipeline) -> None:
    """Have a batch drop what is held back about a turn that was played."""
    batch.ask(_OUTDATE, game_id, turn, [*kinds])


_OUTDATE: Final = f"""
UPDATE games_notice SET status = '{Notice.Status.OUTDATED}', due_at = NULL
    WHERE game_id = %s AND turn = %s AND kind = ANY(%s) AND status = '{Notice.Status.HELD}'
"""  # noqa: S608 - names of states


def _not_told(people: list[User], before: QuerySet[Notice], again: Iterable[str]) -> list[Way]:
    """Return how to tell people who were not told ``before``; what is to be told ``again`` goes."""
    before.filter(status__in=again).delete()
    told = set(before.values_list("user", "channel"))
    return [way for way in channels_of(users=people) if (way["user"].pk, way["channel"]) not in told]


def _made(ways: Iterable[Way], kind: str, game: "Game", turn: int, now: datetime) -> list[Notice]:
    return [Notice(kind=kind, **way, game=game, turn=turn, created_at=now) for way in ways]


def _leave(notices: list[Notice], batch: Pipeline | None = None) -> list[Notice]:
    """Write notifications and send them after the transaction. Raises ValueError for an unknown kind."""
    for notice in notices:
        KINDS[notice.kind]
    sent = batch or Pipeline()
    sent.insert(notices, keys=True)
    sent.then(lambda: _enqueue(notices))
    if batch is None:
        sent.send()
    return notices


def _enqueue(notices: list[Notice]) -> None:
    for notice in notices:
        if notice.status == Notice.Status.PENDING:
            enqueue.send_notification(notice.pk, task=CHANNELS[notice.channel].task)
