"""The tables of this room."""

from games.library.models.figures import Flier, StarshipFigures, UncountedGame
from games.library.models.lists import StarshipList, StarshipListEntry
from games.library.models.weeks import StarshipWeek

__all__ = [
    "Flier",
    "StarshipFigures",
    "StarshipList",
    "StarshipListEntry",
    "StarshipWeek",
    "UncountedGame",
]
