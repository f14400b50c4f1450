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
from games.errors import Shape, written
from games.web.api import Answered, Values, call, person

NIGHT = Shape({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})


class MyTimeView(TypedDict):
    """When my clocks stand still; it holds for hands that are dealt from now on."""

    time_zone: Annotated[str, "Where I live: days and nights are told by its clocks."]
    days_off: Annotated[list[int], "Days of the week, from 0 for Monday to 6."]
    night: Annotated[list[str] | None, NIGHT, "From when to when I sleep; null for never."]
    takes_vacation: Annotated[bool, "Whether days of vacation are taken that I have not planned."]


def of_rest(rest: Rest) -> MyTimeView:
    """Write when the clocks of a person stand still."""
    calendar = write_calendar(calendar_of(user=rest.user))
    times = {key: calendar[key] for key in ("days_off", "night")}
    return written(MyTimeView, rest, time_zone=rest.user.time_zone, **times)


class PlannedVacationView(TypedDict):
    """A vacation that I have planned; both days belong to it."""

    id: int
    first: date
    last: date


class VacationsView(TypedDict):
    """My vacation."""

    results: Annotated[list[PlannedVacationView], "What I have planned, the first to come first."]
    days_left: Annotated[int, "Days that I have left in this calendar year."]
    days_a_year: Annotated[int, "Days that everybody has."]


def of_vacations(user: User, *, now: datetime) -> VacationsView:
    """Write what vacation a person has."""
    planned = vacations_of(user=user, now=now)
    return {
        "results": [written(PlannedVacationView, vacation) for vacation in planned],
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
    }


@call("GET", "Get my days off and quiet hours", MyTimeView, group="people")
def get_my_time(request: Request) -> Answered:
    """My days off, my nights, and whether vacation is taken by itself."""
    return of_rest(rest_of(user=person(request)))


@call(
    "PATCH",
    "Change my days off and quiet hours",
    MyTimeView,
    422,
    takes=RestChanges,
    guests=False,
    example={"days_off": [5, 6], "night": ["22:00", "07:00"]},
    group="people",
)
def update_my_time(request: Request, asked: Values) -> Answered:
    """Keys that are left out stay as they are. Turns that wait for me now keep their time."""
    user = person(request)
    now = calendar_of(user=user)
    kept: Values = {"days_off": now.days_off, "night": now.night}
    return of_rest(change_rest(user=user, **{**kept, **asked}))


@call("GET", "List my vacations", VacationsView, group="people")
def list_vacations(request: Request) -> Answered:
    """My vacations that are not over, and how many days I have left."""
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
    """A day is spent only if I would otherwise miss a deadline. 409 if it overlaps another vacation."""
    vacation = plan_vacation(user=person(request), **asked, now=timezone.now())
    return written(PlannedVacationView, vacation)


@call("DELETE", "Cancel a vacation", VacationsView, group="people")
def delete_vacation(request: Request, vacation_id: int) -> Answered:
    """Forget that I have planned it; days that were spent stay so. Answers with what is left."""
    user = person(request)
    cancel_vacation(user=user, vacation_id=vacation_id)
    return of_vacations(user, now=timezone.now())
