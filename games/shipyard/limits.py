"""How often a person may do within a day what takes the site's time."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from games.clocks.clock import DAY
from games.errors import TooMany


def refuse_beyond(
    most: int, done: QuerySet[Any], *, detail: str, now: datetime, at: str = "created_at"
) -> None:
    """Raise TooMany with the ``detail`` if ``most`` of these rows are of the last day.

    ``at`` is the column that has their time.
    """
    recent = done.filter(**{f"{at}__gt": now - DAY}).order_by(f"-{at}")
    begun = list(recent.values_list(at, flat=True)[:most])
    if len(begun) == most:
        raise TooMany(detail, (begun[-1] + DAY - now).total_seconds())
