"""Someone's news as an Atom feed (RFC 4287), for a news reader."""

from datetime import datetime
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from games.news.digest import EVERYBODYS, OWN, digest
from games.news.feeds.links import identity
from games.news.feeds.models import Feed
from games.news.kinds import KINDS
from games.news.models import Notice
from games.reading import read_safely
from games.site.feeds.selectors import events_of, newest_notifications, robots_of, turns_with_pictures

MEDIA_TYPE: Final = "application/atom+xml; charset=utf-8"


class _NewsFeed(Atom1Feed):
    """An Atom feed with a steady time of its last change, also while it is empty."""

    def __init__(self, *, made_at: datetime, **more: Any) -> None:
        super().__init__(**more)
        self._made_at = made_at

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self._made_at


def news_feed(*, feed: Feed, url: str) -> str:
    """Return the Atom feed of a player's latest notifications; ``url`` is its own address."""
    user = feed.user
    notices = newest_notifications(user=user)
    robots = robots_of(user=user, games={notice.game_id for notice in notices if notice.game_id})
    turns = {played for notice in notices if (played := _played(notice))}
    events = events_of(turns=turns, types=EVERYBODYS | OWN)
    shown = turns_with_pictures(turns=turns)
    written = _NewsFeed(
        made_at=feed.made_at,
        title="Robo Runner",
        subtitle=_("Notifications for {player}").format(player=user.robo_name),
        link=settings.BASE_URL + "/",
        description=None,
        feed_url=url,
        feed_guid=identity(user, f"news-{user.pk}"),
        author_name="Robo Runner",
        language="en",
    )
    for notice in notices:
        happened = events.get(_played(notice) or (0, 0), ())
        robot = robots.get(notice.game_id or 0, user.robo_name)
        lines = (
            None if happened is None else read_safely(partial(digest, happened, robot=robot), notice.topic)
        )
        written.add_item(
            title=_title(notice),
            link=settings.BASE_URL + notice.path,
            description=_summary(notice, lines) + (_picture(notice) if _played(notice) in shown else ""),
            unique_id=identity(user, f"notice-{notice.pk}"),
            pubdate=notice.created_at,
            updateddate=notice.created_at,
        )
    return written.writeString("utf-8")


def _title(notice: Notice) -> str:
    told = _("{game}, turn {turn}: {news}") if notice.turn else _("{game}: {news}")
    return told.format(game=notice.heading, turn=notice.turn, news=notice.get_kind_display())


def _summary(notice: Notice, lines: list[str] | None) -> str:
    """Say what a notification tells, and what happened; ``lines`` is None where that cannot be read."""
    said = format_html("<p>{}.</p>", notice.get_kind_display())
    if lines is None:
        return said + format_html("<p>{}</p>", _("What happened cannot be shown right now."))
    if not lines:
        return said
    items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return said + format_html("<ul>{}</ul>", items)


def _picture(notice: Notice) -> str:
    """Return the board as the turn left it that a notification tells about."""
    address = settings.BASE_URL + reverse("games:picture", args=[*(_played(notice) or ()), "light"])
    return format_html('<p><img src="{}" width="480" alt="{}"></p>', address, _("The board after the turn"))


def _played(notice: Notice) -> tuple[int, int] | None:
    """Return the game and turn of which a notification tells what happened."""
    turn = KINDS[notice.kind].happened_in(notice)
    return None if turn is None or notice.game_id is None else (notice.game_id, turn)
