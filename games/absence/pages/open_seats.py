"""Seats of games under way that anybody may take over."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.absence.selectors.open_seats import Lineup, games_to_take_over, lineups_of, seats_offered
from games.absence.services.open_seats import take_seat
from games.alone import alone
from games.errors import NotFound, ServiceError
from games.lobby.filters import GameFilter
from games.pages import hides_what_is_not_there, page_of, sign_in_first, user_of, viewer_of
from games.play.models import Game
from games.play.pages.actions import LEAVES_THE_PAGE, path_of
from games.play.pages.console import game_page
from games.play.pages.crew import Mate, crew_of
from games.play.pages.requests import game_in, link_in
from games.play.selectors.gathering import seats_of


@require_safe
def offers(request: HttpRequest) -> HttpResponse:
    """Show the games with seats to be taken over; the query narrows them down."""
    games = games_to_take_over(viewer=viewer_of(request))
    asked = {name: value for name, value in request.GET.items() if name != "free" and value}
    found = GameFilter(asked, games)
    del found.form.fields["free"]
    shown = page_of(request, found.qs)
    lineups = lineups_of(games=shown)
    context = {
        "filter": found,
        "there": reverse("games:offers"),
        "games": shown,
        "rows": [(game, alone(partial(_offered, game, lineups.get(game.pk)), game)) for game in shown],
        "all_games": games.count() if found.chosen else None,
    }
    return render(request, "absence/open_seats.html", context)


def _offered(game: Game, lineup: Lineup | None) -> list[Mate]:
    """Return the robots of a game whose seats may be taken over, and how they stand."""
    if lineup is None:
        return []
    seats = seats_of(game)
    crew = crew_of(
        lineup.robots,
        setup=lineup.setup,
        looks={seat.number - 1: seat.look for seat in seats},
        me=None,
        playing=False,
        steered={},
        deadline=None,
        vacations={},
    )
    offered = {seat.number for seat in seats_offered(seats=seats, game=game)}
    return [mate for mate in crew if mate.seat in offered]


@require_POST
@hides_what_is_not_there
def take(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Take a seat over from its computer, or come back to one's own."""
    game = game_in(request, game_id)
    if not request.user.is_authenticated:
        return sign_in_first(path_of(request, game_id))
    try:
        take_seat(
            user=user_of(request), game_id=game.pk, seat=number, link=link_in(request), now=timezone.now()
        )
    except ServiceError as refusal:
        if isinstance(refusal, NotFound) and refusal.code in LEAVES_THE_PAGE:
            raise
        return game_page(request, game_in(request, game_id), refusal=refusal)
    messages.success(request, "The seat is yours, and so is the robot.")
    return redirect("games:game", game.pk)
