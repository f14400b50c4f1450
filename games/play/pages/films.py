"""A played turn as data, for the player of a page."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from games.pages import hides_what_is_not_there, viewer_of
from games.play import stored
from games.play.models import Game, Turn
from games.play.pages.crew import races
from games.play.pages.grid import Grid
from games.play.pages.playback import Film
from games.play.pages.requests import game_in
from games.play.pages.scenery import Scenery
from games.play.pages.told import told_turn
from games.play.selectors import replay as play_replay
from games.play.selectors.gathering import gather_for_orders, last_turns
from games.play.selectors.viewers import seat_of
from games.replicas import may_be_old

Document = dict[str, Any]

KEPT = 24 * 60 * 60
"""Seconds for which a browser need not ask for a film again: a played turn never changes."""


@require_safe
@may_be_old()
@hides_what_is_not_there
def film(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Answer a played turn as JSON: what happens in it, instant by instant, and its text.

    ``film`` has the poses at the start, and the instants (see `Frame`); ``board`` draws what a turn may
    change of the board, as it is at the start; ``words`` describe the board at the start and at the end;
    ``log`` is the text as a part of a page, and ``grid`` all robots as a table.
    """
    found = game_in(request, game_id)
    response: HttpResponse = JsonResponse(film_of(request, found, number))
    response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    patch_cache_control(response, private=True, max_age=KEPT)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


def film_of(request: HttpRequest, game: Game, number: int) -> Document:
    """Return a turn as its viewer may see it; raises NotFound for one that was not played."""
    viewer = viewer_of(request)
    gather_for_orders(game=game)
    turn = last_turns(game=game).get(number)
    played = turn if turn and turn.status == Turn.Status.RESOLVED else None
    replay = play_replay.replay(game=game, number=number, turn=played)
    seat, ruleset = seat_of(viewer=viewer, game=game), stored.setup_of(game).ruleset
    scenery = Scenery(replay, request.user.get_username() if seat and races(ruleset) else None)
    grid = Grid(replay, limit=ruleset.damage_limit, mine=seat.number - 1 if seat else None)
    shown = Film(replay, scenery, grid)
    context = {"grid": grid, "start": replay.start}
    return {
        "turn": number,
        "film": shown.document,
        "board": scenery.board(shown.entering),
        "words": scenery.words,
        "log": told_turn(game, replay).log,
        "grid": render_to_string("play/grid.html", context),
    }
