"""Notifications about mentions in the chat."""

from typing import Final

from django.utils.translation import gettext, gettext_lazy as _

from games.chat.models import ChatLine
from games.chat.selectors import is_filtered, mentions_unread
from games.news.kinds import Content, Kind
from games.news.models import Notice
from games.play.models import Seat
from games.play.news import about_now, url_of
from games.wording import names_in_words


def _mention(notice: Notice) -> Content:
    assert notice.game and notice.seat
    seat = notice.seat
    mentions = mentions_unread(seat=seat)
    return about_now(
        notice,
        mentions=[{"name": line.name, "text": _visible_text(line, seat)} for line in mentions],
        speakers=names_in_words(list(dict.fromkeys(line.name for line in mentions))),
        url=f"{url_of(notice.game)}#chat",
    )


def _visible_text(line: ChatLine, seat: Seat) -> str:
    """Return the text of a chat line, or a placeholder if the reader's filter hides it."""
    assert seat.user
    if is_filtered(line, reader=seat.user):
        return gettext("Hidden by your chat filter. You can read it in the chat.")
    return line.text


def _mention_settled(notice: Notice) -> str | None:
    return None if notice.seat and mentions_unread(seat=notice.seat) else Notice.Status.SEEN


MENTION: Final = Kind(
    name="mention",
    label=_("You were mentioned in the chat"),
    template="chat/mail/mention.html",
    content=_mention,
    settled=_mention_settled,
    daily=4,
    illustrated=False,
)

KINDS: Final = (MENTION,)
