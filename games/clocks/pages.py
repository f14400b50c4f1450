"""The page for quiet hours, days off and vacations."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.navigation import only_by_form
from games.clocks.inputs import RestForm, VacationForm
from games.clocks.paces import calendar_in_words
from games.clocks.selectors import DAYS_A_YEAR, calendar_of, days_left, rest_of, vacations_of
from games.clocks.services import change_rest
from games.errors import ServiceError
from games.play.deadlines import call_off_vacation, plan_vacation
from games.web.pages import for_people, hides_what_is_not_there, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
@login_required
def time(request: HttpRequest) -> HttpResponse:
    """Show on which days and in which hours someone does not play, to be changed; and their vacation."""
    user, now = user_of(request), timezone.now()
    form = RestForm(_given(request), rest=rest_of(user=user))
    if form.is_valid():
        change_rest(
            user=user,
            days_off=form.cleaned_data["days_off"],
            night=form.night,
            takes_vacation=form.cleaned_data["takes_vacation"],
        )
        messages.success(request, _("Saved. From your next turn on, your clocks stop at these times."))
        return redirect("people:time")
    return _page(request, now, form=form)


@only_by_form
@for_people
@login_required
def plan(request: HttpRequest) -> HttpResponse:
    user, now = user_of(request), timezone.now()
    form = VacationForm(request.POST)
    if form.is_valid():
        try:
            plan_vacation(user=user, **form.cleaned_data, now=now)
        except ServiceError as refusal:
            form.add_error(None, refusal.detail)
        else:
            messages.success(request, _("Your vacation is planned."))
            return redirect("people:time")
    return _page(request, now, vacation=form)


@only_by_form
@for_people
@login_required
@hides_what_is_not_there
def call_off(request: HttpRequest, vacation_id: int) -> HttpResponse:
    call_off_vacation(user=user_of(request), vacation_id=vacation_id)
    messages.success(request, _("The vacation is cancelled."))
    return redirect("people:time")


def _given(request: HttpRequest) -> object:
    return request.POST if request.method == "POST" else None


def _page(
    request: HttpRequest, now: datetime, *, form: RestForm | None = None, vacation: VacationForm | None = None
) -> HttpResponse:
    user = user_of(request)
    context = {
        "form": form or RestForm(rest=rest_of(user=user)),
        "stops": calendar_in_words(calendar_of(user=user)),
        "vacation_form": vacation or VacationForm(),
        "vacations": vacations_of(user=user, now=now),
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
        "year": timezone.localtime(now).year,
    }
    return render(request, "clocks/time.html", context, status=422 if request.method == "POST" else 200)
