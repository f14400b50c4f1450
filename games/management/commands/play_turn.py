"""``manage.py play_turn NUMBER``: plays a turn that is due; workers call it for turns that may end them."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from games.management import OneLineCommand
from games.play import resolution
from games.play.resolution import play_turn


class Command(OneLineCommand):
    """Plays one turn in a process of its own."""

    help = "Plays a turn that is due, by the number of its row, in this process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("turn", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Play it, or say by the exit code that there was nothing to play."""
        if not play_turn(turn_id=options["turn"], now=timezone.now()):
            sys.exit(resolution.IDLE)
