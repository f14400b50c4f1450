"""Months: a month is told by its first day, in UTC."""

from datetime import UTC, date, datetime


def month_of(moment: datetime) -> date:
    """Return the month of a moment.

    >>> month_of(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    datetime.date(2026, 11, 1)
    """
    return moment.astimezone(UTC).date().replace(day=1)


def next_month(month: date) -> date:
    """Return the month after one.

    >>> next_month(date(2026, 12, 1))
    datetime.date(2027, 1, 1)
    """
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def read_month(text: str) -> date | None:
    """Return a month that is written as in an address; None where it is none.

    >>> read_month("2026-11"), read_month("2026-13"), read_month("soon")
    (datetime.date(2026, 11, 1), None, None)
    """
    try:
        return date.fromisoformat(f"{text}-01") if len(text) == 7 else None
    except ValueError:
        return None
