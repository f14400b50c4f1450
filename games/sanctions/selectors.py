"""What a player may not do at present, because staff decided so."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden
from games.sanctions.models import Sanction

Kind = Sanction.Kind


def in_force(*, user: User, now: datetime) -> QuerySet[Sanction]:
    """Return what keeps a player from something at present, the one that lasts longest first."""
    found = Sanction.objects.filter(user=user, ends_at__gt=now, lifted_at=None)
    return found.order_by("-ends_at")


def refuse_suspended(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a player who is suspended: they finish their games, and begin nothing new."""
    detail = _("You are suspended until {time}. Your games go on. See “Decisions about you” for the reason.")
    _refuse(user, [Kind.SUSPENSION], "suspended", detail, now)


def refuse_barred(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a player who may not enter tournaments, ladders and seasons, or is suspended."""
    refuse_suspended(user=user, now=now)
    detail = _("You cannot enter tournaments until {time}. See “Decisions about you” for the reason.")
    _refuse(user, [Kind.BAR], "barred", detail, now)


def refuse_muted(*, user: User, now: datetime) -> None:
    """Raise Forbidden for a player who may not write what others read: one who is muted or suspended."""
    detail = _("You cannot write until {time}. See “Decisions about you” for the reason.")
    _refuse(user, [Kind.MUTE, Kind.SUSPENSION], "muted", detail, now)


def barred_people(*, now: datetime) -> QuerySet[Sanction, int]:
    """Return the numbers of players who may not enter tournaments: those barred or suspended at present."""
    kinds = (Kind.SUSPENSION, Kind.BAR)
    found = Sanction.objects.filter(kind__in=kinds, ends_at__gt=now, lifted_at=None)
    return found.order_by().values_list("user", flat=True)


def _refuse(user: User, kinds: list[Kind], code: str, detail: str, now: datetime) -> None:
    last = in_force(user=user, now=now).filter(kind__in=kinds).first()
    if last and last.ends_at:
        time = date_format(localtime(last.ends_at), "j F Y H:i")
        raise Forbidden(code, detail.format(time=time))
