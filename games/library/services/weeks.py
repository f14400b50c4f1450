"""Choosing the ship of the week, by rule."""

from datetime import datetime

from django.db.models import F, Max
from django.db.models.functions import Coalesce

from games.fleet.models import Starship
from games.library.models import StarshipWeek
from games.library.selectors.search import offered
from games.library.selectors.weeks import week_of


def choose_ship_of_the_week(*, now: datetime) -> int:
    """Choose the ship of this week, unless it was chosen; return how many were.

    It is one of the fleet that was chosen longest ago, first those that never were; of these the best rated,
    and then the oldest. Of two workers at once the first chooses.
    """
    week = week_of(now)
    if StarshipWeek.objects.filter(week=week).exists():
        return 0
    fleet = offered(section=Starship.Section.FLEET).select_related("rating")
    chosen = (
        fleet.annotate(last=Max("weeks__week"))
        .order_by(
            F("last").asc(nulls_first=True),
            F("rating__shrunk").desc(nulls_last=True),
            Coalesce("launched_at", "created_at"),
            "pk",
        )
        .first()
    )
    if chosen is None:
        return 0
    rating = getattr(chosen, "rating", None)
    kept = {
        "starship": chosen,
        "stars": rating and rating.stars,
        "before": chosen.last,
        "chosen_at": now,
    }
    return int(StarshipWeek.objects.get_or_create(week=week, defaults=kept)[1])
