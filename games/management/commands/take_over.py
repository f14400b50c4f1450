"""``manage.py take_over``: switch the site to a restored database while the site is stopped."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from embedded import backup
from embedded.paths import Failure
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Switch the site to a restored database, keep the old database under a new name, and empty Redis."""

    help = (
        "Switch the site to a restored database. Stop web, workers and beat first. The old database is kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name of the restored database")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rename the site's database, give its name to the restored database, and empty Redis.

        Prints the new name of the site's old database.
        """
        try:
            backup.require_redis(settings.REDIS_URL)
            kept = backup.take_over(settings.DATABASE_URL, options["name"])
        except Failure as problem:
            raise CommandError(str(problem)) from None
        done = f"The site now uses the data of {options['name']}. Its old data is in {kept}."
        try:
            backup.flush_redis(settings.REDIS_URL)
        except Failure as problem:
            raise CommandError(f"{done} {problem} Empty it before the site starts.") from None
        self.stdout.write(done)
