"""Write messages for chat services and programs, and post them.

Names in messages are escaped for each service, and no message notifies everyone in a channel. Discord and
Slack cannot recognise a message that is sent twice. Matrix and programs can, by the ID of the message.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit

from django.utils import timezone

import rules
from games.groups.messages import LONGEST_LINE, Item
from games.groups.models import LONGEST_ROOM, GroupChannel, Service
from games.news.channels import Gone, Undeliverable
from games.news.channels.outbound import Answer, call
from games.news.channels.webhook import signed_headers
from games.wording import time_in_zone

Begin = Callable[[], object]

FORMAT: Final = "announcement/1"

LARGEST_PICTURE: Final = 2_000_000
"""The maximum size of an uploaded picture in bytes."""

LARGEST_ANSWER: Final = 10_000
"""The maximum number of bytes to read of an answer."""

GONE_STATUSES: Final = frozenset({404, 410})

TOO_MANY: Final = 429

REFUSED_STATUSES: Final = frozenset({400, 413, 422})
"""The HTTP statuses of an answer that refuses one message, but not later ones."""

LONGEST_WAIT: Final = 3600.0
"""The longest time in seconds that a service can make the site wait."""


class Refused(Undeliverable):
    """Raised if the service refuses this message because of its content."""


class TooFast(Undeliverable):
    """Raised if the service wants no message for ``wait`` seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__("status", TOO_MANY)
        self.wait = wait


def check(answer: Answer, *, gone: frozenset[int] = GONE_STATUSES) -> Answer:
    """Return a successful answer. Raises Undeliverable for any other."""
    if 200 <= answer.status < 300:
        return answer
    if answer.status == TOO_MANY:
        raise TooFast(_wait(answer))
    if answer.status in gone:
        raise Gone("gone", answer.status)
    if 300 <= answer.status < 400:
        raise Undeliverable("redirect", answer.status)
    if answer.status in REFUSED_STATUSES:
        raise Refused("status", answer.status)
    raise Undeliverable("status", answer.status)


def _wait(answer: Answer) -> float:
    """Return how long a service wants no message, in seconds. Without a number, it is a minute."""
    try:
        seconds = float(answer.retry_after)
    except ValueError:
        try:
            seconds = float(rules.parse(answer.body)["retry_after_ms"]) / 1000
        except (ValueError, KeyError, TypeError, OverflowError):
            seconds = 60.0
    return min(max(seconds, 0.5), LONGEST_WAIT) if seconds == seconds else 60.0


