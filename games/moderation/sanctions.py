"""Effects of sanctions, and the roles needed to decide them."""

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
"""Time to appeal a decision: six months."""

CASE_LEASE: Final = timedelta(hours=24)
"""Time for a member of staff to decide a case after taking it."""

MOST_DAYS: Final = 365
"""Longest mute, bar or suspension, in days."""

MOST_DAYS_ALONE: Final = 7
"""Longest suspension by one member of staff, in days. Longer ones need a second."""

DAYS_ALONE_PERIOD: Final = timedelta(days=30)
"""Time within which one member's suspensions of a player add up."""

PLAYER_REPORTS_A_DAY: Final = 10
NEWCOMER_REPORTS_A_DAY: Final = 5
"""Maximum number of reports of players for each person and day."""

REPORTS_KEPT: Final = timedelta(days=365)
"""Time to keep a report after its case is decided."""


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
"""The right for each kind. Helpers have the first, arbiters two, moderators all."""


def may_decide(user: User) -> bool:
    """Return whether a user may look into cases."""
    return any(may(user, each) for each in (LIGHT, COMPETITION, HEAVY))


def check_role(user: User, kind: str = "") -> None:
    """Raise Forbidden if a user lacks the right to a ``kind``, or any right to decide."""
    allowed = may(user, RIGHT_NEEDED[kind]) if kind else may_decide(user)
    if not allowed:
        raise Forbidden("not-allowed", _("Your role does not allow this. Ask a moderator."))


def in_force(*, user: User, now: datetime) -> QuerySet[Sanction]:
    """Return a player's present sanctions, the latest end first."""
    found = Sanction.objects.filter(user=user, ends_at__gt=now, lifted_at=None)
    return found.order_by("-ends_at")


def refuse_suspended(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a suspended player. They may finish games, but start none."""
    detail = _(
        "You are suspended until {time}. Your games continue. See “Decisions about you” for the reason."
    )
    _refuse(user, [Kind.SUSPENSION], "suspended", detail, now)


def refuse_barred(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a player who is barred from competitions or suspended."""
    refuse_suspended(user=user, now=now)
    detail = _(
        "You can’t enter tournaments, ladders and seasons until {time}. See “Decisions about you” for the"
        " reason."
    )
    _refuse(user, [Kind.BAR], "barred", detail, now)


def refuse_muted(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a player who is muted or suspended."""
    detail = _("You can’t write until {time}. See “Decisions about you” for the reason.")
    _refuse(user, [Kind.MUTE, Kind.SUSPENSION], "muted", detail, now)


def barred_people(*, now: datetime) -> QuerySet[Sanction, int]:
    """Return the keys of players barred from competitions or suspended now."""
    kinds = (Kind.SUSPENSION, Kind.BAR)
    found = Sanction.objects.filter(kind__in=kinds, ends_at__gt=now, lifted_at=None)
    return found.order_by().values_list("user", flat=True)


def _refuse(user: User, kinds: list[Kind], code: str, detail: str, now: datetime) -> None:
    last = in_force(user=user, now=now).filter(kind__in=kinds).first()
    if last and last.ends_at:
        time = date_format(localtime(last.ends_at), "DATETIME_FORMAT")
        raise Forbidden(code, detail.format(time=time))
