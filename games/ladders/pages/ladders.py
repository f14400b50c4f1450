"""Ladders: their list, and the page of each with what one may do there."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form, show_as
from games.errors import ServiceError
from games.ladders.selectors import ladder_view, ladders
from games.ladders.services.challenges import challenge
from games.ladders.services.rungs import join_ladder, leave_ladder, rest
from games.pages import for_people, hides_what_is_not_there, user_of, viewer_of


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Show all ladders."""
    return render(request, "ladders/ladders.html", {"ladders": ladders()})


@require_safe
@hides_what_is_not_there
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a ladder."""
    return _page(request, slug)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Step on a ladder, rest or leave; challenge a player."""
    user, now = user_of(request), timezone.now()
    name = request.POST.get("player", "")
    deeds: dict[str, tuple[Callable[[], object], str]] = {
        "join": (lambda: join_ladder(user=user, ruleset=slug, now=now), _("You are on the ladder.")),
        "rest": (
            lambda: rest(user=user, ruleset=slug, now=now),
            _("You rest. Your place is kept for 30 days."),
        ),
        "leave": (lambda: leave_ladder(user=user, ruleset=slug), _("You left the ladder.")),
    }
    deed = request.POST.get("do", "")
    try:
        if deed == "challenge":
            game = challenge(user=user, ruleset=slug, robo_name=name, now=now)
            messages.success(request, _("The game has begun. Good luck!"))
            return redirect(game)
        if deed in deeds:
            do, said = deeds[deed]
            do()
            messages.success(request, said)
    except ServiceError as refusal:
        return _page(request, slug, refusal)
    return redirect("ladders:ladder", slug)


def _page(request: HttpRequest, slug: str, refusal: ServiceError | None = None) -> HttpResponse:
    shown = ladder_view(viewer=viewer_of(request), ruleset=slug, now=timezone.now())
    show_as(request, "ladders:ladder", slug)
    context = {"ladder": shown, "refusal": refusal, "now": timezone.now()}
    return render(request, "ladders/ladder.html", context, status=refusal.status if refusal else 200)
