"""``manage.py send_test``: send test messages by mail, webhook, browser and stream."""

from collections.abc import Iterator
from typing import Any

import redis
from django.core.management.base import CommandError, CommandParser
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games import live
from games.management import OneLineCommand
from games.news.channels import CHANNELS, FAILED, SENT, Attempt


class Command(OneLineCommand):
    """Send a test message by every channel of an account. The exit status is 1 if a channel fails."""

    help = "Send a test message by every channel, and report each result."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("to", help="a Robo Name or an email address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Send the test messages, and print each result as soon as it is known."""
        to: str = options["to"]
        named = Q(robo_name__iexact=to) | (Q(email__iexact=to) if "@" in to else Q())
        user = User.objects.filter(named, is_active=True).first()
        if user is None and "@" not in to:
            raise CommandError(f"There is no account {to}. Give a Robo Name or an email address.")
        failed = 0
        address = user.email if user else to
        for outcome in _tried(user, address or ""):
            failed += outcome.state == FAILED
            self.stdout.write(f"{outcome.channel}: {outcome.state}. {outcome.detail}")
            self.stdout.flush()
        if failed:
            raise CommandError(f"Failed channels: {failed}.")


def _tried(user: User | None, address: str) -> Iterator[Attempt]:
    """Send a test message by each channel, and to the streams of open pages. Yield each result."""
    for channel in CHANNELS.values():
        yield from channel.try_out(user=user, address=address, now=timezone.now())
    try:
        heard = live.publish_test()
    except redis.RedisError as error:
        yield Attempt("streams", FAILED, f"Redis cannot be reached: {error}")
    else:
        said = f"Redis accepted it. Web processes with open pages that received it: {heard}."
        yield Attempt("streams", SENT, said)
