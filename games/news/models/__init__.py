"""The tables of this room."""

from games.news.models.channels import Receiver
from games.news.models.notices import Notice

__all__ = [
    "Notice",
    "Receiver",
]
