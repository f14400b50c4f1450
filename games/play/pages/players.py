"""Pages of a game that are for its players alone, each about their own seat."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise

from accounts import guests
from games.errors import Forbidden
from games.play.models import Game, Seat
from games.play.pages.console import game_page
from games.play.pages.requests import game_in
from games.play.selectors.viewers import seat_of
from games.web.pages import hides_what_is_not_there, user_of

PlayersView = Callable[[HttpRequest, Game, Seat], HttpResponse]


def for_its_players(otherwise: Promise) -> Callable[[PlayersView], Callable[..., HttpResponse]]:
    """Call a view with the game and the reader's seat; who has none is told ``otherwise``."""

    def decorate(view: PlayersView) -> Callable[..., HttpResponse]:
        @wraps(view)
        @login_required
        @hides_what_is_not_there
        def answer(request: HttpRequest, game_id: int) -> HttpResponse:
            user, game = user_of(request), game_in(request, game_id)
            if user.is_guest:
                return guests.refuse(request)
            seat = seat_of(viewer=user, game=game)
            if seat is None:
                refusal = Forbidden("no-seat", str(otherwise))
                return game_page(request, game_id, refusal=refusal)
            return view(request, game, seat)

        return answer

    return decorate
