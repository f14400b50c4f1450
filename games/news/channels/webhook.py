"""Notifications for people's own programs: JSON, signed as in Standard Webhooks.

A person sets a webhook and tests it. The webhook is switched off if all posts fail for days.
"""

import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import HMAC
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from accounts.limits import Limit
from accounts.models import User
from games.errors import Invalid, NotFound, ServiceError, refuse_guests
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel, Gone, Undeliverable
from games.news.channels.outbound import address_of, post
from games.news.delivery import receiver_slot
from games.news.kinds import PLAIN, Content, Kind, plain, summary_of
from games.news.models import Notice, Webhook
from games.news.services import notify_with_subject
from games.work.jobs import reason_in_words
from games.work.models import consume_limit


def _page(notice: Notice) -> tuple[str, str]:
    return gettext("Your webhook"), reverse("people:news")


def _switched_off(notice: Notice) -> Content:
    webhook = Webhook.objects.get(user=notice.user)
    return plain(
        notice,
        path=_page(notice)[1],
        subject=gettext("Your webhook was turned off"),
        message=gettext(
            "Your webhook didn’t accept notifications, so we turned it off. Fix your program, then send a"
            " test."
        ),
        lines=[webhook.url, reason_in_words(webhook.failure)],
        heading=gettext("Address and last error"),
        link_text=gettext("View your webhook"),
        why=gettext("You got this email because you set up a webhook."),
    )


def _settled(notice: Notice) -> str | None:
    off = Webhook.objects.filter(user=notice.user, switched_off_at__isnull=False).exists()
    return None if off else Notice.Status.OUTDATED


SWITCHED_OFF: Final = Kind(
    name="hook-off",
    label=_("Your webhook was turned off"),
    template=PLAIN,
    content=_switched_off,
    settled=_settled,
    topic_page=_page,
    to_players=False,
    drawn=False,
    illustrated=False,
)

KINDS: Final = (SWITCHED_OFF,)


FORMAT: Final = "notice/1"

PREFIX: Final = "whsec_"
"""The start of a webhook's secret. The rest of the secret is the key in base64."""

GONE_STATUS: Final = 410


def send(notice: Notice, webhook: Webhook, *, now: datetime) -> None:
    """Post a notification to a webhook. Raises Undeliverable if the program did not accept it."""
    _post(webhook, f"notice-{notice.pk}", document_of(notice), now)


def send_test(webhook: Webhook, *, now: datetime) -> None:
    """Post a test message to a webhook. Raises the errors of `send`."""
    document = {
        "format": FORMAT,
        "kind": "test",
        "created_at": _written(now),
        "to": webhook.user.robo_name,
        "text": gettext("This is a test. Your webhook works."),
        "url": settings.BASE_URL + "/",
    }
    _post(webhook, f"test-{webhook.pk}-{int(now.timestamp())}", document, now)


def document_of(notice: Notice) -> dict[str, Any]:
    """Return a notification as a `notice/1` document. docs/news.md describes the format."""
    summary = summary_of(notice)
    return {
        "format": FORMAT,
        "kind": notice.kind,
        "created_at": _written(notice.created_at),
        "to": notice.user.robo_name if notice.user else None,
        "game": _named(notice.game),
        "starship": _named(notice.starship),
        "turn": notice.turn if notice.game else None,
        "deadline": _written(summary.deadline) if summary.deadline else None,
        "text": summary.subject,
        "lines": summary.lines,
        "hand": [{"number": each["number"], "kind": each["kind"]} for each in summary.hand or ()] or None,
        "url": summary.url,
    }


def _named(topic: Any) -> dict[str, Any] | None:
    return {"id": topic.pk, "name": topic.name} if topic else None


def signature(*, secret: str, name: str, at: datetime, body: bytes) -> str:
    """Return a signature of a message's name, time and body. It proves that this site sent the message.

    >>> from datetime import UTC
    >>> signature(secret="whsec_c2VjcmV0", name="msg", at=datetime.fromtimestamp(0, UTC), body=b"{}")
    'v1,ZRm+tDt1Sg5tcE4yc2IAPm/KpU0KJQDRtXNh9J1RQ0A='
    """
    signed = f"{name}.{int(at.timestamp())}.".encode() + body
    key = b64decode(secret.removeprefix(PREFIX))
    return f"v1,{b64encode(HMAC(key, signed, sha256).digest()).decode()}"


