"""``manage.py prepare``: bring a database up to date with this release."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Migrate the database and load the starships, in one process. It is safe to run again."""

    help = "Update the tables, starships and missions of a site to this release."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also make the demo, for trials only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run `migrate` and `load_starships`, and also `make_demo` if the option `demo` is set."""
        options_passed = {"verbosity": options["verbosity"], "stdout": self.stdout}
        call_command("migrate", interactive=False, **options_passed)
        call_command("load_starships", **options_passed)
        if options["demo"]:
            call_command("make_demo", **options_passed)
