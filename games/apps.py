"""The games application."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The service round the game: games, seats, turns, hands, programs, log, notices."""

    name = "games"
