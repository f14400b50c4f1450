"""Feeds by secret address: made when someone wants them, renewed, and taken back."""

import secrets
from datetime import datetime

from accounts.models import User
from games.errors import refuse_guests
from games.news.feeds.models import Feed


def make_feed(*, user: User, now: datetime) -> Feed:
    """Give someone new addresses for their feeds, which make those before worthless.

    Raises Forbidden for guests.
    """
    refuse_guests(user)
    nonce = {"nonce": secrets.token_hex(16), "made_at": now}
    return Feed.objects.update_or_create(user=user, defaults=nonce)[0]


def drop_feed(*, user: User) -> None:
    """Make the addresses of someone's feeds worthless."""
    Feed.objects.filter(user=user).delete()
