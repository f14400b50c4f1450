"""Sending a test by every channel, so that an operator sees which of them work, and why one does not."""

import poplib
from collections.abc import Iterator
from datetime import datetime
from smtplib import SMTPException
from typing import Final, NamedTuple

import redis
from django.conf import settings
from django.core.mail import EmailMessage

from accounts.addresses import closures
from accounts.models import User
from games import announce
from games.errors import ServiceError, reason_of
from games.news.channels import mailbox, push
from games.news.channels.bounces import replies
from games.news.channels.outbound import Undeliverable
from games.news.models import Device
from games.news.services.webhooks import try_webhook

SENT: Final = "sent"
FAILED: Final = "failed"
NOT_SET_UP: Final = "not set up"


class Outcome(NamedTuple):
    """What became of a test: by which channel, whether it went out, and where to, or why not."""

    channel: str
    state: str
    said: str


def send_tests(*, user: User | None, address: str, now: datetime) -> Iterator[Outcome]:
    """Send a test by each channel, and say how each went; without a person only those that take none.

    One that fails stops no other. Browsers that take nothing any more are not forgotten by a test.
    """
    yield _by_mail(address)
    if user:
        yield _by_webhook(user, now)
        yield from _by_push(user, now)
    yield _by_stream()
    yield _returns()


def _by_mail(address: str) -> Outcome:
    if not address:
        return Outcome("mail", NOT_SET_UP, "This account has no address.")
    mail = EmailMessage(
        subject="A test from Robo Runner",
        body=f"This is a test. Mail from {settings.BASE_URL} reaches you.\n",
        to=[address],
    )
    try:
        mail.send()
    except Exception as error:  # each kind of server and provider has errors of its own
        said = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
        return Outcome("mail", FAILED, f"The mail server said: {said}" if said else reason_of(error))
    if settings.MAIL_DIRECTORY:
        said = f"EMAIL_URL names no mail server: the mail is a file in {settings.MAIL_DIRECTORY}."
        return Outcome("mail", NOT_SET_UP, said)
    closed = closures.closed(address)
    but = f" But mail about games does not go there: {closed.get_cause_display()}." if closed else ""
    by = settings.MAIL_PROVIDER or f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    return Outcome("mail", SENT, f"{by} took it for {address}.{but}")


def _by_webhook(user: User, now: datetime) -> Outcome:
    if not hasattr(user, "webhook"):
        return Outcome("webhook", NOT_SET_UP, "This account has none.")
    url = user.webhook.url
    try:
        try_webhook(user=user, now=now)
    except ServiceError as error:
        return Outcome("webhook", FAILED, f"{url}: {error}")
    return Outcome("webhook", SENT, f"{url} took it.")


def _by_push(user: User, now: datetime) -> Iterator[Outcome]:
    devices = list(Device.objects.filter(user=user).order_by("pk"))
    if not devices:
        yield Outcome("push", NOT_SET_UP, "No browser of this account shows notices.")
    for device in devices:
        try:
            push.send_test(device, now=now)
        except Undeliverable as error:
            yield Outcome("push", FAILED, f"{device.name}: {error}")
        else:
            yield Outcome("push", SENT, f"The push service of {device.name} took it.")


def _by_stream() -> Outcome:
    try:
        heard = announce.publish_test()
    except redis.RedisError as error:
        return Outcome("streams", FAILED, f"Redis cannot be reached: {error}")
    return Outcome("streams", SENT, f"Redis took it. Web processes with open pages that heard it: {heard}.")


def _returns() -> Outcome:
    if not settings.BOUNCE_MAILBOX:
        return Outcome("returned mail", NOT_SET_UP, "BOUNCE_MAILBOX names no mailbox.")
    try:
        waiting = mailbox.waiting_in(settings.BOUNCE_MAILBOX)
    except (OSError, poplib.error_proto) as error:
        return Outcome("returned mail", FAILED, f"The mailbox cannot be opened: {reason_of(error)}")
    return Outcome("returned mail", SENT, f"The mailbox opens. Mails in it: {waiting}.")
