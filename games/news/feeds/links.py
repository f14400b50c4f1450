"""The secret addresses of feeds, which work without logging in."""

from django.conf import settings
from django.core.signing import Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games.news.feeds.models import Feed
from games.pages import number_in

_FEEDS = Signer(salt="games.feeds")


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
    if feed is None or not constant_time_compare(signature, _FEEDS.signature(_signed(feed))):
        return None
    return feed


def _signed(feed: Feed) -> str:
    return f"{feed.user_id}-{feed.nonce}"
