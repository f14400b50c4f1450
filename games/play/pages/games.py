"""Looking at a game."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.navigation import show_as
from games.errors import Malformed
from games.play.pages.console import game_page, turn_page
from games.play.pages.parts import asked_in
from games.play.pages.requests import game_in, path_of, query_in
from games.web.pages import hides_what_is_not_there


@require_safe
@never_cache
@hides_what_is_not_there
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    return game_page(request, game_id)


@require_safe
@never_cache
@hides_what_is_not_there
def parts(request: HttpRequest, game_id: int) -> HttpResponse:
    """Tell an open page what has changed in it: `only` these parts of it, and not those that it `has`."""
    show_as(request, "games:game", game_id, query=query_in(request))
    try:
        asked = asked_in(request)
    except Malformed as error:
        return JsonResponse(error.document, status=error.status)
    return game_page(request, game_id, asked=asked)


@require_safe
@hides_what_is_not_there
def turn(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    found = game_in(request, game_id)
    if number == found.turn and number != found.last_played:
        return redirect(path_of(request, game_id))  # it is being played there
    return turn_page(request, found, number)
