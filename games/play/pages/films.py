"""A played turn as data, for the player of a page."""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from games.play.models import Game, Turn
from games.play.pages.crew import races
from games.play.pages.grid import Grid
from games.play.pages.reels import Reel, reel_of
from games.play.pages.requests import game_in
from games.play.selectors.gathering import gather_for_orders, last_turns
from games.play.selectors.viewers import seat_of
from games.reading import may_be_old
from games.web.pages import hides_what_is_not_there, viewer_of

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
    response = HttpResponse(film_of(request, found, number), content_type="application/json")
    response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    patch_cache_control(response, private=True, max_age=KEPT)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


def film_of(request: HttpRequest, game: Game, number: int) -> bytes:
    """Return a turn as its viewer may see it, as JSON; raises NotFound for one that was not played."""
    viewer = viewer_of(request)
    gather_for_orders(game=game)
    turn = last_turns(game=game).get(number)
    played = turn if turn and turn.status == Turn.Status.RESOLVED else None
    reel = reel_of(game=game, number=number, turn=played)
    seat, ruleset = seat_of(viewer=viewer, game=game), reel.setup.ruleset
    racer = request.user.get_username() if seat and races(ruleset) else None
    mine = seat.number - 1 if seat else None
    return reel.copy((mine, racer), lambda: json.dumps(_film(reel, mine, racer)).encode())


def _film(reel: Reel, mine: int | None, racer: str | None) -> Document:
    """Return a turn for the viewer whose robot is ``mine``, by index, and called ``racer`` where it races."""
    stage = reel.stage(racer)
    grid = Grid(reel.replay, limit=reel.setup.ruleset.damage_limit, mine=mine)
    return {
        "turn": reel.replay.turn,
        "film": stage.film.shown_to(grid=grid).document,
        "board": stage.board,
        "words": stage.words,
        "log": reel.told.log,
        "grid": render_to_string("play/grid.html", {"grid": grid, "start": reel.replay.start}),
    }
