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
from games.news.services.notifications import tell_of_subject
from games.ratings.selectors.outcomes import RANKED
from games.sanctions.selectors import refuse_barred
from games.wording import day_of

MOST: Final = 200
"""Players whom one pass of the sweeper looks at; the next one goes on."""


def join_ladder(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Step on the lowest rung of a ladder, or come back from a rest.

    A player whose rest has lasted too long starts on the lowest rung, even if no sweep has noticed yet.
    Raises NotFound for no ladder, Forbidden for guests and barred players, and Conflict if the player is on
    it already.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    check_ruleset(ruleset)
    with transaction.atomic():
        ladder = held_ladder(ruleset)
        rung = Rung.objects.filter(ladder=ladder, user=user).first()
        if rung and _rested_too_long(rung, now):
            remove(rung)
            rung = None
        if rung is None:
            place = size_of(ruleset) + 1
            return Rung.objects.create(ladder=ladder, user=user, place=place, joined_at=now, active_at=now)
        if rung.resting_since is None:
            raise Conflict("already-on-it", _("You are on this ladder already."))
        rung.resting_since, rung.active_at, rung.back_at = None, now, now
        rung.save(update_fields=["resting_since", "active_at", "back_at"])
    return rung


def rest(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Take no part for up to 30 days, in which the place is kept. Games under way count.

    Raises NotFound for players who are not on the ladder, and Conflict if the last rest ended a short while
    ago.
    """
    refuse_guests(user)
    check_ruleset(ruleset)
    with transaction.atomic():
        held_ladder(ruleset)
        rung = rung_of(user=user, ruleset=ruleset)
        if rung.resting_since is None:
            if rung.back_at and rung.may_rest_from and now < rung.may_rest_from:
                detail = _("You came back from a rest on {day}. You can rest again from {next_day}.")
                days = {"day": day_of(rung.back_at), "next_day": day_of(rung.may_rest_from)}
                raise Conflict("rested-lately", detail.format(**days))
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
    """Put idle players to rest, and take off players who rested too long; return how many."""
    busy = LadderGame.objects.filter(settled_at=None)
    idle = Rung.objects.filter(resting_since=None, active_at__lte=now - IDLE)
    idle = idle.exclude(user__in=busy.values("challenger")).exclude(user__in=busy.values("challenged"))

    def put_to_rest(rung_id: int) -> int:
        rung = idle.select_for_update(of=("self",)).filter(pk=rung_id).first()
        if rung is None:
            return 0
        rung.resting_since = now
        rung.save(update_fields=["resting_since"])
        tell_of_subject(users=[rung.user], kind="rested", ruleset=rung.ladder_id, reason="idle", now=now)
        return 1

    resting = jobs.each("idle on ladders", idle.order_by("pk"), put_to_rest, most=MOST, now=now)
    gone = Rung.objects.filter(resting_since__lte=now - KEPT).order_by("pk")

    def take_off(rung_id: int) -> int:
        return _take_off(rung_id, now=now)

    return resting + jobs.each("ladder rests", gone, take_off, most=MOST, now=now)


def check_ruleset(ruleset: str) -> None:
    """Raise NotFound for a ruleset that has no ladder."""
    if ruleset not in RANKED:
        raise NotFound("no-ladder", _("There is no such ladder."))


def _take_off(rung_id: int, *, now: datetime) -> int:
    """Take a player whose rest has lasted too long off the ladder, unless they came back or left."""
    ruleset = Rung.objects.filter(pk=rung_id).values_list("ladder", flat=True).first()
    if ruleset is None:
        return 0
    held_ladder(ruleset)
    rung = Rung.objects.filter(pk=rung_id).first()
    if rung is None or not _rested_too_long(rung, now):
        return 0
    remove(rung)
    tell_of_subject(users=[rung.user], kind="off-ladder", ruleset=ruleset, now=now)
    return 1


def _rested_too_long(rung: Rung, now: datetime) -> bool:
    return rung.resting_since is not None and rung.resting_since <= now - KEPT