def signed_headers(secret: str, *, name: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the HTTP headers of a signed JSON message."""
    return {
        "Content-Type": "application/json; charset=utf-8",
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signature(secret=secret, name=name, at=at, body=body),
    }


def _post(webhook: Webhook, name: str, document: Mapping[str, Any], now: datetime) -> None:
    body = json.dumps(document, ensure_ascii=False).encode()
    status = post(
        webhook.url, body=body, headers=signed_headers(webhook.secret, name=name, at=now, body=body)
    )
    if status == GONE_STATUS:
        raise Gone("gone", status)
    if 300 <= status < 400:
        raise Undeliverable("redirect", status)
    if not 200 <= status < 300:
        raise Undeliverable("status", status)


def _written(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


SWITCH_OFF_AFTER: Final = timedelta(days=3)
"""The time from the first failure until a webhook is switched off, if all posts in between fail."""

SECONDS_BETWEEN_TESTS: Final = 10
"""The minimum number of seconds between two tests of a webhook."""

NO_FAILURE: Final = {"failing_since": None, "failure": "", "switched_off_at": None}


def set_webhook(*, user: User, url: str, now: datetime) -> Webhook:
    """Set the address of a person's webhook, and switch the webhook on.

    If the person already has a webhook, its secret stays the same. Raises Forbidden for guests, and Invalid
    for an address that cannot be posted to.
    """
    refuse_guests(user)
    url = url.strip()
    try:
        address_of(url)
    except ValueError as error:
        raise Invalid("no-webhook", str(error)) from None
    made = {"url": url, "secret": new_secret(), "made_at": now}
    webhook, new = Webhook.objects.get_or_create(user=user, defaults=made)
    if not new:
        Webhook.objects.filter(pk=webhook.pk).update(url=url, answered_at=None, **NO_FAILURE)
        webhook.refresh_from_db()
    return webhook


def renew_secret(*, user: User) -> Webhook:
    """Replace the secret of a person's webhook. Raises NotFound if the person has no webhook."""
    webhook = _webhook_of(user)
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret"])
    return webhook


def drop_webhook(*, user: User) -> None:
    """Remove a person's webhook."""
    Webhook.objects.filter(user=user).delete()


def try_webhook(*, user: User, now: datetime) -> None:
    """Post a test message to a person's webhook. Switch the webhook on if the message arrives.

    Raises NotFound if the person has no webhook, TooMany within `SECONDS_BETWEEN_TESTS` of the last test, and
    Invalid with the reason if the message does not arrive.
    """
    with transaction.atomic():
        webhook = (
            Webhook.objects.select_for_update(of=("self",)).select_related("user").filter(user=user).first()
        )
        if webhook is None:
            raise NotFound("no-webhook", gettext("You have no webhook."))
        detail = gettext("You just sent a test. Wait 10 seconds before the next one.")
        consume_limit(Limit("webhook-tests", 1, SECONDS_BETWEEN_TESTS), user=user, detail=detail, now=now)
        webhook.tested_at = now
        webhook.save(update_fields=["tested_at"])
    try:
        send_test(webhook, now=now)
    except Undeliverable as error:
        raise Invalid("webhook-failed", gettext("The test failed. {reason}").format(reason=error)) from None
    note_success(webhook=webhook, now=now)


def note_success(*, webhook: Webhook, now: datetime) -> None:
    """Record a successful post to a webhook, and switch the webhook on."""
    Webhook.objects.filter(pk=webhook.pk, url=webhook.url).update(answered_at=now, **NO_FAILURE)


def note_failure(*, webhook: Webhook, error: Undeliverable, now: datetime) -> None:
    """Record a failed post to a webhook.

    Switches the webhook off if the program refuses all further messages (`Gone`), or if all posts have failed
    for `SWITCH_OFF_AFTER`. The webhook's owner then gets a notification by the other channels.
    """
    with transaction.atomic():
        rows = Webhook.objects.select_for_update(of=("self",)).select_related("user")
        failing = rows.filter(pk=webhook.pk, url=webhook.url).first()
        if failing is None:
            return
        was_on = failing.switched_off_at is None
        failing.failing_since = failing.failing_since or now
        failing.failure = error.reason[:300]
        if isinstance(error, Gone) or now - failing.failing_since >= SWITCH_OFF_AFTER:
            failing.switched_off_at = failing.switched_off_at or now
        failing.save(update_fields=["failing_since", "failure", "switched_off_at"])
        if was_on and failing.switched_off_at:
            notify_with_subject(users=[failing.user], kind="hook-off", webhook=failing.pk, now=now)


def _webhook_of(user: User) -> Webhook:
    webhook = Webhook.objects.filter(user=user).first()
    if webhook is None:
        raise NotFound("no-webhook", gettext("You have no webhook."))
    return webhook


def new_secret() -> str:
    """Return a new secret to sign messages."""
    return PREFIX + b64encode(secrets.token_bytes(24)).decode()


PARALLEL_POSTS: Final = 1
"""The maximum number of notifications posted to one host at a time."""


class Webhooks(Channel):
    """The webhook channel. It posts at once, even while the person is looking at the game."""

    name = "webhook"
    label = "Webhook"
    task = "games.tasks.post_webhook"
    waits_for_readers = False

    receivers = """
        SELECT user_id FROM games_webhook WHERE user_id = ANY(%s::bigint[]) AND switched_off_at IS NULL
            ORDER BY 1
    """

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Post a notification, and record the result.

        Returns False if the recipient has no webhook. Raises Undeliverable if the program did not accept the
        notification, and Busy if another notification to the same host is under way.
        """
        webhook = Webhook.objects.filter(user=notice.user_id).first()
        if webhook is None:
            return False
        try:
            with receiver_slot(row=notice, url=webhook.url, slots=PARALLEL_POSTS, now=now):
                send(notice, webhook, now=now)
        except Undeliverable as error:
            note_failure(webhook=webhook, error=error, now=now)
            raise
        note_success(webhook=webhook, now=now)
        return True

    def given_up(self, notice: Notice, error: Exception) -> str:
        """Return UNANSWERED if the person's program did not accept the post, or GIVEN_UP for other errors."""
        theirs = isinstance(error, Undeliverable)
        return Notice.Status.UNANSWERED if theirs else super().given_up(notice, error)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        if user is None:
            return
        webhook = Webhook.objects.filter(user=user).first()
        if webhook is None:
            yield Attempt(self.name, NOT_SET_UP, "This account has no webhook.")
            return
        try:
            try_webhook(user=user, now=now)
        except ServiceError as error:
            yield Attempt(self.name, FAILED, f"{webhook.url}: {error}")
        else:
            yield Attempt(self.name, SENT, f"{webhook.url} accepted it.")

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return a person's webhook or None, its address for the form, and why it last failed."""
        webhook = Webhook.objects.filter(user=user).first()
        url, failure = (webhook.url, reason_in_words(webhook.failure)) if webhook else ("", "")
        return {"webhook": webhook, "webhook_url": url, "webhook_failure": failure}
