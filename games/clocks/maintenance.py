"""Maintenance: times for work on the site, during which players wait and all clocks stop.

A maintenance ends at the time that its page announces, unless the operator ends or extends it before. So a
forgotten one never keeps players out. Each process reads the coming maintenance every few seconds, and
remembers it while the database does not answer.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.clocks.clock import Span
from games.clocks.models import Maintenance, Outage
from games.errors import Conflict, Invalid
from roborunner.cache import Memo

MAX_LENGTH: Final = timedelta(days=3)
"""The maximum length of a maintenance."""

MAX_AHEAD: Final = timedelta(days=90)
"""The maximum time from now to the start of a maintenance."""


def _coming() -> tuple[Span, ...]:
    unrecorded = Maintenance.objects.filter(recorded_at=None).order_by("began_at")
    return tuple(Span(began, until) for began, until in unrecorded.values_list("began_at", "until"))


COMING: Final[Memo[tuple[Span, ...]]] = Memo(_coming, ())
"""The current and future times of maintenance."""


def maintenance_at(now: datetime, *, asks: bool = True) -> Span | None:
    """Return the maintenance under way at an instant, or None, as this process knows it.

    This is at most some seconds old, and needs no query in between. If ``asks`` is false, it never makes one.
    """
    known = COMING.value() if asks else COMING.kept
    return next((span for span in known if span.start <= now < span.end), None)


def in_maintenance(now: datetime) -> bool:
    """Return whether maintenance is under way. Makes a query."""
    return Maintenance.objects.filter(began_at__lte=now, until__gt=now).exists()


def start_maintenance(*, until: datetime, began_at: datetime | None = None, now: datetime) -> Maintenance:
    """Start a maintenance now, or plan one from ``began_at``. If one is under way, change its end.

    Raises Invalid if it would end in the past, last longer than `MAX_LENGTH` or start too far ahead, and
    Conflict if it overlaps with another one.
    """
    start = max(began_at or now, now)
    with transaction.atomic():
        current = Maintenance.objects.select_for_update().filter(began_at__lte=start, until__gt=start).first()
        if current is not None:
            _check(current.began_at, until, now)
        else:
            _check(start, until, now)
        others = Maintenance.objects.filter(began_at__lt=until, until__gt=start)
        if current is not None:
            others = others.exclude(pk=current.pk)
        if others.exists():
            raise Conflict("overlaps", _("There is another maintenance in this time. End it first."))
        if current is None:
            current = Maintenance(began_at=start)
        current.until = until
        current.save()
    COMING.forget()
    return current


def end_maintenance(*, now: datetime) -> bool:
    """End the maintenance under way, and cancel planned ones. Return whether there was any."""
    with transaction.atomic():
        coming = Maintenance.objects.select_for_update().filter(until__gt=now)
        ended = coming.filter(began_at__lt=now).update(until=now)
        cancelled, _rows = Maintenance.objects.filter(began_at__gte=now).delete()
    COMING.forget()
    return bool(ended or cancelled)


def record_maintenance(*, now: datetime) -> int:
    """Record each past maintenance as an outage, so that clocks get its time back. Return how many."""
    over = Maintenance.objects.filter(recorded_at=None, until__lte=now)
    with transaction.atomic():
        rows = list(over.select_for_update())
        for row in rows:
            Outage.objects.get_or_create(began_at=row.began_at, defaults={"ended_at": row.until})
        over.filter(Q(pk__in=[row.pk for row in rows])).update(recorded_at=now)
    return len(rows)


def _check(start: datetime, until: datetime, now: datetime) -> None:
    lasts = timedelta(0) < until - start <= MAX_LENGTH
    if until <= now or not lasts or start - now > MAX_AHEAD:
        detail = _(
            "A maintenance must end in the future, last up to {days} days, and start within {ahead} days."
        ).format(days=MAX_LENGTH.days, ahead=MAX_AHEAD.days)
        raise Invalid("no-maintenance", detail, [{"code": "until", "detail": detail}])
