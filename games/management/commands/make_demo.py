"""``manage.py make_demo``: create a demo account with a running game."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from games.errors import NotFound
from games.lobby.practice import make_demo
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Create an account with a running game, for trials. It is safe to run again."""

    help = "Make an account with a public password and a running game, for trials only."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the demo, and print its login and URL on one line."""
        try:
            demo = make_demo(now=timezone.now())
        except NotFound as error:
            raise CommandError(error.detail) from None
        way_in = f"{demo.name} / {demo.password}" if demo.password else f"{demo.name}, with your own password"
        address = f"{settings.BASE_URL}{demo.game.get_absolute_url()}"
        self.stdout.write(f"Demo: log in as {way_in} - {address}")
