"""The page for a person's quiet hours, days off and vacations."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.clocks.inputs import NewVacation, RestForm
from games.clocks.paces import calendar_in_words
from games.clocks.selectors import DAYS_A_YEAR, calendar_of, days_left, rest_of, vacations_of
from games.clocks.services import cancel_vacation, change_rest, plan_vacation
from games.errors import ServiceError
from games.web.actions import action
from games.web.forms import form_of
from games.web.inputs import Refusable
from games.web.pages import user_of

VacationForm = form_of(NewVacation)


def _time_page(request: HttpRequest) -> dict[str, Any]:
    user, now = user_of(request), timezone.now()
    rest = rest_of(user=user)
    return {
        "initial": {name: getattr(rest, name) for name in RestForm.base_fields},
        "stops": calendar_in_words(calendar_of(user=user)),
        "vacation_form": VacationForm(),
        "vacations": vacations_of(user=user, now=now),
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
        "year": timezone.localtime(now).year,
    }


@action(
    RestForm,
    template="clocks/time.html",
    context=_time_page,
    says=_("Saved. This applies from your next turn in each game."),
    then="people:time",
)
def time(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Change a player's days off and quiet hours."""
    change_rest(user=user_of(request), **asked)


def _refuse_vacation(request: HttpRequest, refusal: ServiceError, form: Refusable) -> HttpResponse:
    context = _time_page(request)
    context |= {"form": RestForm(initial=context["initial"]), "vacation_form": form}
    return render(request, "clocks/time.html", context, status=refusal.status)


@action(VacationForm, refused_on=_refuse_vacation, says=_("Your vacation is planned."))
def plan(request: HttpRequest, asked: dict[str, Any]) -> None:
    plan_vacation(user=user_of(request), **asked, now=timezone.now())


@action(says=_("Your vacation is cancelled."))
def cancel(request: HttpRequest, vacation_id: int) -> None:
    cancel_vacation(user=user_of(request), vacation_id=vacation_id)
