"""What holds for all work in the queue `lab`: how long it takes, and how often it is tried."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

ATTEMPTS: Final = 3
"""How often workers may begin a piece of work before it has failed: it can kill them."""

WORKING: Final = 30.0
"""Seconds after which a worker stores what it has flown, and leaves the rest to the next task."""

LONGEST_FLIGHT: Final = 60.0
"""Seconds that a flight may take; one that takes longer counts as failed."""

LIMIT: Final = 120
"""Seconds that a task may take before its process is killed: more than ``WORKING`` and one long flight."""

LEASE: Final = timedelta(seconds=150)
"""How long work is one worker's: longer than its task may take. After that the worker counts as dead."""

LOOKING: Final = 1.0
"""Seconds between two looks of a worker whether its run was cancelled."""

NOTING: Final = 10.0
"""Seconds for which a worker tries to note that an attempt does not count."""


def is_free(now: datetime) -> Q:
    """Return what holds for rows that no worker has on lease."""
    return Q(lease_until__isnull=True) | Q(lease_until__lte=now)