def cut(text: str, most: int = LONGEST_LINE) -> str:
    """Return a text on one line, cut to ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


@dataclass(frozen=True)
class Message:
    """A message with a unique ``key``, which is the same if the message is sent again."""

    key: str
    items: Sequence[Item]
    now: datetime


class Poster:
    """The way to write and post messages to the channels of a service."""

    most_items: ClassVar[int] = 10
    """The maximum number of announcements in a message."""

    knows_repeats: ClassVar[bool] = False
    """Whether the service recognises a message that is sent again, by its key."""

    def post(self, channel: GroupChannel, message: Message, begin: Begin) -> None:
        """Post a message. ``begin`` is called right before it is sent. Raises Undeliverable."""
        body = json.dumps(self.document(message), ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json"}
        check(call(channel.address, body=body, headers=headers, begin=begin, most=LARGEST_ANSWER))

    def document(self, message: Message) -> dict[str, Any]:
        """Return the JSON object of a message."""
        raise NotImplementedError


class Discord(Poster):
    """Discord webhooks: one embed for each item."""

    LONGEST: ClassVar = 5500
    """The maximum number of characters in all embeds of a message. Discord allows 6000."""

    def document(self, message: Message) -> dict[str, Any]:
        share = self.LONGEST // len(message.items)
        embeds = [self._embed(item, share) for item in message.items]
        for number, embed in enumerate(embeds[1:], 2):
            embed["url"] += f"#news-{number}"  # Discord shows only the pictures of a repeated address
        return {
            "embeds": embeds,
            "allowed_mentions": {"parse": []},
        }

    def _embed(self, item: Item, most: int) -> dict[str, Any]:
        title = discord_text(cut(item.title, 100))
        most -= len(title)
        lines = []
        for line in item.lines:
            written = discord_text(cut(line, LONGEST_LINE))
            most -= len(written) + 1
            if most < 80:
                lines.append("…")
                break
            lines.append(written)
        if item.deadline:
            at = int(item.deadline.timestamp())
            lines.append(f"⏳ <t:{at}:f> (<t:{at}:R>)")
        embed: dict[str, Any] = {"title": title, "url": item.url, "description": "\n".join(lines)}
        return embed | ({"image": {"url": item.picture}} if item.picture else {})


def discord_text(text: str) -> str:
    r"""Escape a text for Discord, so that nothing in it is formatted, linked or mentioned.

    >>> discord_text("*Bob* @here <@1> https://a.example")
    '\\*Bob\\* \\@here \\<\\@1\\> https\\://a.example'
    """
    return re.sub(r"([\\*_~`|<>#\[\]()@-]|:(?=//))", r"\\\1", text)


class Slack(Poster):
    """Slack's incoming webhooks, and services that accept the same messages, such as Mattermost."""

    def document(self, message: Message) -> dict[str, Any]:
        return {
            "attachments": [self._attachment(item) for item in message.items],
            "parse": "none",
            "link_names": False,
        }

    def _attachment(self, item: Item) -> dict[str, Any]:
        lines = [slack_text(cut(line)) for line in item.lines]
        if item.deadline:
            at, words = int(item.deadline.timestamp()), slack_text(time_in_zone(item.deadline))
            lines.append(f"⏳ <!date^{at}^{{date_short_pretty}} {{time}}|{words}>")
        title = slack_text(cut(item.title, 100))
        attachment: dict[str, Any] = {
            "fallback": f"{title}: {lines[0]}",
            "title": title,
            "title_link": item.url,
            "text": "\n".join(lines),
            "mrkdwn_in": [],
        }
        return attachment | ({"image_url": item.picture} if item.picture else {})


def slack_text(text: str) -> str:
    """Escape a text for Slack, so that nothing in it is linked or mentioned.

    Services such as Mattermost also read Markdown and mentions. A zero-width space interrupts them.

    >>> slack_text("Bob & <!channel>")
    'Bob &amp; &lt;!channel&gt;'
    >>> slack_text("@all [a](https://a.example)")
    '@\\u200ball [a]\\u200b(https:\\u200b//a.example)'
    """
    return escape(re.sub(r"@|\](?=\()|:(?=//)", "\\g<0>\u200b", text), quote=False)


