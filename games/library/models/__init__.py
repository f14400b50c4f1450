"""The tables of this room."""

from games.library.models.weeks import StarshipWeek

__all__ = ["StarshipWeek"]
