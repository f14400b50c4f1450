"""The tables of this room."""

from games.dock.models.prototypes import Prototype

__all__ = ["Prototype"]