class Matrix(Poster):
    """Matrix rooms. A picture is uploaded first, and its caption is the message."""

    knows_repeats = True

    LONGEST: ClassVar = 6000
    """The maximum number of characters in a message. Matrix allows 65,536 bytes."""

    def post(self, channel: GroupChannel, message: Message, begin: Begin) -> None:
        """Post a message. A room or homeserver that is gone looks like any other failure."""
        content = self.document(message)
        drawn = [item.draw for item in message.items if item.draw]
        if drawn:
            content |= self._picture(channel, drawn[-1]())
        path = f"rooms/{quote(channel.room, safe='')}/send/m.room.message/{message.key}"
        self._call(channel, "PUT", f"/_matrix/client/v3/{path}", content, begin)

    def join(self, *, address: str, token: str, room: str) -> str:
        """Join a room by its ID or alias. Return its ID. Raises Undeliverable."""
        channel = GroupChannel(address=address, token=token)
        answer = self._call(channel, "POST", f"/_matrix/client/v3/join/{quote(room, safe='')}", {})
        try:
            found = str(rules.parse(answer.body)["room_id"])
        except (ValueError, KeyError):
            found = ""
        if not found or not found.isprintable() or len(found) > LONGEST_ROOM:
            raise Undeliverable("no-room")
        return found

    def document(self, message: Message) -> dict[str, Any]:
        share = self.LONGEST // len(message.items)
        written = [self._written(item, share) for item in message.items]
        return {
            "msgtype": "m.notice",
            "body": "\n\n".join(plain for plain, _ in written),
            "format": "org.matrix.custom.html",
            "formatted_body": "".join(html for _, html in written),
            "m.mentions": {},
        }

    def _written(self, item: Item, most: int) -> tuple[str, str]:
        """Return an item as plain text and as HTML, with about ``most`` characters at most."""
        lines = [cut(line) for line in item.lines[: max(1, most // LONGEST_LINE)]]
        if item.deadline:
            lines.append(f"⏳ {time_in_zone(item.deadline)}")
        title = cut(item.title, 100)
        plain = "\n".join([title, *lines, item.url])
        inner = "<br>".join(escape(line) for line in lines)
        return plain, f'<p><strong><a href="{escape(item.url)}">{escape(title)}</a></strong><br>{inner}</p>'

    def _picture(self, channel: GroupChannel, picture: bytes) -> dict[str, Any]:
        """Upload a picture. Return the keys that add it to a message, or none if it was refused."""
        if len(picture) > LARGEST_PICTURE:
            return {}
        try:
            answer = self._call(channel, "POST", "/_matrix/media/v3/upload?filename=board.png", picture)
            address = str(rules.parse(answer.body)["content_uri"])
        except (Refused, Gone, ValueError, KeyError):
            return {}
        info = {"mimetype": "image/png", "size": len(picture)}
        return {"msgtype": "m.image", "filename": "board.png", "url": address, "info": info}

    def _call(
        self,
        channel: GroupChannel,
        method: str,
        path: str,
        content: Mapping[str, Any] | bytes,
        begin: Begin | None = None,
    ) -> Answer:
        is_picture = isinstance(content, bytes)
        body = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        headers = {
            "Authorization": f"Bearer {channel.token}",
            "Content-Type": "image/png" if is_picture else "application/json",
        }
        url = channel.address.rstrip("/") + path
        answer = call(url, method=method, body=body, headers=headers, begin=begin, most=LARGEST_ANSWER)
        return check(answer, gone=frozenset({410}))


class Program(Poster):
    """Webhooks of programs: one announcement in each message, signed as Standard Webhooks specifies."""

    most_items = 1
    knows_repeats = True

    def post(self, channel: GroupChannel, message: Message, begin: Begin) -> None:
        body = json.dumps(self.document(message), ensure_ascii=False, default=_written).encode()
        headers = signed_headers(channel.secret, name=message.key, at=message.now, body=body)
        check(call(channel.address, body=body, headers=headers, begin=begin), gone=GONE_STATUSES)

    def document(self, message: Message) -> dict[str, Any]:
        """Return an announcement/1 document. docs/api.md describes the format."""
        item = message.items[0]
        empty = {"game": None, "tournament": None, "turn": None, "round": None, "players": None}
        return {
            "format": FORMAT,
            **empty,
            **item.facts,
            "deadline": item.deadline,
            "text": f"{item.title}: {item.lines[0]}",
            "lines": item.lines[1:],
            "url": item.url,
            "picture": item.picture or None,
        }


def _written(value: Any) -> str:
    assert isinstance(value, datetime)
    return value.astimezone(timezone.get_fixed_timezone(0)).isoformat().replace("+00:00", "Z")


POSTERS: Final[Mapping[str, Poster]] = {
    Service.DISCORD: Discord(),
    Service.SLACK: Slack(),
    Service.MATRIX: Matrix(),
    Service.WEBHOOK: Program(),
}

HOSTS: Final = {
    "discord.com": Service.DISCORD,
    "discordapp.com": Service.DISCORD,
    "ptb.discord.com": Service.DISCORD,
    "canary.discord.com": Service.DISCORD,
    "hooks.slack.com": Service.SLACK,
    "hooks.slack-gov.com": Service.SLACK,
}


def service_of(address: str) -> Service:
    """Return the service of an address, by its host. Any other host is a program's webhook.

    >>> service_of("https://discord.com/api/webhooks/1/a").value, service_of("https://robo.example/").value
    ('discord', 'webhook')
    """
    return HOSTS.get((urlsplit(address).hostname or "").lower(), Service.WEBHOOK)
