"""The front page, and the rules."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from games.fleet.boards import starship_of
from games.fleet.figures import ship_of_the_week
from games.fleet.models import Starship
from games.fleet.pictures import board_of, legend_for, staged_board
from games.fleet.search import search
from games.lobby.pages.creation import RULESET
from games.lobby.selectors import missions
from games.lobby.selectors.rooms import games_to_join, games_to_watch, my_games
from games.people.selectors.numbers import game_numbers
from games.play import stored
from games.play.models import Game
from games.play.selectors.games import game_view
from games.play.selectors.viewers import Viewer
from games.reading import read_safely
from games.web.pages import viewer_of

TRIED = 5
"""How many running games are tried for the board of the front page: one may not be readable."""

GOING_ON = 3
"""Games under way that a guest goes on with from the front page: guests have no room of their own."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, with a board from a game that is being played."""
    viewer = viewer_of(request)
    watched = games_to_watch(viewer=viewer)
    context: dict[str, object] = {
        "joinable": games_to_join(viewer=viewer).count(),
        "running": watched.count(),
        "starts": not isinstance(viewer, User)
        or viewer.is_guest
        or not any(game_numbers(user=viewer).values()),
    }
    if context["starts"]:
        flights = missions.flights(viewer=viewer)
        context["flight"] = next((flight for flight in flights if not flight.done), None)
        context["flown"] = any(flight.done or flight.under_way for flight in flights)
        if isinstance(viewer, User):
            running = my_games(user=viewer).filter(status=Game.Status.RUNNING)
            context["going_on"] = running[:GOING_ON]
    chosen = ship_of_the_week(now=timezone.now())
    context["chosen"] = chosen
    boards = (read_safely(partial(_shown, viewer, game), game) for game in watched[:TRIED])
    if shown := next(filter(None, boards), None):
        context |= shown
    elif chosen:
        context |= _in_dock(chosen.starship)
    elif ship := search(section="fleet").first() or search().first():
        context |= _in_dock(ship)
    return render(request, "site/home.html", context)


@require_safe
def rulebook(request: HttpRequest) -> HttpResponse:
    """Tell how the game is played, from the ruleset itself."""
    ruleset = rules.ruleset(RULESET)
    editions = list(rules.RULESETS.values())
    context = {"ruleset": ruleset, "editions": editions, "legend": legend_for(ruleset)}
    return render(request, "site/rules.html", context)


def _shown(viewer: Viewer, game: Game) -> dict[str, object]:
    ship = stored.drawn_board(stored.setup_of(game))
    seen = game_view(viewer=viewer, game=game)
    return {
        "board_svg": board_of(ship, seen, looks=stored.looks_of(game)),
        "starship": game.revision and game.revision.starship,
        "watch_url": game.get_absolute_url(),
        "game": game,
    }


def _in_dock(starship: Starship) -> dict[str, object]:
    """Show a starship with a few robots on it, as it might be."""
    assert starship.current
    ship = starship_of(starship.current)
    return {"board_svg": staged_board(ship), "starship": starship}
