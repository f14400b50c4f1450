"""When the service was away, and whether it still is."""

from datetime import datetime, timedelta
from typing import Final

from games.clocks.clock import Span
from games.clocks.models import Heartbeat, Outage

OUTAGE: Final = "outage"
"""The reason for which clocks stand still while the service is away."""

PATIENCE: Final = timedelta(minutes=5)
"""How long no worker may sweep before the service counts as away; it does so every minute at least."""


def since_when(*, period: timedelta, now: datetime) -> datetime:
    """Return the instant after which the service was there for a period until now.

    What is older may be deleted: people had that much time to come back.
    """
    at, left = now, period
    for outage in Outage.objects.filter(began_at__lt=now).order_by("-ended_at").iterator():
        end = min(outage.ended_at, at)
        if at - end >= left:
            break
        left -= at - end
        at = min(outage.began_at, at)
    return at - left


def outages_since(*, since: datetime, now: datetime) -> list[Span]:
    """Return when the service was away after an instant, up to now if it still is."""
    outages = Outage.objects.filter(ended_at__gt=since).order_by("began_at")
    spans = [Span(outage.began_at, outage.ended_at) for outage in outages]
    last = Heartbeat.objects.filter(at__lt=now - PATIENCE).values_list("at", flat=True).first()
    return spans if last is None else [*spans, Span(last, now)]
