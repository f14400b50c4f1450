"""The command that fills the library."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import services
from games.errors import Invalid


class Command(BaseCommand):
    """Loads the starships that come with the game; may be run again and again."""

    help = "Loads the starships that come with the game, and new editions of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take another directory than the project's own."""
        parser.add_argument(
            "directory",
            nargs="?",
            type=Path,
            default=settings.BASE_DIR / "fixtures",
            help="where starships.toml and the directory starships are",
        )

    def handle(self, *args: Any, directory: Path, verbosity: int, **options: Any) -> None:
        """Load, and say how many."""
        try:
            loaded = services.load_starships(directory=directory, now=timezone.now())
        except Invalid as error:
            raise CommandError("\n".join(problem["detail"] for problem in error.problems)) from None
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"{directory / 'starships.toml'} cannot be read: {error}") from None
        if verbosity:
            self.stdout.write(f"{loaded.all} starships: {loaded.new} new, {loaded.changed} changed.")
