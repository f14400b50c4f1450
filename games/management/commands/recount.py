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
                f"Recounted: turns {done.turns}, games {done.games}, people {done.people}. "
                f"Put right: tallies {done.tallies}, achievements {done.achievements}."
            )
