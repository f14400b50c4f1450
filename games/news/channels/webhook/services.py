"""People's webhooks: set, tried out, and switched off where nothing has got through for days."""

import secrets
from base64 import b64encode
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from games.errors import Invalid, NotFound, refuse_guests
from games.news.channels import Gone, Undeliverable
from games.news.channels.webhook import messages
from games.news.channels.webhook.models import Webhook
from games.news.outbound import address_of
from games.news.services.notifications import tell_of_subject
from games.work.models import spend

FAILING: Final = timedelta(days=3)
"""How long a webhook may fail, without anything getting through, before it is switched off."""

BETWEEN_TESTS: Final = 10
"""Seconds between two tests of a webhook, at least."""

WORKING: Final = {"failing_since": None, "failure": "", "switched_off_at": None}


def set_webhook(*, user: User, url: str, now: datetime) -> Webhook:
    """Post someone's notifications to an address from now on; where they had one before, its secret stays.

    Raises Forbidden for guests, and Invalid for what is no address to post to.
    """
    refuse_guests(user)
    url = url.strip()
    try:
        address_of(url)
    except ValueError as error:
        raise Invalid("no-webhook", str(error)) from None
    made = {"url": url, "secret": _secret(), "made_at": now}
    webhook, new = Webhook.objects.get_or_create(user=user, defaults=made)
    if not new:
        Webhook.objects.filter(pk=webhook.pk).update(url=url, answered_at=None, **WORKING)
        webhook.refresh_from_db()
    return webhook


def renew_secret(*, user: User) -> Webhook:
    """Sign what is posted for someone with another secret. Raises NotFound where they have no webhook."""
    webhook = _webhook_of(user)
    webhook.secret = _secret()
    webhook.save(update_fields=["secret"])
    return webhook


def drop_webhook(*, user: User) -> None:
    """Post nothing more for someone."""
    Webhook.objects.filter(user=user).delete()


def try_webhook(*, user: User, now: datetime) -> None:
    """Post a test to someone's webhook; one that takes it is switched on.

    Raises NotFound where they have none, TooMany for one test right after another, and Invalid, with what
    went wrong, where it does not take it.
    """
    with transaction.atomic():
        webhook = (
            Webhook.objects.select_for_update(of=("self",)).select_related("user").filter(user=user).first()
        )
        if webhook is None:
            raise NotFound("no-webhook", _("You have no webhook."))
        detail = _("You have just sent a test. Please wait ten seconds.")
        spend(Limit("webhook-tests", 1, BETWEEN_TESTS), user=user, detail=detail, now=now)
        webhook.tested_at = now
        webhook.save(update_fields=["tested_at"])
    try:
        messages.send_test(webhook, now=now)
    except Undeliverable as error:
        raise Invalid(
            "webhook-failed", _("The test did not get through. {reason}").format(reason=error)
        ) from None
    note_success(webhook=webhook, now=now)


def note_success(*, webhook: Webhook, now: datetime) -> None:
    """Note that something got through."""
    Webhook.objects.filter(pk=webhook.pk, url=webhook.url).update(answered_at=now, **WORKING)


def note_failure(*, webhook: Webhook, error: Undeliverable, now: datetime) -> None:
    """Note that something did not get through; what fails for days, or wants nothing, is switched off.

    Its person gets a notification by the other channels.
    """
    with transaction.atomic():
        rows = Webhook.objects.select_for_update(of=("self",)).select_related("user")
        failing = rows.filter(pk=webhook.pk, url=webhook.url).first()
        if failing is None:
            return
        was_on = failing.switched_off_at is None
        failing.failing_since = failing.failing_since or now
        failing.failure = error.reason[:300]
        if isinstance(error, Gone) or now - failing.failing_since >= FAILING:
            failing.switched_off_at = failing.switched_off_at or now
        failing.save(update_fields=["failing_since", "failure", "switched_off_at"])
        if was_on and failing.switched_off_at:
            tell_of_subject(users=[failing.user], kind="hook-off", webhook=failing.pk, now=now)


def _webhook_of(user: User) -> Webhook:
    webhook = Webhook.objects.filter(user=user).first()
    if webhook is None:
        raise NotFound("no-webhook", _("You have no webhook."))
    return webhook


def _secret() -> str:
    return messages.PREFIX + b64encode(secrets.token_bytes(24)).decode()
