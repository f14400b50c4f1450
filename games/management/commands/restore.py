"""``manage.py restore``: restore a backup to a new database, and check its games."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from embedded import backup
from embedded.paths import Failure
from games.management import OneLineCommand
from games.staff import backups


class Command(OneLineCommand):
    """Restore a backup completely or not at all, with the pg_restore of the same version as the server."""

    help = "Restore a backup into a new database, and check its games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file from `manage.py backup`")
        parser.add_argument(
            "name",
            nargs="?",
            help="a database on the same server, created if missing (default: the site's own)",
        )
        checks = parser.add_mutually_exclusive_group()
        checks.add_argument("--sample", type=int, help="check only as many games, chosen at random")
        checks.add_argument("--check-later", action="store_true", help="check no games now")
        parser.add_argument(
            "--overwrite", action="store_true", help="overwrite all existing data, including games"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore the backup, and check its games. The exit status is 1 if either step fails."""
        url, overwrite, name = settings.DATABASE_URL, options["overwrite"], options["name"]
        try:
            if name:
                url = backup.restore(
                    options["file"], url, name, overwrite=overwrite, identity=backups.identity()
                )
            else:
                backup.fill(options["file"], url, overwrite=overwrite, identity=backups.identity())
            named = f"The database {name}" if name else "The site's database"
            self.stdout.write(f"{named} now holds the data of {options['file']}.")
            self.stdout.flush()
            if options["check_later"]:
                place = f" --in {name}" if name else ""
                self.stdout.write(f"No game was checked. Do it later: manage.py check_games{place}")
                return
            words = [f"--sample={options['sample']}"] if options["sample"] else []
            self.stdout.write(backup.check_database(url, backups.environment_for(url), *words))
        except Failure as problem:
            raise CommandError(str(problem)) from None
