"""Looking at a game, and moving in it."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import selectors, services
from games.errors import Invalid, Malformed, NotFound, ServiceError
from games.models import Game
from games.templatetags.wording import left
from games.views.cockpit import game_page, turn_page, version_of
from games.views.orders import entered_in
from games.views.requests import (
    game_in,
    hides_what_is_not_there,
    link_in,
    sign_in_first,
    user_of,
    viewer_of,
)


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
            "news": "" if request.GET.get("seen") == version else _news(found),
            "waiting_for": seen["waiting_for"],
            "left": left(seen["deadline"]) if seen["deadline"] else "",
        }
    )


def _news(game: Game) -> str:
    match game.status:
        case Game.Status.OPEN:
            return "Somebody sat down, or left."
        case Game.Status.CANCELLED:
            return "The game was cancelled."
        case Game.Status.OVER:
            return "The game is over."
    return f"Turn {game.turn - 1} has been played." if game.turn else "The game has started."


def action(act: Callable[[HttpRequest, Game], HttpResponse]) -> Callable[[HttpRequest, int], HttpResponse]:
    """Make a view of something that somebody who is signed in does to a game.

    What cannot be done is told on the game's page, as the game is by then.
    """

    @require_POST
    @hides_what_is_not_there
    @wraps(act)
    def view(request: HttpRequest, game_id: int) -> HttpResponse:
        found = game_in(request, game_id)
        if not request.user.is_authenticated:
            return sign_in_first(_path(request, game_id))
        try:
            return act(request, found)
        except NotFound:
            raise
        except ServiceError as refusal:
            return game_page(request, game_in(request, game_id), refusal=refusal)

    return view


@action
def join(request: HttpRequest, game: Game) -> HttpResponse:
    """Sit down at a game."""
    joined = services.join_game(
        user=user_of(request),
        game_id=game.pk,
        link=link_in(request),
        squad=request.POST.get("squad", ""),
        model=request.POST.get("model", ""),
        now=timezone.now(),
    )
    started = joined.status == Game.Status.RUNNING
    messages.success(request, "You are in, and the game has started." if started else "You are in.")
    return redirect("games:game", game.pk)


@action
def change_seat(request: HttpRequest, game: Game) -> HttpResponse:
    """Go over to another squad, or take another model, before a game starts."""
    services.change_seat(
        user=user_of(request),
        game_id=game.pk,
        squad=request.POST.get("squad", ""),
        model=request.POST.get("model", ""),
        now=timezone.now(),
    )
    messages.success(request, "Your robot is changed.")
    return redirect("games:game", game.pk)


@action
def leave(request: HttpRequest, game: Game) -> HttpResponse:
    """Stand up before a game starts."""
    services.leave_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    messages.success(request, f"You have left {game.name}.")
    return redirect("games:room")


@action
def cancel(request: HttpRequest, game: Game) -> HttpResponse:
    """Call a game off before it starts."""
    services.cancel_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    messages.success(request, f"{game.name} is cancelled.")
    return redirect("games:mine")


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


def _path(request: HttpRequest, game_id: int) -> str:
    """Return the address of a game's page, private link included."""
    path = reverse("games:game", args=[game_id])
    link = link_in(request)
    return f"{path}?{urlencode({'link': link})}" if link else path
