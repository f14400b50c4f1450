"""Daily runs on a small board, for tests."""

from datetime import date
from functools import lru_cache
from typing import Any

from games.daily.models import DailyRun
from rules.daily.days import write_day
from tests.rules.daily.positions import reaching
from tests.support.clock import NOW

TODAY = NOW.date()

PAR = [490, 10, 670, 80, 70]
"""One step onto a beam, which pulls to checkpoint 1, then back: this reaches checkpoint 2 in phase 3."""

LATE = [80, 490, 500, 670, 790]
"""A program that drives off the board."""

FAR = [80, 70, 100, 10, 430]
"""A program that reaches nothing."""


@lru_cache
def _document(turns: int) -> dict[str, Any]:
    return write_day(reaching(turns))


def saved_day(day: date = TODAY, turns: int = 1) -> DailyRun:
    """Return the daily run of a date. Its task is to reach checkpoint 2."""
    return DailyRun.objects.create(date=day, document={**_document(turns), "day": day.isoformat()})
