"""The tables of this room."""

from games.people.models.deletion import Deletion, Forgetting
from games.people.models.records import Achievement, Share, Tally
