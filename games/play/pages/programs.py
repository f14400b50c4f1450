"""Programming a robot: looking where chips lead, keeping drafts, giving orders, redrawing a hand.

Each is a form that posts. A script asks for the same in JSON, and gets what the page would say: then
nothing is left for the next page to tell.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import PREVIEWS, SUBMITTING, limited
from accounts.navigation import only_by_form
from games.errors import Conflict, Invalid, Malformed, ServiceError
from games.play.models import Game
from games.play.pages.actions import action
from games.play.pages.console import game_page
from games.play.pages.orders import entered_in, saved_at, standing_of
from games.play.pages.outlook import outlook_of
from games.play.pages.requests import game_in
from games.play.selectors.games import game_view
from games.play.selectors.orders import mark_of
from games.play.selectors.preview import ForeseenTurn, foresee
from games.play.services.drafts import drop_draft, save_draft
from games.play.services.hands import redeal_hand
from games.play.services.orders import submit_orders
from games.play.services.power import wake_robot
from games.reading import snapshot
from games.web.pages import hides_what_is_not_there, user_of, viewer_of

Act = Callable[[HttpRequest, Game], HttpResponse]

SIGNED_OUT = {
    "error": "not-signed-in",
    "detail": _("You have been logged out. Log in again; another window will do."),
    "problems": [],
}


@limited(SUBMITTING)
def orders(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Submit orders for a turn; what is refused is shown again, with the reasons.

    A program that destroys its robot is shown first, and taken when it is submitted again.
    """

    def submit(request: HttpRequest, game: Game) -> HttpResponse:
        entered = entered_in(request.POST)
        with snapshot():
            if (fatal := _fatal_surprise(request, game_id, number, entered)) is not None:
                return game_page(request, game_id, entered=entered, foreseen=fatal)
        try:
            submit_orders(
                user=user_of(request),
                game_id=game_id,
                turn_number=number,
                document=entered,
                instead_of=request.POST.get("instead_of"),
                now=timezone.now(),
            )
        except (Invalid, Malformed, Conflict) as refusal:
            if wants_json(request) or (isinstance(refusal, Conflict) and refusal.code != "given-elsewhere"):
                raise
            return game_page(request, game_id, refusal=refusal, entered=entered)
        said = _received(number, entered)
        if wants_json(request):
            return JsonResponse({"said": said} | _standing(request, game_id))
        messages.success(request, said)
        return redirect("games:game", game_id)

    return _answered(submit)(request, game_id)


@limited(PREVIEWS)
def preview(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show where orders lead if no other robot gets in the way; nothing is kept of them (GR-1.1)."""

    def look(request: HttpRequest, game: Game) -> HttpResponse:
        entered = entered_in(request.POST)
        try:
            seen = foresee(viewer=viewer_of(request), game=game, turn_number=number, document=entered)
        except (Invalid, Malformed) as refusal:
            if wants_json(request):
                raise
            return game_page(request, game_id, refusal=refusal, entered=entered)
        if wants_json(request):
            outlook = outlook_of(seen)
            answer = {"drawing": outlook.drawing, "said": outlook.summary, "warning": outlook.warning}
            return JsonResponse(answer)
        return game_page(request, game_id, entered=entered, foreseen=seen)

    with snapshot():
        return _answered(look)(request, game_id)


def draft(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Keep what is laid so far; asked without anything to keep, tell a script what counts now."""
    if request.method != "POST":
        return _current(request, game_id)

    def keep(request: HttpRequest, game: Game) -> HttpResponse:
        if "drop" in request.POST:
            drop_draft(user=user_of(request), game_id=game_id, turn_number=number)
            return JsonResponse(_standing(request, game_id)) if wants_json(request) else redirect(game)
        entered = entered_in(request.POST)
        try:
            kept = save_draft(
                user=user_of(request),
                game_id=game_id,
                turn_number=number,
                document=entered,
                now=timezone.now(),
            )
        except (Invalid, Malformed) as refusal:
            if wants_json(request):
                raise
            return game_page(request, game_id, refusal=refusal, entered=entered)
        if wants_json(request):
            return JsonResponse(_standing(request, game_id))
        if kept:
            messages.success(
                request,
                gettext("Draft, saved {time}: not submitted.").format(time=saved_at(kept.saved_at)),
            )
        else:
            messages.info(request, gettext("There is nothing to save: you have not changed your orders."))
        return redirect("games:game", game_id)

    return _answered(keep)(request, game_id)


def redeal(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Redraw a hand; the orders that need no chips, such as a heading, stay in the form."""
    rest = {key: value for key, value in entered_in(request.POST).items() if key != "registers"}
    redraw = partial(redeal_hand, rest=rest)
    return _acted(request, game_id, number, redraw, gettext("You have redrawn your hand."))


def wake(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Switch a robot on that was off, and show its hand."""
    said = gettext("Your robot is switched on. This is your hand.")
    return _acted(request, game_id, number, wake_robot, said)


def _acted(
    request: HttpRequest, game_id: int, number: int, act: Callable[..., Game], said: str
) -> HttpResponse:
    """Do something about one's own hand of a turn, and go back to the game with what is ``said`` of it."""

    @action
    def acted(request: HttpRequest, game: Game) -> HttpResponse:
        act(user=user_of(request), game_id=game_id, turn_number=number, now=timezone.now())
        messages.success(request, said)
        return redirect("games:game", game_id)

    return acted(request, game_id)


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script asks, rather than a form."""
    return "application/json" in request.headers.get("Accept", "")


def _fatal_surprise(
    request: HttpRequest, game_id: int, number: int, entered: dict[str, Any]
) -> ForeseenTurn | None:
    """Return where a program leads that destroys its robot, if its player has not been told so yet.

    Plain forms alone are asked: a script says it while chips are laid. What is wrong with the orders,
    submitting them will say.
    """
    told = request.POST.get("despite") == mark_of(entered)
    if wants_json(request) or told or "registers" not in entered or not user_of(request).aid:
        return None
    game = game_in(request, game_id)
    try:
        seen = foresee(viewer=viewer_of(request), game=game, turn_number=number, document=entered)
    except ServiceError:
        return None
    return seen if seen.is_fatal else None


def _answered(act: Act) -> Callable[[HttpRequest, int], HttpResponse]:
    """Make a view of an action that refuses in JSON where a script asks."""
    page = action(act)

    @only_by_form
    @hides_what_is_not_there
    def view(request: HttpRequest, game_id: int) -> HttpResponse:
        if not wants_json(request):
            return page(request, game_id)
        game = game_in(request, game_id)
        if not request.user.is_authenticated:
            return JsonResponse(SIGNED_OUT, status=401)
        try:
            return act(request, game)
        except ServiceError as refusal:
            return JsonResponse(refusal.document | _standing(request, game_id), status=refusal.status)

    return view


@require_safe
@never_cache
@hides_what_is_not_there
def _current(request: HttpRequest, game_id: int) -> HttpResponse:
    game_in(request, game_id)
    return JsonResponse(_standing(request, game_id))


def _standing(request: HttpRequest, game_id: int) -> dict[str, Any]:
    """Return what an open page compares with what it shows: see `orders.standing_of`."""
    with snapshot():
        return standing_of(game_view(viewer=viewer_of(request), game=game_in(request, game_id)))


def _received(turn: int, entered: dict[str, Any]) -> str:
    if turn == 0:
        return gettext("Your heading is in.")
    if "registers" not in entered:
        return gettext("Your orders for turn {turn} are in.").format(turn=turn)
    return gettext("Your program for turn {turn} is in.").format(turn=turn)
