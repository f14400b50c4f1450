"""Training missions: all of them, one of them, and taking off, which needs no account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests
from games.fleet.boards import starship_of
from games.fleet.pictures import empty_board, legend_of
from games.lobby.pages.creation import RULESET
from games.lobby.selectors import missions as lobby_missions
from games.lobby.selectors.missions import flight_for, next_flight
from games.lobby.services.missions import start_mission
from games.web.pages import hides_what_is_not_there, viewer_of


@require_safe
@never_cache
def missions(request: HttpRequest) -> HttpResponse:
    """Show all missions, and which of them the viewer has done."""
    flights = lobby_missions.flights(viewer=viewer_of(request))
    context = {
        "flights": flights,
        "done": sum(flight.done for flight in flights),
        "following": next_flight(flights),
    }
    return render(request, "lobby/missions.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_what_is_not_there
def mission(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a mission; on POST fly it, or go on with it: a stranger does so as a guest."""
    flight = flight_for(viewer=viewer_of(request), slug=slug)
    if request.method == "POST":
        return _take_off(request, slug)
    assert flight.mission.starship.current
    ship = starship_of(flight.mission.starship.current)
    setup = rules.make_setup(rules.ruleset(RULESET), flight.mission.options, ship, 1)
    context = {
        "flight": flight,
        "mission": flight.mission,
        "lesson": flight.mission.lesson,
        "board": empty_board(ship),
        "legend": legend_of(ship, setup.ruleset),
    }
    return render(request, "lobby/mission.html", context)


def _take_off(request: HttpRequest, slug: str) -> HttpResponse:
    pilot = guests.admit(request)
    if pilot is None:
        return guests.must_wait(request)
    game = start_mission(user=pilot, slug=slug, now=timezone.now())
    return redirect("games:game", game.pk)
