"""Ships of the week."""

from datetime import UTC, date, datetime, timedelta

from django.db.models import QuerySet

from games.fleet.models import offered_by
from games.library.models import StarshipWeek


def week_of(now: datetime) -> date:
    """Return the Monday on which a week has begun, in UTC.

    >>> week_of(datetime(2026, 11, 23, 0, 0, tzinfo=UTC)), week_of(datetime(2026, 11, 22, 23, 59, tzinfo=UTC))
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 16))
    """
    day = now.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def ship_of_the_week(*, now: datetime) -> StarshipWeek | None:
    """Return the ship of this week; None before it was chosen, and once it is retired or taken down."""
    found = StarshipWeek.objects.filter(offered_by("starship"), week=week_of(now))
    return found.select_related("starship__current", "starship__owner").first()


def ships_of_weeks() -> QuerySet[StarshipWeek]:
    """Return all ships of a week, the last first, retired ones too, but none that were taken down."""
    found = StarshipWeek.objects.filter(starship__taken_down_at=None)
    return found.select_related("starship__current")
