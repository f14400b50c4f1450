"""Rows that one worker at a time works on: it claims a row, and tries it again until that succeeds.

A worker that dies leaves its claim behind. When the lease is over, any other worker may claim the row. How
often a row is tried, and what happens then, is up to its room.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Final, Self

from django.db import models
from django.db.models import F, Q, QuerySet

from roborunner.faults import write_despite_outage

NOTING: Final = 10.0
"""Seconds for which a worker tries to note that an attempt does not count: less than any lease has left."""


class Leased(models.Model):
    """A row that one worker has until ``lease_until``, if any has it. ``attempts`` counts the claims."""

    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)

    OPEN: ClassVar[Q] = Q()
    """The condition of rows that still have something to do."""

    class Meta:
        abstract = True

    @classmethod
    def free(cls, now: datetime) -> QuerySet[Self]:
        """Return the rows that have something to do, and that no worker has."""
        no_lease = Q(lease_until=None) | Q(lease_until__lte=now)
        return cls._default_manager.filter(no_lease, cls.OPEN)

    def claim(self, lease: timedelta, *, now: datetime, **columns: Any) -> bool:
        """Claim the row as it was read, and count the attempt; return False if another worker was first.

        A claim also sets some other ``columns``.
        """
        columns |= {"lease_until": now + lease, "attempts": self.attempts + 1}
        if not self.free(now).filter(pk=self.pk, attempts=self.attempts).update(**columns):
            return False
        for name, value in columns.items():
            setattr(self, name, value)
        return True

    def mine(self) -> QuerySet[Self]:
        """Return this worker's row: nothing if it has no more to do, or if another worker has claimed it."""
        rows = type(self)._default_manager.filter(self.OPEN, pk=self.pk)
        return rows.filter(lease_until=self.lease_until)


def take_back(claimed: Sequence[Leased], error: Exception) -> None:
    """Note that attempts do not count, since a temporary fault prevented them; their leases run out."""
    named = ", ".join(f"{row._meta.model_name} {row.pk}" for row in claimed)
    rows = reduce(or_, (row.mine() for row in claimed))
    uncount(rows, f"{type(error).__name__}: {named} was not tried")


def uncount(rows: QuerySet[Any], what: str, column: str = "attempts", **columns: Any) -> None:
    """Note that an attempt does not count, and other ``columns``, despite an outage. ``what`` says which."""
    tried = rows.filter(**{f"{column}__gt": 0})
    write_despite_outage(lambda: tried.update(**{column: F(column) - 1}, **columns), what, seconds=NOTING)
