"""``manage.py play_turn ID``: play a due turn in a separate process.

Workers run this command for turns that may kill their process.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from games.management import OneLineCommand
from games.play import resolution
from games.play.resolution import play_turn


class Command(OneLineCommand):
    help = "Play a due turn in this process, by the number of its row."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("turn", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Play the turn. Exit with `resolution.NOT_DUE_EXIT_CODE` if the turn is not due."""
        if not play_turn(turn_id=options["turn"], now=timezone.now()):
            sys.exit(resolution.NOT_DUE_EXIT_CODE)
