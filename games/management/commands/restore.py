"""``manage.py restore``: restore a backup to a new database, and check its games."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from embedded import backup
from embedded.paths import Failure
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Restore a backup completely or not at all, with the pg_restore of the same version as the server."""

    help = "Restore a backup into a new database, and check all its games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file from `manage.py backup`")
        parser.add_argument(
            "name",
            nargs="?",
            help="a database on the same server, created if missing (default: the site's own)",
        )
        parser.add_argument(
            "--overwrite", action="store_true", help="overwrite all existing data, including games"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore the backup, and check its games. The exit status is 1 if either step fails."""
        url, overwrite = settings.DATABASE_URL, options["overwrite"]
        try:
            if options["name"]:
                url = backup.restore(options["file"], url, options["name"], overwrite=overwrite)
            else:
                backup.fill(options["file"], url, overwrite=overwrite)
            named = f"The database {options['name']}" if options["name"] else "The site's database"
            self.stdout.write(f"{named} now holds the data of {options['file']}.")
            self.stdout.flush()
            environment = {**os.environ, "SECRET_KEY": settings.SECRET_KEY}
            self.stdout.write(backup.check_database(url, environment))
        except Failure as problem:
            raise CommandError(str(problem)) from None
