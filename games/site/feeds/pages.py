"""Feeds by secret address, read by anyone who has it."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.limits import Limit, take
from games.news.feeds.links import feed_in, feed_urls
from games.news.feeds.models import Feed
from games.site.feeds import atom, ical

READING: Final = Limit("feeds", 60, 60 * 60)
"""How often one feed may be asked for in an hour: programs that read it are content with four times."""


@require_safe
def news(request: HttpRequest, key: str) -> HttpResponseBase:
    """Answer with what someone was told last, as an Atom feed."""
    return _answer(request, key, "news", lambda feed: atom.news_feed(feed=feed, url=feed_urls(feed)["news"]))


@require_safe
def deadlines(request: HttpRequest, key: str) -> HttpResponseBase:
    """Answer with someone's deadlines, as a calendar."""
    return _answer(request, key, "deadlines", lambda feed: ical.deadlines(feed=feed, now=timezone.now()))


MEDIA_TYPES: Final = {"news": atom.MEDIA_TYPE, "deadlines": ical.MEDIA_TYPE}


def _answer(request: HttpRequest, key: str, name: str, write: Callable[[Feed], str]) -> HttpResponseBase:
    """Answer with a feed, or that it has not changed. A key that is good no more is like none ever made."""
    feed = feed_in(key)
    if feed is None:
        raise Http404(_("There is no feed at this address."))
    if wait := take(READING, f"{name}:{feed.user_id}"):
        answer = HttpResponse(
            _("This feed is requested too often. Try again later.\n"), status=429, content_type="text/plain"
        )
        answer.headers["Retry-After"] = str(wait)
        return answer
    body = write(feed).encode()
    answer = HttpResponse(body, content_type=MEDIA_TYPES[name])
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, max-age=300"
    return get_conditional_response(request, etag=etag, response=answer) or answer
