"""Pages of shared games: pictures, text, clips, and embedded players for other sites."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, cast

from csp.constants import SELF
from csp.decorators import csp
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

import rules
from accounts import limits
from games.errors import NotFound, ServiceError
from games.films.pages.film import turn_films
from games.fleet.pictures import board_at
from games.play import stored
from games.play.models import Game
from games.play.selectors import played_turn
from games.reading import allow_replica
from games.sharing import clips
from games.sharing.drawing import share_picture
from games.sharing.models import Clip
from games.sharing.selectors import (
    CACHE_AGE,
    last_turn_of,
    page_of_game,
    placings_of,
    result_of,
    shared_game,
    text_of,
)
from games.web.actions import Done, action
from games.web.pages import handle_missing, user_of
from games.work.jobs import reason_in_words

View = Callable[..., HttpResponse]

PICTURE_SECONDS: Final = 24 * 60 * 60
"""The number of seconds that caches may keep a picture or clip."""


def for_other_sites(response: HttpResponse, seconds: int) -> HttpResponse:
    """Allow other sites to show a response, and caches to keep it for some ``seconds``."""
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(response, public=True, max_age=seconds)
    return response


# --- Pictures and text --------------------------------------------------------------------------------------


@require_safe
@allow_replica()
@handle_missing
def picture(request: HttpRequest, game_id: int, number: int | None = None) -> HttpResponse:
    """Return the picture for previews of a finished public game, or of one of its turns, as PNG."""
    game = shared_game(game_id)
    turn = played_turn(game, _last(game) if number is None else number)
    ship = stored.drawn_board(stored.setup_of(game))
    seen = rules.view(stored.state_of(turn, ship))
    placings = placings_of(game) if number is None else ()
    made = share_picture(ship, seen, looks=stored.looks_of(game), placings=placings)
    return for_other_sites(HttpResponse(made, content_type="image/png"), PICTURE_SECONDS)


@require_safe
@never_cache
@allow_replica()
@handle_missing
def text(request: HttpRequest, game_id: int) -> HttpResponse:
    """Return a finished public game as plain text, turn by turn."""
    game = shared_game(game_id)
    response = HttpResponse("\n".join(text_of(game)) + "\n", content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="robo-runner-{game.pk}.txt"'
    return response


def _last(game: Game) -> int:
    last = last_turn_of(game)
    assert last is not None
    return last


# --- Clips --------------------------------------------------------------------------------------------------


def _clip_page(
    request: HttpRequest, game_id: int, number: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show the clip of a turn, its progress, or the button to make it."""
    game = shared_game(game_id)
    played_turn(game, number)
    clip = clips.clip_of(game_id=game.pk, number=number)
    address = reverse("sharing:clip_file", args=[game.pk, number])
    context = {
        "game": game,
        "number": number,
        "clip": clip,
        "done": clip is not None and clip.status == Clip.Status.DONE,
        "failure": reason_in_words(clip.failure) if clip and clip.failure else "",
        "address": address,
        "link": settings.BASE_URL + address,
        "refusal": refusal,
    }
    response = render(request, "sharing/clip.html", context, status=refusal.status if refusal else 200)
    patch_cache_control(response, private=True, no_store=True)
    return response


@action(page=_clip_page, guests=True)
def _make_clip(request: HttpRequest, game_id: int, number: int) -> Done:
    address = limits.address_of(request)
    clips.request_clip(
        user=user_of(request), address=address, game_id=game_id, number=number, now=timezone.now()
    )
    return Done(then=reverse("sharing:clip", args=[game_id, number]))


@handle_missing
def clip(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show the clip of a turn. POST requests it. Everyone sees it, and people with a login request it."""
    make: View = _make_clip
    return (_clip_page if request.method in limits.SAFE_METHODS else make)(
        request, game_id=game_id, number=number
    )


@require_safe
@handle_missing
def clip_file(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Return the clip of a turn as an animated WebP file."""
    file = clips.clip_file(game_id=shared_game(game_id).pk, number=number)
    return for_other_sites(HttpResponse(file, content_type="image/webp"), PICTURE_SECONDS)


# --- Embedded players ---------------------------------------------------------------------------------------


EMBED_POLICY: Final[dict[str, Any]] = {
    "default-src": ["'none'"],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["*"],
}
"""The content security policy of embedded players. Any site may show them, and they load only from here."""


def embedded(view: View) -> View:
    """Make a view an embedded player: any site may show it, and caches may keep it for `CACHE_AGE`."""

    @wraps(view)
    def answer(request: HttpRequest, **place: Any) -> HttpResponse:
        try:
            response = view(request, **place)
        except NotFound as error:
            context = {"detail": error.detail}
            response = render(request, "sharing/embed_missing.html", context, status=NotFound.status)
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Robots-Tag"] = "noindex"  # search engines list the page itself
        return for_other_sites(response, CACHE_AGE)

    return cast("View", require_safe(csp(EMBED_POLICY)(xframe_options_exempt(answer))))


@embedded
def embed(request: HttpRequest, game_id: int, number: int | None = None) -> HttpResponse:
    """Show the player of a finished public game, by default with its last turn."""
    game = shared_game(game_id)
    first, last = stored.first_turn(game), _last(game)
    turn = last if number is None else number
    films = turn_films(game=game, number=turn)
    replay = films.replay
    staged = films.staged(None)
    goal = stored.checkpoints_of(films.setup) or None
    context = {
        "heading": game.name,
        "page": page_of_game(game, turn),
        "turn": turn,
        "last": last,
        "result": result_of(game) if turn == last else "",
        "board": board_at(replay.end, replay.ship, looks=replay.looks, goal=goal),
        "film": staged.film,
        "document": {
            "turn": turn,
            "film": staged.film.shown_to().document,
            "board": staged.board,
            "words": staged.words,
            "log": "",
            "grid": "",
        },
    }
    context |= ways_between(turn, first, last, lambda to: reverse("sharing:embed_turn", args=[game.pk, to]))
    return render(request, "sharing/embed.html", context)


def ways_between(turn: int, first: int, last: int, address_of: Callable[[int], str]) -> dict[str, str]:
    """Return the addresses of the embedded players of the turns before and after a turn."""
    return {
        "previous": address_of(turn - 1) if turn > first else "",
        "following": address_of(turn + 1) if turn < last else "",
    }
