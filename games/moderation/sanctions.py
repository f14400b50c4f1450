"""The effects of sanctions in force, and the rights that staff need to impose them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden
from games.moderation.models import Sanction
from games.rights import Right, may

TIME_TO_APPEAL: Final = timedelta(days=183)
"""How long after a decision the player can appeal it: six months."""

CASE_LEASE: Final = timedelta(hours=24)
"""How long a taken case is reserved for the member of staff who took it."""

MOST_DAYS: Final = 365
"""The maximum length of a mute, of a bar from competitions, or of a suspension, in days."""

MOST_UNCONFIRMED_DAYS: Final = 7
"""The maximum length of a suspension by one member of staff, in days.

Longer suspensions need a second member of staff.
"""

UNCONFIRMED_DAYS_PERIOD: Final = timedelta(days=30)
"""The period within which a staff member's unconfirmed suspensions of one player are added up.

Together they must not exceed `MOST_UNCONFIRMED_DAYS`.
"""

PLAYER_REPORTS_A_DAY: Final = 10
NEWCOMER_REPORTS_A_DAY: Final = 5
"""The maximum number of reports of players that a newcomer can send in a day.

Everyone else can send `PLAYER_REPORTS_A_DAY`.
"""

REPORTS_KEPT: Final = timedelta(days=365)
"""How long reports are stored after their case is decided."""


Kind = Sanction.Kind

LIGHT: Final = Right.HIDE_AND_WARN
COMPETITION: Final = Right.BAR_PLAYERS
HEAVY: Final = Right.MODERATE_PLAYERS

RIGHT_NEEDED: Final[Mapping[str, Right]] = {
    Kind.HIDE: LIGHT,
    Kind.WARNING: LIGHT,
    Kind.BAR: COMPETITION,
    Kind.MUTE: HEAVY,
    Kind.SUSPENSION: HEAVY,
    Kind.RENAME: HEAVY,
    Kind.CLUB: HEAVY,
}
"""The right that staff need for each kind of sanction.

Helpers have the right `LIGHT`, arbiters also `COMPETITION`, and moderators also `HEAVY`.
"""


def may_decide(user: User) -> bool:
    """Return whether a user has the right to any kind of sanction, and so may read cases."""
    return any(may(user, each) for each in (LIGHT, COMPETITION, HEAVY))


def check_role(user: User, kind: str = "") -> None:
    """Raise Forbidden if a user lacks the right to impose a kind of sanction.

    If ``kind`` is empty, the right to any kind is enough.
    """
    allowed = may(user, RIGHT_NEEDED[kind]) if kind else may_decide(user)
    if not allowed:
        raise Forbidden("not-allowed", _("Your role does not allow this. Ask a moderator."))


def in_force(*, user: User, now: datetime) -> QuerySet[Sanction]:
    """Return the sanctions of a player that are in force now. The one that ends last comes first."""
    found = Sanction.objects.filter(user=user, ends_at__gt=now, lifted_at=None)
    return found.order_by("-ends_at")


def refuse_suspended(*, user: User, now: datetime) -> None:
    """Raise Forbidden if a player is suspended. A suspended player can finish games, but not start any."""
    detail = _(
        "You are suspended until {time}. Your games continue. See “Decisions about you” for the reason."
    )
    _refuse(user, [Kind.SUSPENSION], "suspended", detail, now)


def refuse_barred(*, user: User, now: datetime) -> None:
    """Raise Forbidden if a player is barred from competitions or suspended."""
    refuse_suspended(user=user, now=now)
    detail = _(
        "You can’t enter tournaments, ladders or seasons until {time}. See “Decisions about you” for the"
        " reason."
    )
    _refuse(user, [Kind.BAR], "barred", detail, now)


def refuse_muted(*, user: User, now: datetime) -> None:
    """Raise Forbidden if a player is muted or suspended."""
    detail = _("You can’t write until {time}. See “Decisions about you” for the reason.")
    _refuse(user, [Kind.MUTE, Kind.SUSPENSION], "muted", detail, now)


def barred_people(*, now: datetime) -> QuerySet[Sanction, int]:
    """Return the user IDs of the players who are now barred from competitions or suspended."""
    kinds = (Kind.SUSPENSION, Kind.BAR)
    found = Sanction.objects.filter(kind__in=kinds, ends_at__gt=now, lifted_at=None)
    return found.order_by().values_list("user", flat=True)


def _refuse(user: User, kinds: list[Kind], code: str, detail: str, now: datetime) -> None:
    last = in_force(user=user, now=now).filter(kind__in=kinds).first()
    if last and last.ends_at:
        time = date_format(localtime(last.ends_at), "DATETIME_FORMAT")
        raise Forbidden(code, detail.format(time=time))
