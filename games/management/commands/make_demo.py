"""The command that makes a demonstration."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from games.errors import NotFound
from games.lobby.practice import make_demo
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Makes an account with a game under way, for trials; may be run again and again."""

    help = "Makes an account with a well-known password and a game under way: for trials only."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, and print how to log in and where to go, on one line."""
        try:
            demo = make_demo(now=timezone.now())
        except NotFound as error:
            raise CommandError(error.detail) from None
        way_in = f"{demo.name} / {demo.password}" if demo.password else f"{demo.name}, with your own password"
        address = f"{settings.BASE_URL}{demo.game.get_absolute_url()}"
        self.stdout.write(f"Demo: log in as {way_in} - {address}")
