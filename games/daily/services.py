"""Make the daily runs of coming days, and play them."""

from datetime import date, datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import User
from games.daily.models import DailyResult, DailyRun
from games.daily.selectors import day_in, played, run_of, today_of
from games.errors import Conflict, NotFound
from games.play.orders import read_program
from games.play.services import lock_people
from games.work import enqueue
from rules.daily.days import Day, day_of, write_day
from rules.daily.tasks import ME, is_better

DAYS_AHEAD: Final = 7
"""Workers make the daily runs of this number of days after today."""


TASK_TIME_LIMIT: Final = 900
"""Seconds after which a worker's search for a daily run is killed. It needs up to 24 s of processor time."""


def site_seed() -> str:
    """Return the secret seed of this site's daily runs. It follows from the site's secret key."""
    return salted_hmac("games.daily", "", algorithm="sha256").hexdigest()


def make_run(*, day: date, seed: str = "") -> bool:
    """Generate and store the daily run of a date. Return False if the date has one already."""
    if DailyRun.objects.filter(date=day).exists():
        return False
    document = write_day(day_of(day, seed or site_seed()))
    return DailyRun.objects.get_or_create(date=day, defaults={"document": document})[1]


def offer_missing_run(*, now: datetime) -> int:
    """Ask a worker for the next missing daily run. Return the number of runs asked for.

    A run is asked for again after `TASK_TIME_LIMIT`, because its worker may have died.
    """
    today = today_of(now)
    days = [today + timedelta(ahead) for ahead in range(DAYS_AHEAD + 1)]
    known = set(DailyRun.objects.filter(date__in=days).values_list("date", flat=True))
    for day in days:
        if day not in known and cache.add(f"daily-run:{day}", 1, timeout=TASK_TIME_LIMIT):
            enqueue.make_daily_run(day.toordinal())
            return 1
    return 0


def lay_program(*, user: User, day: date, turn_number: int, registers: object, now: datetime) -> DailyResult:
    """Play a player's program for a turn of a daily run. The user may be a guest.

    The first finished try counts, if it is finished on its day. A program for turn 1 begins another try if
    the last one is finished. If the same program comes twice, nothing changes.

    Raises NotFound for a day without a run, for a coming day, and for a guest who has just logged in as
    another player. Raises Malformed and Invalid for faulty programs, and Conflict for another turn than the
    next one.
    """
    found = run_of(day=day, now=now)
    known = day_in(found)
    with transaction.atomic():
        lock_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # the guest account may no longer exist
        if player is None:
            raise NotFound("no-guest", _("You are now logged in as another player. Reload the page."))
        result = DailyResult.objects.filter(run=found, user=player).first()
        result = result or DailyResult(run=found, user=player, began_at=now)
        before: list[list[str]] = result.programs
        if not 1 <= turn_number <= known.position.turns:
            raise Conflict("stale-turn", _("This run has no turn {number}.").format(number=turn_number))
        position = known.position
        hand = position.hands[turn_number - 1]
        chips = read_program(position.setup, position.state, ME, hand, registers)
        program = [str(chip) for chip in chips]
        if before[turn_number - 1 :] == [program]:
            return result  # a double click
        over = bool(before) and played(known, before).finished
        expected = 1 if over else len(before) + 1
        if turn_number != expected:
            raise Conflict(
                "stale-turn",
                _("Your run is in turn {turn}, so you cannot give orders for turn {number}.").format(
                    turn=expected, number=turn_number
                ),
            )
        result.programs = [*([] if over else before), program]
        _count(result, known, now)
        result.save()
    return result


def _count(result: DailyResult, day: Day, now: datetime) -> None:
    """Add a finished try to a result."""
    run = played(day, result.programs)
    if not run.finished:
        return
    result.tries += 1
    if result.first_at is None:
        result.first_at = now
        result.first_programs, result.first_score = result.programs, run.score
        result.counts = today_of(now) == day.date
    if result.tries == 1 or is_better(day.task.kind, run.score, result.best_score):
        result.best_programs, result.best_score = result.programs, run.score


def adopt_results(*, guest: User, user: User) -> None:
    """Give a guest's daily runs to a person, except for days that the person has played.

    If the person has begun a day without finishing a try, and the guest has finished one, the guest's stays.
    """
    finished = DailyResult.objects.filter(user=guest, tries__gt=0).values("run")
    DailyResult.objects.filter(user=user, tries=0, run__in=finished).delete()
    played = DailyResult.objects.filter(user=user).values("run")
    DailyResult.objects.filter(user=guest).exclude(run__in=played).update(user=user)
