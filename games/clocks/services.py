"""Change a person's days off and quiet hours, and plan vacations."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.clocks.models import Rest, Vacation
from games.clocks.selectors import DAYS_A_YEAR, today_of, vacations_of
from games.errors import Conflict, Invalid, NotFound, refuse_guests


def change_rest(
    *,
    user: User,
    days_off: Iterable[int],
    night: tuple[time, time] | None,
    takes_vacation: bool | None = None,
) -> Rest:
    """Change a person's days off, from 0 for Monday, and quiet hours.

    This applies to later hands. ``takes_vacation`` allows unplanned days of vacation, at once. None does not
    change it. Raises Forbidden for guests.
    """
    refuse_guests(user)
    night_from, night_until = night or (None, None)
    changed: dict[str, object] = {
        "days_off": sorted(set(days_off)),
        "night_from": night_from,
        "night_until": night_until,
    }
    if takes_vacation is not None:
        changed["takes_vacation"] = takes_vacation
    rest, _created = Rest.objects.update_or_create(user=user, defaults=changed)
    return rest


MAX_DAYS_AHEAD: Final = timedelta(days=366)
"""The longest time until a vacation begins."""


MAX_PLANNED_VACATIONS: Final = 10
"""The most planned vacations of a person at a time."""


def plan_vacation(*, user: User, first: date, last: date, now: datetime) -> Vacation:
    """Plan a vacation in the person's time zone, from ``first`` to ``last`` inclusive.

    Raises Forbidden for guests, Invalid if it does not begin within a year or exceeds the days of a year, and
    Conflict if it overlaps with another one, or if there are too many.
    """
    refuse_guests(user)
    today = today_of(user=user, now=now)
    if first < today or first > today + MAX_DAYS_AHEAD or (last - first).days >= DAYS_A_YEAR:
        detail = _("A vacation must begin within a year, and can last up to {number} days.").format(
            number=DAYS_A_YEAR
        )
        raise Invalid("no-vacation", detail, [{"code": "vacation", "detail": detail}])
    with transaction.atomic():
        lock_rest(user)
        planned = vacations_of(user=user, now=now)
        if planned.filter(first__lte=last, last__gte=first).exists():
            raise Conflict(
                "overlaps",
                _("You have already planned a vacation on some of these days. Cancel it or choose others."),
            )
        if planned.count() >= MAX_PLANNED_VACATIONS:
            raise Conflict(
                "too-many",
                _(
                    "You have {number} planned vacations, which is the limit. Cancel one to plan another."
                ).format(number=MAX_PLANNED_VACATIONS),
            )
        return Vacation.objects.create(user=user, first=first, last=last, planned_at=now)


def cancel_vacation(*, user: User, vacation_id: int) -> None:
    """Cancel a planned vacation. Days already spent remain spent.

    Raises Forbidden for guests, and NotFound.
    """
    refuse_guests(user)
    if not Vacation.objects.filter(user=user, pk=vacation_id).delete()[0]:
        raise NotFound("no-vacation", _("There is no such vacation."))


def lock_rest(user: User) -> Rest:
    """Lock and return a person's rest settings, for planning or spending vacation."""
    Rest.objects.get_or_create(user=user)
    return Rest.objects.select_for_update().get(user=user)
