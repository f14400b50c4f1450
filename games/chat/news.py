"""What players hear about the chat: kinds of notification."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.chat.selectors import mentions_unread
from games.language import joined
from games.news.kinds import Kind, Told
from games.news.models import Notice
from games.play.news import about_now, url_of


def _mention(notice: Notice) -> Told:
    assert notice.game and notice.seat
    said = mentions_unread(seat=notice.seat)
    return about_now(
        notice,
        said=[{"name": line.name, "text": line.text} for line in said],
        speakers=joined(list(dict.fromkeys(line.name for line in said))),
        url=f"{url_of(notice.game)}#chat",
    )


def _mention_settled(notice: Notice) -> str | None:
    return None if notice.seat and mentions_unread(seat=notice.seat) else Notice.Status.SEEN


MENTION: Final = Kind(
    name="mention",
    label=_("You are mentioned in the chat"),
    template="chat/mail/mention.html",
    tell=_mention,
    settled=_mention_settled,
    daily=4,
    illustrated=False,
)

KINDS: Final = (MENTION,)
