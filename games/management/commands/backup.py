"""``manage.py backup``: write the whole database to a file while the site runs."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from embedded import backup
from embedded.paths import Failure
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Make a backup with the pg_dump of the same version as the server."""

    help = "Write a consistent backup of the whole database to a file. Games can continue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help="a new file, or a directory for a file named after the time"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if file.is_dir():
            file /= f"games-{timezone.now():%Y-%m-%dT%H%M%SZ}.dump"
        try:
            backup.dump(settings.DATABASE_URL, file)
        except Failure as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"{file} holds all games: {file.stat().st_size / 1e6:.1f} MB.")
