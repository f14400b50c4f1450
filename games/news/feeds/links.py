"""The secret addresses of feeds, which work without logging in."""

from typing import Final
from uuid import UUID, uuid5

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User
from games.errors import number_in
from games.news.feeds.models import Feed

_FEEDS = Signer(salt="games.feeds")

_NAMES: Final = UUID("6d1b1d0c-0c0e-4f7e-9d8a-2b6f2a5f6b6e")
"""The namespace of `identity`. It never changes, or readers see every entry twice."""


def feed_urls(feed: Feed) -> dict[str, str]:
    """Return the secret addresses of someone's feeds: ``news`` and ``deadlines``."""
    key = f"{feed.user_id}-{_FEEDS.signature(_signed(feed))}"
    return {
        name: settings.BASE_URL + reverse(f"people:feed_of_{name}", args=[key])
        for name in ("news", "deadlines")
    }


def feed_in(key: str) -> Feed | None:
    """Return whose feeds an address with this key leads to; None when it is good no more, or never was."""
    named, _, signature = key.partition("-")
    if (number := number_in(named)) is None:
        return None
    feed = Feed.objects.select_related("user").filter(user=number, user__is_active=True).first()
    if feed is None:
        return None
    try:
        _FEEDS.unsign(f"{_signed(feed)}:{signature}")  # by this key of the site, or by the one before
    except BadSignature:
        return None
    return feed


def identity(user: User, name: str) -> str:
    """Return a name for good of something in a feed: a URN that neither host nor address can change."""
    return uuid5(_NAMES, f"{user.pk} {user.date_joined.isoformat()} {name}").urn


def _signed(feed: Feed) -> str:
    return f"{feed.user_id}-{feed.nonce}"
