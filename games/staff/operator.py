"""Send messages to the operator of the site: by push, webhook, mail, and to the browsers of superusers.

No message depends on a worker or on Redis. Every way that is set gets every message. If a way fails, the next
ways say so. Messages name no person and no game, only numbers, since other services see them.
"""

import json
import logging
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from email.header import Header
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.mail import EmailMessage

from accounts import rights
from games.errors import describe_error
from games.news.channels import Undeliverable, browser
from games.news.models import Device
from roborunner.faults import time_limit
from roborunner.scrubbing import scrubbed

logger = logging.getLogger(__name__)

FORMAT: Final = "alarm/1"

HTTP_SECONDS: Final = 10.0
"""Seconds to wait for an answer of a webhook, push service or monitor."""

WAY_SECONDS: Final = 25.0
"""The maximum number of seconds to send a message by one way."""

LONGEST_PUSH: Final = 3000
"""The maximum length of a push message, in characters. ntfy turns longer messages into attachments."""

LONGEST_CHAT: Final = 1900
"""The maximum length of a message for a chat, in characters. Discord refuses more than 2,000."""

MOST_BROWSERS: Final = 10
"""The maximum number of browsers of superusers that get a message."""


class Message(NamedTuple):
    """A message to the operator.

    ``state`` is ``problem``, ``passed`` or ``test``, ``url`` a page with more, and ``incidents`` are the
    documents of its incidents for programs.
    """

    state: str
    title: str
    text: str
    url: str
    incidents: Sequence[Mapping[str, Any]] = ()


class Outcome(NamedTuple):
    """The names of the ways that took a message, and the errors of the other ways by name."""

    sent: list[str]
    failed: dict[str, str]


Way = tuple[str, Callable[[Message], bool]]
"""A way to the operator: its name, and a function to send a message. The function returns whether it had
anyone to send the message to."""


def send(message: Message, *, now: datetime, database: bool = True) -> Outcome:
    """Send a message by each way that is set. Without a ``database``, leave out ways that need it."""
    sent: list[str] = []
    failed: dict[str, str] = {}
    for name, way in _ways(now, database):
        try:
            with time_limit(WAY_SECONDS, f"it took longer than {int(WAY_SECONDS)} s"):
                if way(_with_failures(message, failed)):
                    sent.append(name)
        except Exception as error:  # each way has errors of its own, and none may stop the others
            failed[name] = scrubbed(describe_error(error))[:300]
            logger.warning("The operator got no message by %s: %s", name, failed[name])
    return Outcome(sent, failed)


def is_reachable() -> bool:
    """Return whether the settings have a way to the operator."""
    return bool(settings.OPERATOR_PUSH or settings.OPERATOR_WEBHOOK or settings.OPERATOR_MAIL)


def call_monitor() -> str:
    """Call the outside monitor, if one is set. Return the reason of a failure, or ""."""
    if not settings.MONITOR_URL:
        return ""
    try:
        with time_limit(WAY_SECONDS, f"it took longer than {int(WAY_SECONDS)} s"):
            _call(Request(settings.MONITOR_URL))  # noqa: S310 - from the settings, which check it
    except Exception as error:
        return scrubbed(describe_error(error))[:300]
    return ""


def _ways(now: datetime, database: bool) -> Iterator[Way]:
    if settings.OPERATOR_PUSH:
        yield "push", _push
    if settings.OPERATOR_WEBHOOK:
        yield "webhook", partial(_post_document, now=now)
    if settings.OPERATOR_MAIL:
        yield "mail", _mail
    if database:
        yield "browsers", partial(_tell_browsers, now=now)


def _with_failures(message: Message, failed: Mapping[str, str]) -> Message:
    """Return the message, with the ways that failed before at its end."""
    lines = [f"Could not be sent by {name}: {reason}" for name, reason in failed.items()]
    return message._replace(text="\n".join([message.text, "", *lines])) if lines else message


# --- Push ---------------------------------------------------------------------------------------------------


def _push(message: Message) -> bool:
    """Send a message to a topic of ntfy, or to Gotify if the address has the path and token of Gotify."""
    parts = urlsplit(settings.OPERATOR_PUSH)
    is_gotify = parts.path.endswith("/message") and "token" in parse_qs(parts.query)
    url, headers = _without_user(parts)
    body = message.text[:LONGEST_PUSH]
    if is_gotify:
        click = {"client::notification": {"click": {"url": message.url}}}
        priority = 8 if message.state == "problem" else 4
        document = {"title": message.title, "message": body, "priority": priority, "extras": click}
        _post(url, json.dumps(document).encode(), {**headers, "Content-Type": "application/json"})
        return True
    about = {
        "Title": message.title if message.title.isascii() else Header(message.title, "utf-8", 1000).encode(),
        "Priority": "high" if message.state == "problem" else "default",
        "Tags": "warning" if message.state == "problem" else "white_check_mark",
        "Click": message.url,
        "Content-Type": "text/plain; charset=utf-8",
    }
    _post(url, body.encode(), {**headers, **about})
    return True


def _without_user(parts: SplitResult) -> tuple[str, dict[str, str]]:
    """Return an address without user and password, and the header that has them instead."""
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return parts.geturl(), {}
    basic = b64encode(unquote(user).encode()).decode()
    return parts._replace(netloc=host).geturl(), {"Authorization": f"Basic {basic}"}


# --- Webhook ------------------------------------------------------------------------------------------------


def document_of(message: Message, *, now: datetime) -> dict[str, Any]:
    """Return a message as an `alarm/1` document. docs/alarms.md describes the format.

    ``text`` and ``content`` repeat the message, as chat services such as Slack and Discord expect it.
    """
    said = f"{message.title}\n{message.text}"[:LONGEST_CHAT]
    return {
        "format": FORMAT,
        "site": settings.BASE_URL,
        "at": now.isoformat().replace("+00:00", "Z"),
        "state": message.state,
        "title": message.title,
        "text": said,
        "content": said,
        "url": message.url,
        "incidents": list(message.incidents),
    }


def _post_document(message: Message, *, now: datetime) -> bool:
    url, headers = _without_user(urlsplit(settings.OPERATOR_WEBHOOK))
    body = json.dumps(document_of(message, now=now), ensure_ascii=False).encode()
    _post(url, body, {**headers, "Content-Type": "application/json; charset=utf-8"})
    return True


def _post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    _call(Request(url, data=body, headers=dict(headers), method="POST"))  # noqa: S310 - from the settings


def _call(request: Request) -> None:
    request.add_header("User-Agent", "Robo Runner")
    with urlopen(request, timeout=HTTP_SECONDS):  # noqa: S310 - statuses of errors raise
        pass


# --- Mail ---------------------------------------------------------------------------------------------------


def _mail(message: Message) -> bool:
    mail = EmailMessage(
        subject=message.title,
        body=f"{message.text}\n\n{message.url}\n",
        to=settings.OPERATOR_MAIL,
        headers={"Auto-Submitted": "auto-generated"},
    )
    mail.send()
    return True


# --- Browsers of superusers ---------------------------------------------------------------------------------


def _tell_browsers(message: Message, *, now: datetime) -> bool:
    """Send a message to the browsers of superusers. Return whether one of them took it."""
    superusers = rights.superusers()
    told, failure = 0, None
    for device in Device.objects.filter(user__in=superusers).order_by("-made_at")[:MOST_BROWSERS]:
        try:
            browser.send_message(
                device, title=message.title, body=message.text, tag="alarm", url=message.url, now=now
            )
            told += 1
        except Undeliverable as error:
            failure = error
    if failure is not None and not told:
        raise failure
    return told > 0
