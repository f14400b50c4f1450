"""``manage.py take_return``: read a bounced email from a mail server's pipe."""

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.management import OneLineCommand
from games.news.channels.mail import record_bounce

LARGEST = 10_000_000


class Command(OneLineCommand):
    """Record a bounced email from standard input. Ignore any other input."""

    help = "Read a bounced email from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--recipient",
            default="",
            help="the recipient in the envelope (default: from the headers of the mail)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        message = sys.stdin.buffer.read(LARGEST)
        said = record_bounce(message=message, recipient=options["recipient"], now=timezone.now())
        if options["verbosity"]:
            self.stdout.write(said)
