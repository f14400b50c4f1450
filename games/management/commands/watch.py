"""``manage.py watch``: watch the site, and send messages to its operator."""

import logging
import signal
import threading
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from games.management import OneLineCommand
from games.staff import operator
from games.staff.watch import LOOK_SECONDS, Watch, message_for_test

logger = logging.getLogger(__name__)


class Command(OneLineCommand):
    """Watch the site until a signal stops the process."""

    help = "Watch the site, and send messages to its operator. Runs until it is stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--test", action="store_true", help="send a test message by every way, and end")
        parser.add_argument(
            "--once", action="store_true", help="print what is wrong now, send nothing, and end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["test"]:
            self._test()
            return
        if not operator.is_reachable():
            logger.warning(
                "The operator gets no messages. Set OPERATOR_MAIL, OPERATOR_WEBHOOK or OPERATOR_PUSH."
            )
        if options["once"]:
            self._look_once()
            return
        watch = Watch(now=timezone.now(), directory=settings.WATCH_DIRECTORY)
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        while not stopped.is_set():
            try:
                watch.look(now=timezone.now())
            except Exception:  # a fault of the watch must not end it
                logger.exception("A look at the site failed")
            finally:
                connection.close()
            stopped.wait(LOOK_SECONDS)
        watch.stop(now=timezone.now())

    def _look_once(self) -> None:
        """Print what is wrong, and send nothing, since another process may be watching."""
        watch = Watch(now=timezone.now() - timedelta(hours=1))
        watch.see(now=timezone.now())
        for trouble in watch.looked.values():
            self.stdout.write(f"{trouble.subject}. {trouble.detail} {trouble.advice}")
        if not watch.looked:
            self.stdout.write("Nothing is wrong.")

    def _test(self) -> None:
        outcome = operator.send(message_for_test(), now=timezone.now())
        for name in outcome.sent:
            self.stdout.write(f"{name}: sent.")
        for name, reason in outcome.failed.items():
            self.stdout.write(f"{name}: failed. {reason}")
        if not operator.is_reachable():
            raise CommandError("Set OPERATOR_MAIL, OPERATOR_WEBHOOK or OPERATOR_PUSH.")
        if outcome.failed:
            raise CommandError(f"Failed ways: {len(outcome.failed)}.")
