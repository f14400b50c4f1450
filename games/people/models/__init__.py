"""The tables of this room."""

from games.people.models.deletions import Deletion, Forgetting
from games.people.models.records import Achievement, Share, Tally

__all__ = [
    "Achievement",
    "Deletion",
    "Forgetting",
    "Share",
    "Tally",
]
