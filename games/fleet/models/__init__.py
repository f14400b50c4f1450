"""The tables of this room."""

from games.fleet.models.courses import Course, Piece
from games.fleet.models.facts import StarshipFacts
from games.fleet.models.favourites import Favourite
from games.fleet.models.missions import Mission
from games.fleet.models.starships import OFFERED, Starship, StarshipRevision, offered_by
