"""When somebody's clocks stand still."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games import selectors, services
from games.calendars import calendar_in_words
from games.rest_forms import RestForm
from games.views.requests import for_people, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
@login_required
def time(request: HttpRequest) -> HttpResponse:
    """Show on which days and in which hours somebody does not play, to be changed."""
    user = user_of(request)
    given = request.POST if request.method == "POST" else None
    form = RestForm(given, rest=selectors.rest_of(user=user))
    if form.is_valid():
        services.change_rest(user=user, days_off=form.cleaned_data["days_off"], night=form.night)
        messages.success(request, "Your clocks will stand still as you have chosen, from your next turns on.")
        return redirect("people:time")
    context = {"form": form, "stops": calendar_in_words(selectors.calendar_of(user=user))}
    return render(request, "account/time.html", context, status=422 if form.is_bound else 200)
