"""The note that a player has seen what came of a turn."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from games import services
from games.errors import Malformed
from games.models import Game
from games.views.acting import action
from games.views.requests import user_of


@action
def seen(request: HttpRequest, game: Game) -> HttpResponse:
    """Note that the player has seen a turn, or does not want to."""
    number = request.POST.get("turn", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Malformed("turn", "Say which turn you have seen, by its number.")
    seat = services.see_turn(user=user_of(request), game_id=game.pk, turn_number=int(number))
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"seen": seat.seen_turn})
    return redirect("games:game", game.pk)
