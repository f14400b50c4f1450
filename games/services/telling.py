"""Notices: written with what they are about, in one transaction, and sent after it."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from games import enqueue
from games.models import Game, Notice


def tell(*, users: Iterable[User], kind: Notice.Kind, game: Game, turn: int, now: datetime) -> list[Notice]:
    """Leave a notice for each of these people; they are sent once the transaction is committed."""
    notices = Notice.objects.bulk_create(
        Notice(kind=kind, user=user, game=game, turn=turn, created_at=now) for user in users
    )
    for notice in notices:
        enqueue.send_notice(notice.pk)
    return notices
