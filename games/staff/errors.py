"""Store and forget errors in the code, which are grouped by their type and place."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound
from games.rights import Right, require
from games.staff.models import ErrorGroup, Incident

MOST_GROUPS: Final = 300
"""The maximum number of stored groups. The group that has been quiet for longest goes first."""

FORGOTTEN_AFTER: Final = timedelta(days=30)
"""The time without a further error after which a group is deleted."""

INCIDENTS_KEPT: Final = timedelta(days=90)
"""The time until an ended incident is deleted."""


COUNTED: Final = frozenset({"fingerprint", "first_at", "count"})
"""The columns of a group that a further error does not replace."""


def record_errors(faults: Iterable[Mapping[str, Any]]) -> None:
    """Add counted errors to their groups, which get the latest traceback."""
    for fault in sorted(faults, key=lambda each: str(each["fingerprint"])):  # in one order, against deadlocks
        latest = {
            name: value for name, value in fault.items() if name not in ("fingerprint", "first_at", "count")
        }
        with transaction.atomic():
            group, is_new = ErrorGroup.objects.get_or_create(
                fingerprint=fault["fingerprint"],
                defaults={**latest, "count": fault["count"], "first_at": fault["first_at"]},
            )
            if not is_new:
                rows = ErrorGroup.objects.filter(pk=group.pk)
                rows.update(**latest, count=F("count") + fault["count"])
    surplus = ErrorGroup.objects.order_by("-last_at", "-pk").values_list("pk", flat=True)[MOST_GROUPS:]
    if numbers := list(surplus):
        ErrorGroup.objects.filter(pk__in=numbers).delete()


def forget_error(*, user: User, error_id: int) -> None:
    """Delete a group of errors that is fixed. If it occurs again, it gets a new group.

    Raises NotFound, and Forbidden for people without the right to change errors.
    """
    require(user, Right.CHANGE_ERRORS)
    if not ErrorGroup.objects.filter(pk=error_id).delete()[0]:
        raise NotFound("no-error", _("This error does not exist."))


def forget_old(*, now: datetime) -> int:
    """Delete quiet groups of errors, and incidents that ended long ago. Return their number."""
    errors, _rows = ErrorGroup.objects.filter(last_at__lte=now - FORGOTTEN_AFTER).delete()
    incidents, _rows = Incident.objects.filter(ended_at__lte=now - INCIDENTS_KEPT).delete()
    return errors + incidents
