"""``manage.py drill``: prove that the newest backup can be restored."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from embedded.paths import Failure
from games.management import OneLineCommand
from games.staff import backups


class Command(OneLineCommand):
    """Restore the newest backup into a scratch database, check it, drop it, and record the result."""

    help = "Restore the newest backup into a scratch database, check its games, and drop it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--sample",
            type=int,
            default=backups.SAMPLE,
            help=f"the number of games to check, chosen at random (default: {backups.SAMPLE}; 0: all)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the drill. The exit status is 1 if the backup cannot be restored or is not sound."""
        try:
            self.stdout.write(backups.run_drill(sample=options["sample"] or None, clock=timezone.now))
        except Failure as problem:
            raise CommandError(str(problem)) from None
