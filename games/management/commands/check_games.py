"""``manage.py check_games``: check the stored data of games against their logs."""

import random
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from embedded import backup
from embedded.paths import Failure
from games.errors import describe_error
from games.management import OneLineCommand
from games.play.models import Game
from games.staff.backups import environment_for
from games.staff.selectors import faults_of


def _faults_of(game: Game) -> list[str]:
    """Return the faults of a game. If the check itself fails, this counts as a fault."""
    try:
        return list(faults_of(game))
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        return [f"it cannot be checked ({describe_error(error)})"]


class Command(OneLineCommand):
    """Check the tables and the games, and change nothing. Games may continue meanwhile."""

    help = "Replay the logs of all games, and report where stored data differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="*", type=int, help="the number of a game (default: all games)")
        parser.add_argument("--sample", type=int, help="check only as many games, chosen at random")
        parser.add_argument("--in", dest="name", help="check another database on the same server")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the games. The exit status is 1 if anything is wrong."""
        if options["name"]:
            self._check_beside(options)
            return
        migrations = MigrationExecutor(connection)
        if migrations.migration_plan(migrations.loader.graph.leaf_nodes()):
            raise CommandError("The database does not match this release. Run `manage.py migrate`.")
        games = Game.objects.order_by("pk")
        if options["game"]:
            games = games.filter(pk__in=options["game"])
            if missing := set(options["game"]) - set(games.values_list("pk", flat=True)):
                raise CommandError(f"There is no game {min(missing)}.")
        numbers = list(games.values_list("pk", flat=True))
        among = len(numbers)
        if options["sample"]:
            numbers = sorted(random.sample(numbers, min(max(options["sample"], 1), among)))
        wrong = checked = turns = 0
        for game_id in numbers:
            with transaction.atomic():
                # Lock the game, so that no turn is played during the check.
                rows = Game.objects.select_for_update(no_key=True, of=("self",))
                game = rows.select_related("revision", "course").filter(pk=game_id).first()
                if game is None:
                    continue
                faults = _faults_of(game)
                turns += game.turns.count()
            checked += 1
            wrong += bool(faults)
            for fault in faults:
                self.stderr.write(f"Game {game_id}: {fault}.")
        if wrong:
            raise CommandError(f"{wrong} of {checked} games have faults.")
        if not options["verbosity"]:
            return
        if checked < among:
            self.stdout.write(
                f"The sample is sound: {checked} of {among} games, chosen at random, {turns} turns."
            )
        else:
            self.stdout.write(f"All games are sound: {checked} games, {turns} turns.")

    def _check_beside(self, options: dict[str, Any]) -> None:
        """Check another database on the same server with the other options of this call."""
        url = backup.beside(settings.DATABASE_URL, options["name"])
        words = [
            *map(str, options["game"]),
            *([f"--sample={options['sample']}"] if options["sample"] else []),
        ]
        try:
            self.stdout.write(backup.check_database(url, environment_for(url), *words))
        except Failure as problem:
            raise CommandError(str(problem)) from None
