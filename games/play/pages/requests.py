"""The game that a request is about."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from games.play.models import Game
from games.play.selectors.viewers import game_for
from games.web.pages import viewer_of


def link_in(request: HttpRequest) -> str:
    """Return the token of a private game's link that the request came by."""
    return request.GET.get("link") or request.POST.get("link") or ""


def query_in(request: HttpRequest) -> str:
    """Return the query of a game's page: the private link that the request came by, if there is one."""
    link = link_in(request)
    return f"?{urlencode({'link': link})}" if link else ""


def path_of(request: HttpRequest, game_id: int) -> str:
    """Return the address of a game's page, private link included."""
    return reverse("games:game", args=[game_id]) + query_in(request)


def game_in(request: HttpRequest, game_id: int) -> Game:
    """Return a game; raises NotFound where the viewer may not know of it."""
    return game_for(viewer=viewer_of(request), game_id=game_id, link=link_in(request))
