"""The note that a player has seen what came of a turn."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.errors import Malformed, number_in
from games.play.models import Game
from games.play.pages.actions import action
from games.play.pages.console import game_page
from games.play.pages.parts import asked_in
from games.play.services.seen import see_turn
from games.web.pages import user_of


@action
def seen(request: HttpRequest, game: Game) -> HttpResponse:
    """Note that the player has seen a turn, or does not want to.

    A script that says which parts of the page it ``has`` is answered with the others, as they are now.
    """
    number = number_in(request.POST.get("turn"), digits=9)
    if number is None:
        raise Malformed("turn", _("Give the number of the turn that you have seen."))
    seat = see_turn(user=user_of(request), game=game, turn_number=number)
    if "has" in request.GET:
        return game_page(request, game.pk, asked=asked_in(request))
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"seen": seat.seen_turn})
    return redirect("games:game", game.pk)
