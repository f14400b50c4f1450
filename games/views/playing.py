"""Looking at a game, and moving in it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games import selectors, services
from games.errors import Invalid, Malformed
from games.models import Game
from games.templatetags.wording import left
from games.views.acting import action
from games.views.cockpit import game_page, turn_page, version_of
from games.views.orders import entered_in
from games.views.requests import game_in, hides_what_is_not_there, user_of, viewer_of


@require_safe
@never_cache
@hides_what_is_not_there
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game as it is now."""
    return game_page(request, game_in(request, game_id))


@require_safe
@hides_what_is_not_there
def turn(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show a turn that was played."""
    return turn_page(request, game_in(request, game_id), number)


@require_safe
@never_cache
@hides_what_is_not_there
def pulse(request: HttpRequest, game_id: int) -> JsonResponse:
    """Tell an open page whether it is out of date (``seen`` is its version), and who is waited for."""
    found = game_in(request, game_id)
    seen = selectors.game_view(viewer=viewer_of(request), game=found)
    version = version_of(seen)
    return JsonResponse(
        {
            "version": version,
            "news": "" if request.GET.get("seen") == version else f"{_news(found)}{_brought(request, found)}",
            "waiting_for": seen["waiting_for"],
            "left": left(seen["deadline"]) if seen["deadline"] else "",
        }
    )


def _news(game: Game) -> str:
    match game.status:
        case Game.Status.OPEN:
            return "Something has changed here."
        case Game.Status.CANCELLED:
            return "The game was cancelled."
        case Game.Status.OVER:
            return "The game is over."
    return f"Turn {game.turn - 1} has been played." if game.turn else "The game has started."


def _brought(request: HttpRequest, game: Game) -> str:
    """Say that the viewer has earned something in a game, where they do not know it yet."""
    user = request.user
    if not isinstance(user, User) or not any(
        earned["game"]["id"] == game.pk for earned in selectors.new_achievements(user=user)
    ):
        return ""
    return " It has brought you an achievement."


def redeal(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Have a hand dealt anew, for a robot that may."""

    @action
    def deal(request: HttpRequest, game: Game) -> HttpResponse:
        services.redeal_hand(user=user_of(request), game_id=game_id, turn_number=number, now=timezone.now())
        messages.success(request, "Your hand was dealt anew.")
        return redirect("games:game", game_id)

    return deal(request, game_id)


def orders(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Submit orders for a turn; what is refused is shown again, with the reasons."""

    @action
    def submit(request: HttpRequest, game: Game) -> HttpResponse:
        entered = entered_in(request.POST)
        try:
            services.submit_orders(
                user=user_of(request),
                game_id=game_id,
                turn_number=number,
                document=entered,
                now=timezone.now(),
            )
        except (Invalid, Malformed) as refusal:
            return game_page(request, game, refusal=refusal, entered=entered)
        messages.success(request, _received(number, entered))
        return redirect("games:game", game_id)

    return submit(request, game_id)


def preview(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show where orders would lead, were the robot alone; nothing is kept of them (GR-1.1)."""

    @action
    def look(request: HttpRequest, game: Game) -> HttpResponse:
        entered = entered_in(request.POST)
        try:
            seen = selectors.preview(
                viewer=viewer_of(request), game=game, turn_number=number, document=entered
            )
        except (Invalid, Malformed) as refusal:
            return game_page(request, game, refusal=refusal, entered=entered)
        return game_page(request, game, entered=entered, preview=seen)

    return look(request, game_id)


def _received(turn: int, entered: dict[str, Any]) -> str:
    if turn == 0:
        return "Your heading is in."
    if "registers" not in entered:
        return f"Your orders for turn {turn} are in."
    return f"Your program for turn {turn} is in."
