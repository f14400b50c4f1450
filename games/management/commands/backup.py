"""``manage.py backup``: write the whole database to a file while the site runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from embedded.paths import Failure
from games.management import OneLineCommand
from games.staff import backups


class Command(OneLineCommand):
    """Make a backup with the pg_dump of the same version as the server.

    Without a file, this is the scheduled backup: it also copies the backup off site, thins old backups, and
    records the result for the alarms.
    """

    help = "Write a consistent backup of the whole database. Games can continue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="a new file, or a directory for a file named after the time (default: BACKUP_DIRECTORY,"
            " then also copy and thin backups)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the backup. The exit status is 1 if anything went wrong."""
        file: Path | None = options["file"]
        try:
            if file is None:
                self.stdout.write(backups.make_backup(clock=timezone.now))
                return
            if file.is_dir():
                file /= backups.name_of_backup(timezone.now())
            size = backups.write_backup(file)
        except Failure as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"{file} holds all games: {size / 1e6:.1f} MB.")
