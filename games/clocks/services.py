"""When a person has no time to play: their clocks stand still then."""

from collections.abc import Iterable
from datetime import time

from accounts.models import User
from games.clocks.clock import Calendar
from games.clocks.models import Rest
from games.errors import Invalid, refuse_guests


def change_rest(
    *,
    user: User,
    days_off: Iterable[int],
    night: tuple[time, time] | None,
    takes_vacation: bool | None = None,
) -> Rest:
    """Have the clocks of a person stand still on days of the week, from 0 for Monday, and each night.

    It holds for hands that are dealt from now on. Who ``takes_vacation`` does so by itself where none is
    planned, at once; None leaves that as it is.

    Raises Forbidden for guests, and Invalid for too many days, or too long a night.
    """
    refuse_guests(user)
    days = frozenset(days_off)
    try:
        Calendar(days_off=days, night=night)
    except ValueError as fault:
        raise Invalid("no-rest", str(fault), [{"code": "rest", "detail": str(fault)}]) from None
    night_from, night_until = night or (None, None)
    changed: dict[str, object] = {
        "days_off": sorted(days),
        "night_from": night_from,
        "night_until": night_until,
    }
    if takes_vacation is not None:
        changed["takes_vacation"] = takes_vacation
    rest, _ = Rest.objects.update_or_create(user=user, defaults=changed)
    return rest
