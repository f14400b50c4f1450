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
    """Change a person's days off (0 is Monday) and quiet hours. The change applies to hands dealt later.

    ``takes_vacation`` allows unplanned days of vacation, and applies immediately. If it is None, the person's
    choice does not change. Raises Forbidden for guests.
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
"""The maximum time from today to the beginning of a vacation."""


MAX_PLANNED_VACATIONS: Final = 10
"""The maximum number of vacations that a person can have planned at the same time."""


def plan_vacation(*, user: User, first: date, last: date, now: datetime) -> Vacation:
    """Plan a vacation from ``first`` to ``last`` inclusive, in the person's time zone.

    Raises Forbidden for guests. Raises Invalid if the vacation does not begin within a year, or is longer
    than `DAYS_A_YEAR`. Raises Conflict if it overlaps with another vacation, or if the person has planned too
    many.
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
                _(
                    "You have already planned a vacation on some of these days. Cancel it or choose other"
                    " days."
                ),
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
    """Cancel a planned vacation. Vacation days that were spent remain spent.

    Raises NotFound if the person has no such vacation, and Forbidden for guests.
    """
    refuse_guests(user)
    if not Vacation.objects.filter(user=user, pk=vacation_id).delete()[0]:
        raise NotFound("no-vacation", _("There is no such vacation."))


def lock_rest(user: User) -> Rest:
    """Lock a person's `Rest` row, and return it. Call this before you plan or spend vacation days."""
    Rest.objects.get_or_create(user=user)
    return Rest.objects.select_for_update().get(user=user)
