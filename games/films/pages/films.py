"""Films and pictures of played turns, and files of finished games."""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from games.errors import Conflict
from games.films import game_file as files
from games.films.pages.film import TurnFilms, turn_films
from games.films.pages.scenery import Grid
from games.fleet.pages.drawings import THUMBNAIL_CELL, kept_for_ever, require_theme
from games.fleet.pictures import empty_board
from games.fleet.raster import board_picture
from games.play import stored
from games.play.models import Game, Turn
from games.play.pages.console import game_in, game_page
from games.play.pages.crew import has_checkpoints
from games.play.selectors import last_turns, played_turn, prefetch_seats_for_orders
from games.play.viewers import seat_of
from games.reading import allow_replica
from games.web.pages import handle_missing, viewer_of

Document = dict[str, Any]

CACHE_SECONDS = 24 * 60 * 60
"""Browser cache time of a film, in seconds. A played turn never changes."""


@require_safe
@allow_replica()
@handle_missing
def film(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Return a played turn as JSON: its events, instant by instant, and its text.

    ``film`` has the poses at the start, and the instants (see `Frame`). ``board`` draws the changing layers
    of the board at the start. ``words`` describe the board at the start and the end. ``log`` is the text as
    HTML, and ``grid`` a table of all robots.
    """
    found = game_in(request, game_id)
    response = HttpResponse(film_of(request, found, number), content_type="application/json")
    response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    patch_cache_control(response, private=True, max_age=CACHE_SECONDS)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


def film_of(request: HttpRequest, game: Game, number: int) -> bytes:
    """Return a played turn as JSON for its viewer. Raises NotFound for any other turn."""
    viewer = viewer_of(request)
    prefetch_seats_for_orders(game=game)
    turn = last_turns(game=game).get(number)
    played = turn if turn and turn.status == Turn.Status.RESOLVED else None
    films = turn_films(game=game, number=number, turn=played)
    seat, ruleset = seat_of(viewer=viewer, game=game), films.setup.ruleset
    racer = request.user.get_username() if seat and has_checkpoints(ruleset) else None
    mine = seat.number - 1 if seat else None
    return films.copy((mine, racer), lambda: json.dumps(_film(films, mine, racer)).encode())


def _film(films: TurnFilms, mine: int | None, racer: str | None) -> Document:
    """Return a turn for a viewer. ``mine`` is the index of their robot.

    ``racer`` is its name in rulesets with checkpoints.
    """
    staged = films.staged(racer)
    grid = Grid(films.replay, limit=films.setup.ruleset.damage_limit, mine=mine)
    return {
        "turn": films.replay.turn,
        "film": staged.film.shown_to(grid=grid).document,
        "board": staged.board,
        "words": staged.words,
        "log": films.text.log,
        "grid": render_to_string("play/grid.html", {"grid": grid, "start": films.replay.start}),
    }


@require_safe
@allow_replica()
@handle_missing
def picture(request: HttpRequest, game_id: int, number: int, theme: str) -> HttpResponse:
    """Return a picture of the board at the end of a turn, without secrets.

    It can be cached for ever: a turn never changes, and a started game stays private or public.
    """
    require_theme(theme)
    game = game_in(request, game_id)
    turn = played_turn(game, number)
    answer = HttpResponse(_drawn(game, turn, theme), content_type="image/png")
    if game.private:
        patch_vary_headers(answer, ["Cookie"])
    return kept_for_ever(answer, public=not game.private)


@require_safe
@allow_replica()
@handle_missing
def drawing(request: HttpRequest, game_id: int, theme: str) -> HttpResponse:
    """Return a small drawing of a game's board without robots, for lists.

    It is for boards outside the library, and never changes once the game has started.
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


@require_safe
@never_cache
@allow_replica()
@handle_missing
def game_file(request: HttpRequest, game_id: int) -> HttpResponse:
    """Return a finished game as a game/1 file. Otherwise, explain why on its page."""
    game = game_in(request, game_id)
    try:
        document = files.game_file(game=game)
    except Conflict as refusal:
        return game_page(request, game_id, refusal=refusal)
    response = HttpResponse(rules.canonical(document), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="robo-runner-{game.pk}.json"'
    return response
