"""Webhooks as a channel."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from games.errors import ServiceError
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel, Undeliverable
from games.news.channels.webhook import messages
from games.news.channels.webhook.models import Webhook
from games.news.channels.webhook.services import note_failure, note_success, try_webhook
from games.news.models import Notice
from games.news.services.receivers import call
from games.work.jobs import reason_in_words

AT_ONCE: Final = 1
"""How many notifications are posted to one host at a time."""


class Webhooks(Channel):
    """A program is told at once, even while its person looks at the game."""

    name = "webhook"
    label = "Webhook"
    task = "games.tasks.post_webhook"
    waits_for_readers = False

    receivers = """
        SELECT user_id FROM games_webhook WHERE user_id = ANY(%s::bigint[]) AND switched_off_at IS NULL
            ORDER BY 1
    """

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Post it, and note how that went; return whether its person still has a webhook.

        Raises Undeliverable if the program did not take it, and Busy if it is at another notification.
        """
        webhook = Webhook.objects.filter(user=notice.user_id).first()
        if webhook is None:
            return False
        try:
            with call(notice=notice, url=webhook.url, at_once=AT_ONCE, now=now):
                messages.send(notice, webhook, now=now)
        except Undeliverable as error:
            note_failure(webhook=webhook, error=error, now=now)
            raise
        note_success(webhook=webhook, now=now)
        return True

    def given_up(self, notice: Notice, error: Exception) -> str:
        """Return that a program took nothing, which its person can mend, and not staff."""
        theirs = isinstance(error, Undeliverable)
        return Notice.Status.UNANSWERED if theirs else super().given_up(notice, error)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        if user is None:
            return
        webhook = Webhook.objects.filter(user=user).first()
        if webhook is None:
            yield Attempt(self.name, NOT_SET_UP, "This account has none.")
            return
        try:
            try_webhook(user=user, now=now)
        except ServiceError as error:
            yield Attempt(self.name, FAILED, f"{webhook.url}: {error}")
        else:
            yield Attempt(self.name, SENT, f"{webhook.url} took it.")

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return a person's webhook, its address for the form, and why it fails."""
        webhook = Webhook.objects.filter(user=user).first()
        url, failure = (webhook.url, reason_in_words(webhook.failure)) if webhook else ("", "")
        return {"webhook": webhook, "webhook_url": url, "webhook_failure": failure}
