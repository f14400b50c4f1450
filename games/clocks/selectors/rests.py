"""When people take their rest."""

from accounts.models import User
from accounts.time_zones import zone_of
from games.clocks.clock import ALWAYS, Calendar
from games.clocks.models import Rest


def rest_of(*, user: User) -> Rest:
    """Return when someone takes their rest; one that stops nothing where they never said."""
    rest: Rest | None = getattr(user, "rest", None)
    return rest or Rest(user=user)


def calendar_of(*, user: User | None) -> Calendar:
    """Return what stops the clocks of a person each week and each night; nothing stops a computer's."""
    rest: Rest | None = getattr(user, "rest", None)
    if user is None or rest is None:
        return ALWAYS
    night = (rest.night_from, rest.night_until) if rest.night_from and rest.night_until else None
    if not (rest.days_off or night):
        return ALWAYS
    return Calendar(zone=zone_of(user.time_zone), days_off=frozenset(rest.days_off), night=night)
