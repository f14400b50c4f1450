"""Closing months: each once, with its awards in the same transaction, by whichever worker comes first."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Min

from games.awards.definitions import AWARDS
from games.awards.models import Award, MonthClose, PendingMonth, PlayerMonth
from games.awards.months import month_of, next_month
from games.awards.selectors.boards import winners

PATIENCE: Final = timedelta(days=3)
"""For how long a month is kept open for games that ended in it and could not be counted yet."""


def close_months(*, now: datetime) -> int:
    """Close months that are over; return how many were closed."""
    closed = set(MonthClose.objects.values_list("month", flat=True))
    months = [month for month in _over(month_of(now)) if month not in closed]
    played = (month for month in months if PlayerMonth.objects.filter(month=month).exists())
    return sum(close_month(month, now=now) for month in played)


def _over(running: date) -> Iterator[date]:
    """Yield all months from the first in which anything was counted up to the running one."""
    month = PlayerMonth.objects.aggregate(first=Min("month"))["first"] or running
    while month < running:
        yield month
        month = next_month(month)


def close_month(month: date, *, now: datetime) -> bool:
    """Make the awards of a month that is over; return whether this call did it.

    It waits for games that were not counted yet. Of two workers at once the second finds that it was done.
    """
    end = datetime.combine(next_month(month), time(), UTC)
    if PendingMonth.objects.filter(game__ended_at__lt=end).exists() and now < end + PATIENCE:
        return False
    try:
        with transaction.atomic():
            close = MonthClose.objects.create(month=month, closed_at=now)
            Award.objects.bulk_create(
                Award(close=close, key=key, user_id=each.user_id, place=each.place, value=each.value)
                for key in AWARDS
                for each in winners(key=key, month=month)
            )
    except IntegrityError:
        if MonthClose.objects.filter(month=month).exists():
            return False
        raise
    return True
