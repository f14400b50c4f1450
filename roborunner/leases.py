"""Rows with leases: one worker at a time claims a row and works on it.

If a worker dies, its claim stays until the lease ends. Then any other worker may claim the row. The caller
decides on the number of attempts, and on what happens after the last failure.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Final, Self

from django.db import models, transaction
from django.db.models import F, Q, QuerySet

from roborunner.faults import write_despite_outage

WRITE_SECONDS: Final = 10.0
"""The maximum number of seconds to retry `uncount` during an outage.

The row's lease always has more time left than this, so no other worker claims the row meanwhile.
"""


logger = logging.getLogger(__name__)


class Leased(models.Model):
    """A row that one worker at a time claims, until ``lease_until``. ``attempts`` counts the claims."""

    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)

    OPEN: ClassVar[Q] = Q()
    """The condition for unfinished rows. By default, it includes all rows."""

    class Meta:
        abstract = True

    @classmethod
    def free(cls, now: datetime) -> QuerySet[Self]:
        """Return the unfinished rows that no worker has claimed."""
        no_lease = Q(lease_until=None) | Q(lease_until__lte=now)
        return cls._default_manager.filter(no_lease, cls.OPEN)

    def claim(self, lease: timedelta, *, now: datetime, **columns: Any) -> bool:
        """Claim the row for this worker and count the attempt. Return False if another worker was first.

        A claim can also set other ``columns``.
        """
        columns |= {"lease_until": now + lease, "attempts": self.attempts + 1}
        if not self.free(now).filter(pk=self.pk, attempts=self.attempts).update(**columns):
            return False
        for name, value in columns.items():
            setattr(self, name, value)
        return True

    def mine(self) -> QuerySet[Self]:
        """Return a queryset of the claimed row.

        It is empty if the work is finished, or if another worker has claimed the row since.
        """
        rows = type(self)._default_manager.filter(self.OPEN, pk=self.pk)
        return rows.filter(lease_until=self.lease_until)

    def lock_mine(self) -> Self | None:
        """Return the claimed row as it is now, locked until the transaction ends, or None like `mine`."""
        return self.mine().select_for_update(no_key=True).first()


class LeasedWork(Leased):
    """Work that a person asks for. Workers continue it until it ends with a result, or with a ``failure``.

    Its ``status`` is one of `UNDER_WAY` until then. ``offered_at`` is the time when a task for it was last
    queued.
    """

    failure = models.CharField(max_length=200, blank=True)
    finished_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    status: Any
    UNDER_WAY: ClassVar[tuple[str, ...]]
    CLEARED: ClassVar[tuple[str, ...]] = ()
    """The columns that are only for work under way, and become null at the end."""

    class Meta:
        abstract = True

    @property
    def is_under_way(self) -> bool:
        """Whether workers still continue the work."""
        return self.status in self.UNDER_WAY

    def end(self, status: str, now: datetime) -> Self:
        """End the work and save the row. The caller must hold the lock on the row."""
        self.status, self.finished_at, self.lease_until = status, now, None
        for column in self.CLEARED:
            setattr(self, column, None)
        self.save()
        return self

    def fail(self, failure: str, now: datetime) -> bool:
        """End the claimed work as failed, with a reason. Always return False."""
        with transaction.atomic():
            row = self.lock_mine()
            if row is not None:
                logger.error("%s %d has failed: %s", self._meta.object_name, row.pk, failure)
                row.failure = failure
                row.end("failed", now)
        return False


def take_back(claimed: Sequence[Leased], error: Exception) -> None:
    """Subtract 1 from the attempts at claimed rows, since a temporary fault has prevented the work.

    The claims stay until their leases end.
    """
    named = ", ".join(f"{row._meta.model_name} {row.pk}" for row in claimed)
    rows = reduce(or_, (row.mine() for row in claimed))
    uncount(rows, f"{type(error).__name__}: {named} was not tried")


def uncount(rows: QuerySet[Any], what: str, column: str = "attempts", **columns: Any) -> None:
    """Subtract 1 from the counter ``column`` of the given rows, and set other ``columns``.

    In a database outage, retries for `WRITE_SECONDS`. ``what`` describes the event in the log.
    """
    tried = rows.filter(**{f"{column}__gt": 0})
    write_despite_outage(
        lambda: tried.update(**{column: F(column) - 1}, **columns), what, seconds=WRITE_SECONDS
    )
