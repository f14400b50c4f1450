"""Seasons: their list, and the page of each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, number_in, user_of, viewer_of
from games.seasons.selectors import season_view, seasons
from games.seasons.services.entries import join_season, leave_season


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Show seasons: those to come, those under way, and those that are over."""
    every = seasons(viewer=viewer_of(request))
    parts = [
        (key, [each for each in every if each["status"] == key]) for key in ("running", "open", "finished")
    ]
    return render(request, "seasons/seasons.html", {"parts": parts})


@require_safe
@hides_what_is_not_there
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show a season with its divisions."""
    page, now = number_in(request.GET.get("page"), digits=6), timezone.now()
    shown = season_view(viewer=viewer_of(request), season_id=season_id, page=page, now=now)
    return render(request, "seasons/season.html", {"season": shown, "now": now})


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def enter(request: HttpRequest, season_id: int) -> HttpResponse:
    """Join a season, or leave it."""
    user = user_of(request)
    try:
        if request.POST.get("do") == "leave":
            leave_season(user=user, season_id=season_id)
            messages.success(request, _("You do not play this season."))
        else:
            join_season(user=user, season_id=season_id, now=timezone.now())
            messages.success(request, _("You play this season."))
    except NotFound:
        raise
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    return redirect("seasons:season", season_id)
