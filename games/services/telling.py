"""Notices: written with what they are about, in one transaction, and sent after it."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from games import enqueue
from games.models import Game, Notice


def tell(*, users: Iterable[User], kind: Notice.Kind, game: Game, turn: int, now: datetime) -> list[Notice]:
    """Leave a notice for each of these people; they are sent once the transaction is committed.

    Guests have no address, and are told nothing.
    """
    people = [user for user in users if not user.is_guest]
    return _leave([Notice(kind=kind, user=user, game=game, turn=turn, created_at=now) for user in people])


def tell_address(*, email: str, kind: Notice.Kind, game: Game, now: datetime) -> list[Notice]:
    """Leave a notice for somebody who has no account, as `tell` does; nobody is sent the same twice."""
    before = Notice.objects.filter(game=game, email=email, kind=kind)
    if before.filter(status=Notice.Status.SENT).exists():
        return []
    before.delete()
    return _leave([Notice(kind=kind, email=email, game=game, turn=0, created_at=now)])


def tell_of_lobby(*, users: Iterable[User], kind: Notice.Kind, game: Game, now: datetime) -> list[Notice]:
    """Leave a notice about a game that has not started; who was told the same before is told again."""
    people = list(users)
    Notice.objects.filter(game=game, turn=0, user__in=people, kind=kind).delete()
    return tell(users=people, kind=kind, game=game, turn=0, now=now)


def _leave(notices: list[Notice]) -> list[Notice]:
    made = Notice.objects.bulk_create(notices)
    for notice in made:
        enqueue.send_notice(notice.pk)
    return made
