"""What the menu of every page counts, with one query."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, IntegerField, QuerySet, Subquery

from accounts.models import User
from games.fleet.missions import offered_missions
from games.lobby.selectors.missions import won_by
from games.lobby.selectors.rooms import waiting_for
from roborunner.postgres.queries import PreparedQuery


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
    counted: Any = _COUNTED.first(user.pk)
    return MenuCounts(counted.waiting, counted.done, counted.missions) if counted else MenuCounts(0, 0, 0)


def _counted(person: int) -> QuerySet[User]:
    user, missions = User(pk=person), offered_missions().order_by().select_related(None)
    return (
        User.objects.filter(pk=person)
        .only("pk")
        .annotate(
            waiting=_CountOf(waiting_for(user).values("pk")),
            done=_CountOf(missions.filter(Exists(won_by(user))).values("pk")),
            missions=_CountOf(missions.values("pk")),
        )
    )


_COUNTED: Final = PreparedQuery(_counted, int)
