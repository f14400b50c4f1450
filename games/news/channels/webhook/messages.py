"""Notifications as documents for people's own programs: posted as JSON, signed as by Standard Webhooks."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from hmac import HMAC
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from games.news.channels import Gone, Undeliverable
from games.news.channels.webhook.models import Webhook
from games.news.models import Notice
from games.news.outbound import post
from games.news.wording import brief

FORMAT: Final = "notice/1"

PREFIX: Final = "whsec_"
"""What a secret begins with, as it is shown; the rest is the key in base64."""

GONE: Final = 410


def send(notice: Notice, webhook: Webhook, *, now: datetime) -> None:
    """Post a notification; raises Undeliverable where the program at the address did not take it."""
    _post(webhook, f"notice-{notice.pk}", document_of(notice), now)


def send_test(webhook: Webhook, *, now: datetime) -> None:
    """Post something to try a webhook out; raises as `send` does."""
    document = {
        "format": FORMAT,
        "kind": "test",
        "created_at": _written(now),
        "to": webhook.user.robo_name,
        "text": _("This is a test. Your webhook works."),
        "url": settings.BASE_URL + "/",
    }
    _post(webhook, f"test-{webhook.pk}-{int(now.timestamp())}", document, now)


def document_of(notice: Notice) -> dict[str, Any]:
    """Return a notification as a notice/1 document: see docs/news.md."""
    said = brief(notice)
    return {
        "format": FORMAT,
        "kind": notice.kind,
        "created_at": _written(notice.created_at),
        "to": notice.user.robo_name if notice.user else None,
        "game": _named(notice.game),
        "starship": _named(notice.starship),
        "turn": notice.turn if notice.game else None,
        "deadline": _written(said.deadline) if said.deadline else None,
        "text": said.subject,
        "lines": said.lines,
        "url": said.url,
    }


def _named(topic: Any) -> dict[str, Any] | None:
    return {"id": topic.pk, "name": topic.name} if topic else None


def signature(*, secret: str, name: str, at: datetime, body: bytes) -> str:
    """Return what proves that a message is of this service, and was not changed: over name, time and body.

    >>> from datetime import UTC
    >>> signature(secret="whsec_c2VjcmV0", name="msg", at=datetime.fromtimestamp(0, UTC), body=b"{}")
    'v1,ZRm+tDt1Sg5tcE4yc2IAPm/KpU0KJQDRtXNh9J1RQ0A='
    """
    signed = f"{name}.{int(at.timestamp())}.".encode() + body
    key = b64decode(secret.removeprefix(PREFIX))
    return f"v1,{b64encode(HMAC(key, signed, sha256).digest()).decode()}"


def _post(webhook: Webhook, name: str, document: Mapping[str, Any], now: datetime) -> None:
    body = json.dumps(document, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature(secret=webhook.secret, name=name, at=now, body=body),
    }
    status = post(webhook.url, body=body, headers=headers)
    if status == GONE:
        raise Gone("gone", status)
    if 300 <= status < 400:
        raise Undeliverable("redirect", status)
    if not 200 <= status < 300:
        raise Undeliverable("status", status)


def _written(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
