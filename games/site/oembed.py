"""oEmbed: the description of shared pages for other sites, as at oembed.com."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.daily.shared import page_of_day, page_of_result
from games.errors import Malformed, NotFound, ServiceError, number_in
from games.play.selectors import played_turn
from games.sharing.pages import for_other_sites
from games.sharing.selectors import CACHE_AGE, LEAST_EMBED, SharedPage, oembed_view, page_of_game, shared_game


def _page_of_turn(game_id: int, number: int | None = None) -> SharedPage:
    game = shared_game(game_id)
    if number is not None:
        played_turn(game, number)
    return page_of_game(game, number)


SHARED: Final[Mapping[str, Callable[..., SharedPage]]] = {
    "games:game": _page_of_turn,
    "games:turn": _page_of_turn,
    "sharing:embed": _page_of_turn,
    "sharing:embed_turn": _page_of_turn,
    "daily:day": page_of_day,
    "daily:result": page_of_result,
    "sharing:embed_day": page_of_day,
    "sharing:embed_day_turn": page_of_day,
    "sharing:embed_result": page_of_result,
    "sharing:embed_result_turn": page_of_result,
}
"""The views with an oEmbed document. Each function takes the arguments of the view's address.

It returns the shared page, or raises NotFound.
"""


def page_at(url: str) -> SharedPage:
    """Return the shared page at an address of this site. Raises NotFound for all other addresses."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    site = urlsplit(settings.BASE_URL)
    if parts.scheme in ("http", "https") and parts.netloc.lower() == site.netloc.lower():
        path = parts.path if parts.path.endswith("/") else f"{parts.path}/"
        try:
            found = resolve(path)
        except (Resolver404, ValueError):
            found = None
        if found and (shared := SHARED.get(found.view_name)):
            return shared(**found.kwargs)
    detail = gettext(
        "This address can’t be embedded. Use the address of a finished public game or of a daily run."
    )
    raise NotFound("no-page", detail)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the oEmbed document of a shared page as JSON. ``url`` is its address.

    ``maxwidth`` and ``maxheight`` limit the size. Errors are JSON too.
    """
    try:
        if request.GET.get("format", "json") != "json":
            raise _UnknownFormat(
                "format", gettext("There is only JSON: leave “format” out, or set it to “json”.")
            )
        if not (url := request.GET.get("url", "")):
            raise Malformed("url", gettext("The parameter “url” is missing. Set it to the URL of a game."))
        size = {name: _pixels_in(request, key) for name, key in _SIZES.items()}
        response = JsonResponse(oembed_view(page_at(url), **size))
    except ServiceError as error:
        response = JsonResponse(error.document, status=error.status)
    return for_other_sites(response, CACHE_AGE)


_SIZES: Final = {"max_width": "maxwidth", "max_height": "maxheight"}


class _UnknownFormat(ServiceError):
    """An oEmbed request for another format than JSON."""

    status = 501


def _pixels_in(request: HttpRequest, key: str) -> int | None:
    """Return a maximum size in pixels, or None if the request has none. Raises Malformed."""
    given = request.GET.get(key)
    if not given:
        return None
    pixels = number_in(given)
    if pixels is None or pixels < LEAST_EMBED:
        detail = gettext("“{key}” must be a number of pixels, at least {least}.")
        raise Malformed(key, detail.format(key=key, least=LEAST_EMBED))
    return pixels
