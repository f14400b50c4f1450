"""The games application."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created


class GamesConfig(AppConfig):
    """The service round the game: games, seats, turns, hands, programs, log, notices."""

    name = "games"

    def ready(self) -> None:
        """Have each connection read times that Python cannot hold, and hand down what all rooms declare.

        These are notifications, and what follows from what happens in a game.
        """
        from games import consequences
        from games.far_times import read_far_times
        from games.notifications import register
        from games.play import moments

        register()
        connection_created.connect(read_far_times)
        moments.follow = consequences
