"""A game that is over as a file to keep."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from games.errors import Conflict
from games.play.pages.console import game_page
from games.play.pages.requests import game_in
from games.play.selectors import files
from games.reading import may_be_old
from games.web.pages import hides_what_is_not_there, viewer_of


@require_safe
@never_cache
@may_be_old()
@hides_what_is_not_there
def game_file(request: HttpRequest, game_id: int) -> HttpResponse:
    """Answer with a game that is over as a game/1 document; of any other its page says why there is none."""
    game = game_in(request, game_id)
    try:
        document = files.game_file(viewer=viewer_of(request), game=game)
    except Conflict as refusal:
        return game_page(request, game_id, refusal=refusal)
    response = HttpResponse(rules.canonical(document), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="robo-runner-{game.pk}.json"'
    return response
