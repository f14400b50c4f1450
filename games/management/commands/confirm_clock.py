"""``manage.py confirm_clock``: trust the clock of this machine after a jump."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from games.clocks import machine_clock
from games.management import OneLineCommand
from games.work.jobs import Explained


class Command(OneLineCommand):
    """Confirm that this machine's clock is right.

    The exit status is 1 if the clock differs from the database's clock.
    """

    help = "Trust the clock of this machine after it jumped. Workers delete and mail again."

    def handle(self, *args: Any, **options: Any) -> None:
        now, machine = timezone.now(), machine_clock.this_machine()
        try:
            machine_clock.check(process=now, database=machine_clock.database_time(), machine=None)
        except Explained as disagreement:
            raise CommandError(str(disagreement)) from None
        machine_clock.confirm(process=now, machine=machine)
        self.stdout.write(f"Workers on this machine trust its clock: {now:%Y-%m-%d %H:%M:%S} UTC.")
