"""Views for films and pictures of played turns, and for files of finished games."""

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
from games.films.scenery import Grid
from games.fleet.pages.drawings import THUMBNAIL_CELL, cache_permanently, require_theme
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
"""The maximum time that browsers cache a film, in seconds. It is long, as played turns never change."""


@require_safe
@allow_replica()
@handle_missing
def film(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Return the film of a played turn as JSON.

    ``film`` has the poses of robots at the start, and the instants of the turn (see `Frame`). ``board`` is a
    drawing of the parts of the board that can change, as they are at the start. ``words`` describe the board
    at the start and at the end. ``log`` is the text of the turn as HTML, and ``grid`` an HTML table of all
    robots.
    """
    found = game_in(request, game_id)
    response = HttpResponse(film_of(request, found, number), content_type="application/json")
    response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    patch_cache_control(response, private=True, max_age=CACHE_SECONDS)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


def film_of(request: HttpRequest, game: Game, number: int) -> bytes:
    """Return the film of a turn for one viewer, as JSON. Raises NotFound if the turn was not played."""
    viewer = viewer_of(request)
    prefetch_seats_for_orders(game=game)
    turn = last_turns(game=game).get(number)
    played = turn if turn and turn.status == Turn.Status.RESOLVED else None
    films = turn_films(game=game, number=number, turn=played)
    seat = None if game.is_on_one_screen else seat_of(viewer=viewer, game=game)  # all watch one screen
    ruleset = films.setup.ruleset
    racer = seat.robo_name if seat and has_checkpoints(ruleset) else None
    mine = seat.number - 1 if seat else None
    return films.cached_document((mine, racer), lambda: encoded_film(films, mine, racer))


def encoded_film(films: TurnFilms, mine: int | None, racer: str | None) -> bytes:
    """Return the film of a turn for a viewer, as JSON. ``mine`` is the index of the viewer's robot, or None.

    ``racer`` is the name of this robot if the ruleset has checkpoints, else None.
    """
    staged = films.staged(racer)
    grid = Grid(films.replay, limit=films.setup.ruleset.damage_limit, mine=mine)
    document = {
        "turn": films.replay.turn,
        "film": staged.film.shown_to(grid=grid, mine=mine).document,
        "board": staged.board,
        "words": staged.words,
        "log": films.text(mine).log,
        "grid": render_to_string("play/grid.html", {"grid": grid, "start": films.replay.start}),
    }
    return json.dumps(document).encode()


@require_safe
@allow_replica()
@handle_missing
def picture(request: HttpRequest, game_id: int, number: int, theme: str) -> HttpResponse:
    """Return a picture of the board at the end of a played turn, without secrets, as PNG.

    The response can be cached forever, because a played turn never changes, and a game cannot become private
    or public once it has started.
    """
    require_theme(theme)
    game = game_in(request, game_id)
    turn = played_turn(game, number)
    answer = HttpResponse(_drawn(game, turn, theme), content_type="image/png")
    if game.private:
        patch_vary_headers(answer, ["Cookie"])
    return cache_permanently(answer, public=not game.private)


@require_safe
@allow_replica()
@handle_missing
def drawing(request: HttpRequest, game_id: int, theme: str) -> HttpResponse:
    """Return a small drawing of a game's board without robots, for lists, as SVG.

    Lists need it for boards that are not in the library. The drawing never changes once the game has started.
    """
    require_theme(theme)
    game = game_in(request, game_id)
    ship = stored.drawn_board(stored.setup_of(game))
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    if game.private:
        patch_vary_headers(answer, ["Cookie"])
    return answer if game.started_at is None else cache_permanently(answer, public=not game.private)


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
    """Return a finished game as a game/1 file. If there is no file, show the reason on the game's page."""
    game = game_in(request, game_id)
    try:
        document = files.game_file(game=game)
    except Conflict as refusal:
        return game_page(request, game_id, refusal=refusal)
    response = HttpResponse(rules.canonical(document), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="robo-runner-{game.pk}.json"'
    return response
