"""The tables of this room."""

from games.news.models.channels import Receiver
from games.news.models.notices import Heartbeat, Notice

__all__ = [
    "Heartbeat",
    "Notice",
    "Receiver",
]
