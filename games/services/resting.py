"""When a person has no time to play: their clocks stand still then."""

from collections.abc import Iterable
from datetime import time

from accounts.models import User
from games.clock import Calendar
from games.errors import Invalid
from games.models import Rest


def change_rest(*, user: User, days_off: Iterable[int], night: tuple[time, time] | None) -> Rest:
    """Have the clocks of a person stand still on days of the week, from 0 for Monday, and each night.

    It holds for hands that are dealt from now on. Raises Invalid for too many days, or too long a night.
    """
    days = frozenset(days_off)
    try:
        Calendar(days_off=days, night=night)
    except ValueError as fault:
        raise Invalid("no-rest", f"That is no rest to take: {fault}.") from None
    night_from, night_until = night or (None, None)
    rest, _ = Rest.objects.update_or_create(
        user=user,
        defaults={"days_off": sorted(days), "night_from": night_from, "night_until": night_until},
    )
    return rest
