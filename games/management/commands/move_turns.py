"""``manage.py move_turns``: keep what an earlier release has written as this release does."""

from typing import Any

from django.core.management.base import CommandError

from games.management import OneLineCommand
from games.play.services.moving import end_transition, move_turns, note_games


class Command(OneLineCommand):
    """Move played turns from rows into documents, and note on rows which game they belong to.

    Games may go on meanwhile, and it may be repeated.
    """

    help = "Once no process of the release before runs: keep all played turns as documents, a tenth as large."

    def handle(self, *args: Any, **options: Any) -> None:
        """Move all there are, and say how many; names those that cannot be moved, and fails then."""
        end_transition()
        turns, faults = 0, []
        for moved in move_turns():
            turns += moved.turns
            faults += moved.faults
        noted = sum(note_games())
        if options["verbosity"]:
            self.stdout.write(f"Moved: turns {turns}. Rows that got the number of their game: {noted}.")
        if faults:
            raise CommandError("These stay as they are: " + "; ".join(faults) + ".")
