"""``manage.py puzzles``: make puzzles from simulated games."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from games.management import OneLineCommand
from games.puzzles.mining import simulate

MOST_PUZZLES = 100_000
GAMES_PER_LINE = 100


class Command(OneLineCommand):
    """Play games between computers until there are enough puzzles from them.

    The same seed and fleet give the same puzzles. If the command is interrupted, start it again to continue.
    """

    help = "Make puzzles from simulated games, until this site has the given number from the seed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--simulate", type=int, required=True, help="the number of puzzles from the seed")
        parser.add_argument(
            "--seed", default="fleet", help="a text that decides all games, “fleet” if not given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wanted, seed = options["simulate"], options["seed"]
        if not 1 <= wanted <= MOST_PUZZLES:
            raise CommandError(f"--simulate must be from 1 to {MOST_PUZZLES}")
        if "/" in seed or not 1 <= len(seed) <= 40:
            raise CommandError("--seed must have 1 to 40 characters, and no slash")
        games = 0
        try:
            for progress in simulate(puzzles=wanted, seed=seed, now=timezone.now()):
                games = progress.games
                if options["verbosity"] and games % GAMES_PER_LINE == 0:
                    self.stdout.write(f"Games: {games}, puzzles: {progress.puzzles} of {wanted}.")
        except ValueError as error:
            raise CommandError(str(error)) from None
        if options["verbosity"]:
            self.stdout.write(f"Puzzles from this seed: at least {wanted}. Games played now: {games}.")
