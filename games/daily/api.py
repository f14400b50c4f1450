"""API calls for the daily run."""

from django.utils import timezone
from rest_framework.request import Request

import rules
from games.daily.selectors import DailyView, daily_view, day_from, run_of, today_of
from games.daily.services import lay_program
from games.web.answers import DailyPrograms
from games.web.api import Answered, Values, call, person
from games.web.inputs import Items, Strict, WholeNumber


class DailyProgramSerializer(Strict):
    """Your program for one turn of a daily run."""

    registers = Items(
        child=WholeNumber(help_text="The `number` of a chip."),
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="The numbers of five chips of your hand, in order.",
    )


@call("GET", "Get today’s daily run", DailyView, 404, strangers=True)
def get_daily_run_today(request: Request) -> Answered:
    """Returns the [daily run](/docs/daily/) of today. Days begin at 00:00 UTC."""
    now = timezone.now()
    return daily_view(viewer=request.user, run=run_of(day=today_of(now), now=now), now=now)


@call("GET", "Get a daily run", DailyView, strangers=True)
def get_daily_run(request: Request, day: str) -> Answered:
    """Returns the daily run of a date, such as `2027-01-31`. Past days have a `solution`."""
    now = timezone.now()
    return daily_view(viewer=request.user, run=run_of(day=day_from(day), now=now), now=now)


@call(
    "POST",
    "Play a turn of a daily run",
    DailyView,
    409,
    422,
    takes=DailyProgramSerializer,
    example={"registers": [490, 80, 670, 70, 500]},
    throttle_classes=(DailyPrograms,),
)
def submit_daily_program(request: Request, day: str, number: int, asked: Values) -> Answered:
    """Plays your program for a turn of a daily run.

    The first finished try counts, if it is finished before the day is over. After a finished try, a program
    for turn 1 begins another one.
    """
    now, date = timezone.now(), day_from(day)
    lay_program(user=person(request), day=date, turn_number=number, registers=asked["registers"], now=now)
    return daily_view(viewer=request.user, run=run_of(day=date, now=now), now=now)
