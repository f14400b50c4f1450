"""The board as a played turn left it, as a picture: for previews of links, feeds and other sites."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

import rules
from games.fleet.pages.drawings import THUMBNAIL_CELL, kept_for_ever, require_theme
from games.fleet.pictures import empty_board
from games.fleet.raster import board_picture
from games.play import stored
from games.play.models import Game, Turn
from games.play.pages.requests import game_in
from games.play.selectors.log import played_turn
from games.reading import may_be_old
from games.web.pages import hides_what_is_not_there


@require_safe
@may_be_old()
@hides_what_is_not_there
def picture(request: HttpRequest, game_id: int, number: int, theme: str) -> HttpResponse:
    """Answer with the board at the end of a turn, as anyone sees it who may know of the game.

    It never changes, and a game that has started stays private or public.
    """
    require_theme(theme)
    game = game_in(request, game_id)
    turn = played_turn(game, number)
    answer = HttpResponse(_drawn(game, turn, theme), content_type="image/png")
    if game.private:
        patch_vary_headers(answer, ["Cookie"])
    return kept_for_ever(answer, public=not game.private)


@require_safe
@may_be_old()
@hides_what_is_not_there
def drawing(request: HttpRequest, game_id: int, theme: str) -> HttpResponse:
    """Draw the board of a game without robots, small, for lists: a board that is none of the library.

    It never changes once the game has started.
    """
    require_theme(theme)
    game = game_in(request, game_id)
    ship = stored.drawn_board(stored.setup_of(game))
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    if game.private:
        patch_vary_headers(answer, ["Cookie"])
    return answer if game.started_at is None else kept_for_ever(answer, public=not game.private)


def _drawn(game: Game, turn: Turn, theme: str) -> bytes:
    ship = stored.drawn_board(stored.setup_of(game))
    seen = rules.view(stored.state_of(turn, ship))
    return board_picture(
        ship,
        robots=[each for each in seen.robots if not each.crystal],
        hull=seen.hull,
        links=seen.links,
        crystal=seen.crystal,
        looks=stored.looks_of(game),
        theme=theme,
    )
