"""The game that a request is about."""

from django.http import HttpRequest

from games.pages import viewer_of
from games.play.models import Game
from games.play.selectors.viewers import game_for


def link_in(request: HttpRequest) -> str:
    """Return the token of a private game's link that the request came by."""
    return request.GET.get("link") or request.POST.get("link") or ""


def game_in(request: HttpRequest, game_id: int) -> Game:
    """Return a game; raises NotFound where the viewer may not know of it."""
    return game_for(viewer=viewer_of(request), game_id=game_id, link=link_in(request))
