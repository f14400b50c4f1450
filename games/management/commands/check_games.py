"""``manage.py check_games``: check the stored data of games against their logs."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from games.errors import describe_error
from games.management import OneLineCommand
from games.play.models import Game
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

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the games. The exit status is 1 if anything is wrong."""
        migrations = MigrationExecutor(connection)
        if migrations.migration_plan(migrations.loader.graph.leaf_nodes()):
            raise CommandError("The database does not match this release. Run `manage.py migrate`.")
        games = Game.objects.order_by("pk")
        if options["game"]:
            games = games.filter(pk__in=options["game"])
            if missing := set(options["game"]) - set(games.values_list("pk", flat=True)):
                raise CommandError(f"There is no game {min(missing)}.")
        wrong = checked = turns = 0
        for game_id in games.values_list("pk", flat=True).iterator():
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
        if options["verbosity"]:
            self.stdout.write(f"All games are sound: {checked} games, {turns} turns.")
