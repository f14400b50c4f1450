"""Vacation: planned by people, and spent only when a deadline would be missed.

A day of vacation is 24 hours from when someone's time would be up. It stops all their clocks that run then,
in games that let them go on vacation (`lets_vacation`).
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.clocks.clock import DAY
from games.clocks.models import Rest, Vacation, VacationDay
from games.clocks.selectors import (
    BY_ITSELF,
    DAYS_A_YEAR,
    VACATION,
    days_left,
    days_taken_lately,
    lets_vacation,
    planned_on,
    span_of,
    today_of,
    vacations_of,
)
from games.errors import Conflict, Invalid, NotFound, refuse_guests
from games.news.models import Notice
from games.news.services import DONE, tell, tell_once
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.selectors.deadlines import deadline_of
from games.play.services.clocks import pause_clocks
from games.play.services.history import note

FARTHEST: Final = timedelta(days=366)
"""How far ahead a vacation may begin."""

MOST_PLANNED: Final = 10
"""Vacations that someone may have planned at a time."""


def plan_vacation(*, user: User, first: date, last: date, now: datetime) -> Vacation:
    """Plan a vacation, by the calendar where the person lives; both days belong to it.

    Raises Forbidden for guests, Invalid for one that does not begin within a year, is longer than there are
    days in a year, or ends before it begins, and Conflict where it would overlap with another, or where there
    are many already.
    """
    refuse_guests(user)
    today = today_of(user=user, now=now)
    if last < first:
        detail = _("A vacation cannot end before it begins.")
        raise Invalid("no-vacation", detail, [{"code": "vacation", "detail": detail}])
    if first < today or first > today + FARTHEST or (last - first).days >= DAYS_A_YEAR:
        detail = _(
            "A vacation must begin within a year from today, and can last {number} days at most."
        ).format(number=DAYS_A_YEAR)
        raise Invalid("no-vacation", detail, [{"code": "vacation", "detail": detail}])
    with transaction.atomic():
        _held_rest(user)
        planned = vacations_of(user=user, now=now)
        if planned.filter(first__lte=last, last__gte=first).exists():
            raise Conflict("overlaps", _("You have already planned to be away on some of these days."))
        if planned.count() >= MOST_PLANNED:
            raise Conflict(
                "too-many",
                _("You can plan {number} vacations at a time. Cancel one to plan another.").format(
                    number=MOST_PLANNED
                ),
            )
        return Vacation.objects.create(user=user, first=first, last=last, planned_at=now)


def call_off_vacation(*, user: User, vacation_id: int) -> None:
    """Forget a vacation that someone has planned; what was spent stays so.

    Raises Forbidden for guests, and NotFound.
    """
    refuse_guests(user)
    if not Vacation.objects.filter(user=user, pk=vacation_id).delete()[0]:
        raise NotFound("no-vacation", _("There is no such vacation."))


def go_on_vacation(*, turn: Turn, hands: Iterable[Hand], now: datetime) -> None:
    """Have vacation put off the deadlines of hands, in a turn whose game's row is held.

    Days that were spent stop clocks as other pauses do. Who is late takes further ones, where they have some,
    and have planned or wished it; the others in the game are told, and so is a player whose days were taken
    without a plan.
    """
    game = turn.game
    if game.mission_id is not None or not lets_vacation(stored.pace_of(game)):
        return
    by_person = {hand.seat.user: hand for hand in hands if hand.seat and hand.seat.user}
    _rest_on_days_spent(turn, by_person)
    late = [user for user, hand in by_person.items() if _is_late(turn, hand, now)]
    for user in sorted(late, key=lambda person: person.pk):  # one order for all, and no deadlock
        rest = _held_rest(user)
        hand = by_person[user]
        _rest_on_days_spent(turn, {user: hand})
        before, unplanned = hand.deadline, False
        while _is_late(turn, hand, now):
            day = _spend(user, rest, deadline_of(turn=turn, hand=hand) or now)
            if day is None:
                break
            unplanned = unplanned or not day.planned
            pause_clocks(turn=turn, hands=[hand], pause=span_of(day), reason=VACATION)
        if unplanned:
            tell_once(users=[user], kind="day-taken", game=game, again=DONE, now=now)
        if hand.deadline != before and not _is_late(turn, hand, now):
            _tell(game, turn, hand, user, now)


def _rest_on_days_spent(turn: Turn, by_person: dict[User, Hand]) -> None:
    spent = VacationDay.objects.filter(user__in=by_person, began_at__gt=turn.opened_at - DAY)
    for day in spent.select_related("user"):
        pause_clocks(turn=turn, hands=[by_person[day.user]], pause=span_of(day), reason=VACATION)


def _is_late(turn: Turn, hand: Hand, now: datetime) -> bool:
    until = deadline_of(turn=turn, hand=hand)
    return until is not None and until <= now


def _spend(user: User, rest: Rest, at: datetime) -> VacationDay | None:
    """Spend a day of vacation whose person's clocks are held, None where they have none to spend then."""
    planned = planned_on(user=user, now=at)
    by_itself = rest.takes_vacation and days_taken_lately(user=user, now=at) < BY_ITSELF
    if not user.is_active or not (planned or by_itself) or not days_left(user=user, now=at):
        return None
    return VacationDay.objects.create(user=user, began_at=at, planned=planned)


def _held_rest(user: User) -> Rest:
    """Return how someone rests, held: only one process spends or plans a person's vacation at a time."""
    Rest.objects.get_or_create(user=user)
    return Rest.objects.select_for_update().get(user=user)


def _tell(game: Game, turn: Turn, hand: Hand, user: User, now: datetime) -> None:
    """Tell the others in a game that someone is on vacation: once a turn."""
    name = hand.seat.robo_name if hand.seat else user.robo_name
    note(game=game, by=None, kind="vacation", player=name, now=now)
    told = Notice.objects.filter(game=game, turn=turn.number, kind="away").values("user")
    others = User.objects.filter(seats__game=game).exclude(pk=user.pk).exclude(pk__in=told)
    tell(users=others, kind="away", game=game, turn=turn.number, now=now)
