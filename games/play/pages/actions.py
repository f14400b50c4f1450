"""What all have in common that people do to a game."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError
from games.play.models import Game
from games.play.pages.console import game_page
from games.play.pages.requests import game_in, path_of
from games.web.pages import hides_what_is_not_there, sign_in_first

LEAVES_THE_PAGE = ("no-game", "no-turn")
"""What is not there, so that there is no page either to say so on."""


def action(act: Callable[[HttpRequest, Game], HttpResponse]) -> Callable[[HttpRequest, int], HttpResponse]:
    """Make a view of something that someone who is logged in does to a game.

    What cannot be done is told on the game's page, as the game is by then.
    """

    @only_by_form
    @hides_what_is_not_there
    @wraps(act)
    def view(request: HttpRequest, game_id: int) -> HttpResponse:
        found = game_in(request, game_id)
        if not request.user.is_authenticated:
            return sign_in_first(path_of(request, game_id))
        try:
            return act(request, found)
        except ServiceError as refusal:
            if isinstance(refusal, NotFound) and refusal.code in LEAVES_THE_PAGE:
                raise
            return game_page(request, game_id, refusal=refusal)

    return view
