"""The tables of this room."""

from games.absence.models.reliability import Reliability
from games.absence.models.replacements import Replacement

__all__ = [
    "Reliability",
    "Replacement",
]
