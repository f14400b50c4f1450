"""Stepping on a ladder, resting, coming back, and leaving it."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import jobs
from games.errors import Conflict, NotFound, refuse_guests
from games.ladders.climbing import IDLE, KEPT
from games.ladders.models import LadderGame, Rung
from games.ladders.selectors import rung_of, size_of
from games.ladders.services.places import held_ladder, remove
from games.ratings.selectors.outcomes import RANKED
from games.sanctions.selectors import refuse_barred

MOST: Final = 200
"""Players whom one pass of the sweeper looks at; the next one goes on."""


def join_ladder(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Step on the lowest rung of a ladder, or come back from a rest.

    Raises NotFound for no ladder, Forbidden for guests and players who are barred, and Conflict for those who
    are on it.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    check_ruleset(ruleset)
    with transaction.atomic():
        ladder = held_ladder(ruleset)
        rung = Rung.objects.filter(ladder=ladder, user=user).first()
        if rung is None:
            place = size_of(ruleset) + 1
            return Rung.objects.create(ladder=ladder, user=user, place=place, joined_at=now, active_at=now)
        if rung.resting_since is None:
            raise Conflict("already-on-it", _("You are on this ladder already."))
        rung.resting_since, rung.active_at = None, now
        rung.save(update_fields=["resting_since", "active_at"])
    return rung


def rest(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Take no part for a while; the place is kept for 30 days. Games under way count.

    Raises NotFound for those who are not on the ladder.
    """
    refuse_guests(user)
    with transaction.atomic():
        rung = rung_of(user=user, ruleset=ruleset)
        if rung.resting_since is None:
            rung.resting_since = now
            rung.save(update_fields=["resting_since"])
    return rung


def leave_ladder(*, user: User, ruleset: str) -> None:
    """Leave a ladder; all below move up. A game under way changes no place any more.

    Raises NotFound for those who are not on the ladder.
    """
    refuse_guests(user)
    with transaction.atomic():
        held_ladder(ruleset)
        remove(rung_of(user=user, ruleset=ruleset))


def rest_all(*, user: User, now: datetime) -> None:
    """Have a player rest on all ladders, since staff have barred them."""
    Rung.objects.filter(user=user, resting_since=None).update(resting_since=now)


def leave_all(*, user: User) -> None:
    """Have a player leave all ladders, since their account is deleted."""
    for ruleset in Rung.objects.filter(user=user).order_by("ladder").values_list("ladder", flat=True):
        leave_ladder(user=user, ruleset=ruleset)


def rest_idle(*, now: datetime) -> int:
    """Have those rest who have not played for long, and take off who rested too long; return how many."""
    busy = LadderGame.objects.filter(settled_at=None)
    idle = Rung.objects.filter(resting_since=None, active_at__lte=now - IDLE)
    idle = idle.exclude(user__in=busy.values("challenger")).exclude(user__in=busy.values("challenged"))
    resting = idle.update(resting_since=now)
    gone = Rung.objects.filter(resting_since__lte=now - KEPT).order_by("pk")
    return resting + jobs.each("ladder rests", gone, _take_off, most=MOST, now=now)


def check_ruleset(ruleset: str) -> None:
    """Raise NotFound for a ruleset that has no ladder."""
    if ruleset not in RANKED:
        raise NotFound("no-ladder", _("There is no such ladder."))


def _take_off(rung_id: int) -> int:
    rung = Rung.objects.get(pk=rung_id)
    held_ladder(rung.ladder_id)
    rung.refresh_from_db()
    remove(rung)
    return 1
