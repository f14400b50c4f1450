"""API calls for a person's days off, quiet hours and vacations."""

from datetime import date, datetime
from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from accounts.models import User
from games.clocks.inputs import NewVacation, RestChanges
from games.clocks.models import Rest
from games.clocks.paces import write_calendar
from games.clocks.selectors import DAYS_A_YEAR, calendar_of, days_left, rest_of, vacations_of
from games.clocks.services import cancel_vacation, change_rest, plan_vacation
from games.errors import Shape, view_of_row
from games.web.api import Answered, Values, call, person

NIGHT = Shape({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})


class MyTimeView(TypedDict):
    """Your days off and quiet hours. Changes apply to turns that start later."""

    time_zone: Annotated[str, "Your time zone. Days off and quiet hours are in it."]
    days_off: Annotated[list[int], "Days of the week, from 0 for Monday to 6."]
    night: Annotated[list[str] | None, NIGHT, "The start and end of your quiet hours; null for none."]
    takes_vacation: Annotated[bool, "Whether you take unplanned days of vacation."]


def of_rest(rest: Rest) -> MyTimeView:
    """Return the API document of a person's days off and quiet hours."""
    calendar = write_calendar(calendar_of(user=rest.user))
    times = {key: calendar[key] for key in ("days_off", "night")}
    return view_of_row(MyTimeView, rest, time_zone=rest.user.time_zone, **times)


class PlannedVacationView(TypedDict):
    """A planned vacation, from `first` to `last` inclusive."""

    id: int
    first: date
    last: date


class VacationsView(TypedDict):
    """Your vacations, and the number of vacation days that you have left."""

    results: Annotated[list[PlannedVacationView], "Your planned vacations, earliest first."]
    days_left: Annotated[int, "The days of vacation that you have left in this calendar year."]
    days_a_year: Annotated[int, "The days of vacation that each player has in a calendar year."]


def of_vacations(user: User, *, now: datetime) -> VacationsView:
    """Return the API document of a person's vacations."""
    planned = vacations_of(user=user, now=now)
    return {
        "results": [view_of_row(PlannedVacationView, vacation) for vacation in planned],
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
    }


@call("GET", "Get your days off and quiet hours", MyTimeView, group="people")
def get_my_time(request: Request) -> Answered:
    """Returns your days off, your quiet hours, and whether you take unplanned days of vacation."""
    return of_rest(rest_of(user=person(request)))


@call(
    "PATCH",
    "Change your days off and quiet hours",
    MyTimeView,
    422,
    takes=RestChanges,
    guests=False,
    example={"days_off": [5, 6], "night": ["22:00", "07:00"]},
    group="people",
)
def update_my_time(request: Request, asked: Values) -> Answered:
    """Changes your days off and quiet hours. Fields that you leave out keep their values.

    Your deadlines in turns under way do not change.
    """
    user = person(request)
    now = calendar_of(user=user)
    kept: Values = {"days_off": now.days_off, "night": now.night}
    return of_rest(change_rest(user=user, **{**kept, **asked}))


@call("GET", "List your vacations", VacationsView, group="people")
def list_vacations(request: Request) -> Answered:
    """Returns your current and planned vacations, and the number of vacation days that you have left."""
    return of_vacations(person(request), now=timezone.now())


@call(
    "POST",
    "Plan a vacation",
    PlannedVacationView,
    409,
    422,
    status=201,
    takes=NewVacation,
    guests=False,
    example={"first": "2027-07-01", "last": "2027-07-14"},
    group="people",
)
def create_vacation(request: Request, asked: Values) -> Answered:
    """Plans a vacation. A vacation day is spent only when you would miss a deadline.

    409 means that the vacation overlaps another one, or that you have too many planned vacations.
    """
    vacation = plan_vacation(user=person(request), **asked, now=timezone.now())
    return view_of_row(PlannedVacationView, vacation)


@call("DELETE", "Cancel a vacation", VacationsView, group="people")
def delete_vacation(request: Request, vacation_id: int) -> Answered:
    """Cancels a vacation, and returns your other vacations. Vacation days that were spent remain spent."""
    user = person(request)
    cancel_vacation(user=user, vacation_id=vacation_id)
    return of_vacations(user, now=timezone.now())
