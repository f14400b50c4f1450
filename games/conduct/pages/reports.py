"""Reporting a player to staff: for a line of chat, a club, their name, or how they behave."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.conduct.forms import PlayerReportForm
from games.conduct.selectors.reported import games_of_both, reported_thing
from games.conduct.services.reports import report_player
from games.errors import player_named
from games.web.pages import for_people, hides_what_is_not_there, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Ask which rule a player broke; on POST report them.

    ``?line=`` names a line of chat that they wrote, ``?club=`` a club that they lead.
    """
    user, person = user_of(request), player_named(robo_name)
    thing = reported_thing(
        viewer=user,
        person=person,
        line=request.GET.get("line", ""),
        club=request.GET.get("club", ""),
    )
    form = PlayerReportForm(
        request.POST if request.method == "POST" else None,
        about=thing.about,
        games=games_of_both(viewer=user, person=person),
    )
    status = 200
    if request.method == "POST":
        given: dict[str, Any] = {"user": user, "robo_name": person.robo_name, "now": timezone.now()}
        given |= {"line": thing.line and thing.line.pk}
        given |= {"club": thing.club.slug if thing.club else ""}
        given |= {"about": thing.about} if thing.about else {}
        refused = form.refused_by(report_player, **given)
        if refused is None:
            messages.success(request, _("Thank you. Staff look at it, and you hear what came of it."))
            return redirect("conduct:mine")
        status = refused
    context = {"form": form, "person": person, "thing": thing}
    return render(request, "conduct/report.html", context, status=status)
