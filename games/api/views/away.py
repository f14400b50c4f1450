"""Turns that I miss, and when my clocks stand still: standing orders, days off, nights and vacation."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.absence.services.standing_orders import change_standing, change_standing_of_game
from games.api import documents
from games.api.away_requests import (
    GameStandingSerializer,
    StandingSerializer,
    TimeSerializer,
    VacationSerializer,
)
from games.api.responses.away import (
    MyGameStandingSerializer,
    MyStandingSerializer,
    MyTimeSerializer,
    PlannedVacationSerializer,
    VacationsSerializer,
)
from games.api.schema import describe
from games.api.views.base import Call, body, person
from games.clocks.selectors.rests import calendar_of, rest_of
from games.clocks.services import change_rest
from games.play.services.vacations import call_off_vacation, plan_vacation


class MyStanding(Call):
    """``GET`` and ``PUT me/standing``."""

    @describe("get_standing_orders", "Get my standing orders", MyStandingSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """What is played for me where I miss a turn, in games that have standing orders."""
        return Response({"standing": person(request).standing})

    @describe(
        "set_standing_orders",
        "Change my standing orders",
        MyStandingSerializer,
        403,
        422,
        takes=StandingSerializer,
        example={"standing": "ahead"},
        tag="people",
    )
    def put(self, request: Request) -> Response:
        """In all games, but those for which I have given others."""
        user = person(request)
        change_standing(user=user, **body(request, StandingSerializer))
        return Response({"standing": user.standing})


class GameStanding(Call):
    """``PUT games/{id}/standing``."""

    @describe(
        "set_game_standing_orders",
        "Change my standing orders in one game",
        MyGameStandingSerializer,
        403,
        404,
        422,
        takes=GameStandingSerializer,
        example={"standing": "down"},
        tag="games",
    )
    def put(self, request: Request, game_id: int) -> Response:
        """Empty for the same as in all games. They count where the game's `absence` has them."""
        user, asked = person(request), body(request, GameStandingSerializer)
        game = change_standing_of_game(user=user, game_id=game_id, **asked)
        return Response(documents.of_standing(user, game, asked["standing"]))


class MyTime(Call):
    """``GET`` and ``PATCH me/time``."""

    @describe("get_my_time", "Get my days off and quiet hours", MyTimeSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """My days off, my nights, and whether vacation is taken by itself."""
        return Response(documents.of_rest(rest_of(user=person(request))))

    @describe(
        "update_my_time",
        "Change my days off and quiet hours",
        MyTimeSerializer,
        403,
        422,
        takes=TimeSerializer,
        example={"days_off": [5, 6], "night": ["22:00", "07:00"]},
        tag="people",
    )
    def patch(self, request: Request) -> Response:
        """What is not named stays as it is. Turns that wait for me now keep the time that they have."""
        user, asked = person(request), body(request, TimeSerializer)
        now = calendar_of(user=user)
        kept: dict[str, Any] = {"days_off": now.days_off, "night": now.night}
        return Response(documents.of_rest(change_rest(user=user, **{**kept, **asked})))


class Vacations(Call):
    """``GET`` and ``POST me/vacations``."""

    @describe("list_vacations", "List my vacations", VacationsSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """What I have planned and what is not over, and how many days I have left."""
        return Response(documents.of_vacations(person(request), now=timezone.now()))

    @describe(
        "create_vacation",
        "Plan a vacation",
        PlannedVacationSerializer,
        403,
        409,
        422,
        status=201,
        takes=VacationSerializer,
        example={"first": "2027-07-01", "last": "2027-07-14"},
        tag="people",
    )
    def post(self, request: Request) -> Response:
        """A day of it is spent only when a deadline of mine would be missed. 409 where it overlaps."""
        asked = body(request, VacationSerializer)
        vacation = plan_vacation(user=person(request), **asked, now=timezone.now())
        return Response(documents.of_vacation(vacation), status=201)


class OneVacation(Call):
    """``DELETE me/vacations/{id}``."""

    @describe("delete_vacation", "Cancel a vacation", VacationsSerializer, 403, 404, tag="people")
    def delete(self, request: Request, vacation_id: int) -> Response:
        """Forget that I have planned it; days that were spent stay so. Answers with what is left."""
        user = person(request)
        call_off_vacation(user=user, vacation_id=vacation_id)
        return Response(documents.of_vacations(user, now=timezone.now()))
