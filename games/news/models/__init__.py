"""The tables of this room."""

from games.news.models.channels import Device, Receiver, Webhook
from games.news.models.feeds import Feed
from games.news.models.notices import Heartbeat, Notice

__all__ = [
    "Device",
    "Feed",
    "Heartbeat",
    "Notice",
    "Receiver",
    "Webhook",
]
