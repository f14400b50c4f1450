"""The tables of this room."""

from games.absence.models.reliability import Reliability

__all__ = [
    "Reliability",
]
