"""``manage.py recount``: make all statistics and achievements anew from the logs of the games."""

from typing import Any

from django.core.management.base import BaseCommand

from games import services


class Command(BaseCommand):
    """Count anew what robots did, and what their players have earned by it; games may go on meanwhile."""

    help = "Make all statistics and achievements anew from the logs of the games."

    def handle(self, *args: Any, **options: Any) -> None:
        """Recount, and say how much there was and what was put right."""
        done = services.recount()
        if options["verbosity"]:
            self.stdout.write(
                f"Recounted {done.turns} turns of {done.games} games, and what {done.people} people have "
                f"earned. Put right: {done.tallies} tallies and {done.achievements} achievements."
            )
