"""``manage.py load_starships``: load the starships and missions that come with the game."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from games.errors import Invalid
from games.fleet.missions import load_missions
from games.fleet.services import Loaded, load_starships
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Load or update the starships and missions of a directory. It is safe to run again."""

    help = "Load or update the starships and training missions that come with the game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "directory",
            nargs="?",
            type=Path,
            default=settings.BASE_DIR / "fixtures",
            help="the directory with starships.toml, missions.toml, starships and lessons",
        )

    def handle(self, *args: Any, directory: Path, verbosity: int, **options: Any) -> None:
        self.verbosity = verbosity
        self._load("starships", lambda: load_starships(directory=directory, now=timezone.now()))
        if (directory / "missions.toml").exists():
            self._load("missions", lambda: load_missions(directory=directory))

    def _load(self, what: str, load: Callable[[], Loaded]) -> None:
        try:
            loaded = load()
        except Invalid as error:
            raise CommandError("; ".join(problem["detail"] for problem in error.problems)) from None
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"{what}.toml cannot be read: {error}") from None
        if self.verbosity:
            self.stdout.write(f"{loaded.all} {what}: {loaded.new} new, {loaded.changed} changed.")
