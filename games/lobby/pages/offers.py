"""The list of games with seats that anybody may take over."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.absence.selectors import seats_offered
from games.lobby.filters import GameFilter
from games.lobby.selectors.lineups import Lineup, games_to_take_over, lineups_of
from games.play.models import Game
from games.play.pages.crew import Mate, crew_of
from games.play.selectors.gathering import seats_of
from games.reading import may_be_old, read_safely
from games.web.pages import page_of, viewer_of


@require_safe
@may_be_old()
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
        "rows": [(game, read_safely(partial(_offered, game, lineups.get(game.pk)), game)) for game in shown],
        "all_games": games.count() if found.chosen else None,
    }
    return render(request, "lobby/open_seats.html", context)


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
