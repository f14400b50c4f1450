"""``manage.py prepare``: bring a database up to date with this release."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Migrate and load the starships, in one process. It is safe to repeat."""

    help = "Update the tables, starships and missions of a site to this release."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also make the demo, for trials only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run `migrate` and `load_starships`, and `make_demo` for a demonstration."""
        told = {"verbosity": options["verbosity"], "stdout": self.stdout}
        call_command("migrate", interactive=False, **told)
        call_command("load_starships", **told)
        if options["demo"]:
            call_command("make_demo", **told)
