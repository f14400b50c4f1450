"""Looking at a game."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.pages import hides_what_is_not_there
from games.play.pages.console import game_page, turn_page
from games.play.pages.requests import game_in


@require_safe
@never_cache
@hides_what_is_not_there
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    return game_page(request, game_in(request, game_id))


@require_safe
@hides_what_is_not_there
def turn(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return turn_page(request, game_in(request, game_id), number)
