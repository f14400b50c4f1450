"""What the menu of every page counts, with one query."""

from dataclasses import dataclass

from django.db.models import Exists, IntegerField, Subquery

from accounts.models import User
from games.fleet.selectors.missions import offered
from games.lobby.selectors.missions import won_by
from games.lobby.selectors.rooms import waiting_for


@dataclass(frozen=True, slots=True)
class MenuCounts:
    """How many games wait for a player's move, and how many of all ``missions`` they have done."""

    waiting: int
    done: int
    missions: int


class _CountOf(Subquery):
    """How many rows a query has, as one value of another."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def menu_counts(*, user: User) -> MenuCounts:
    missions = offered().order_by().select_related(None)
    counted = User.objects.filter(pk=user.pk).values_list(
        _CountOf(waiting_for(user).values("pk")),
        _CountOf(missions.filter(Exists(won_by(user))).values("pk")),
        _CountOf(missions.values("pk")),
    )
    return MenuCounts(*(counted.first() or (0, 0, 0)))
