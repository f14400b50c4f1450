"""The note that a player has seen what came of a turn."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.errors import Malformed
from games.pages import user_of
from games.play.models import Game
from games.play.pages.actions import action
from games.play.services.seen import see_turn


@action
def seen(request: HttpRequest, game: Game) -> HttpResponse:
    """Note that the player has seen a turn, or does not want to."""
    number = request.POST.get("turn", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Malformed("turn", _("Give the number of the turn that you have seen."))
    seat = see_turn(user=user_of(request), game_id=game.pk, turn_number=int(number))
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"seen": seat.seen_turn})
    return redirect("games:game", game.pk)
