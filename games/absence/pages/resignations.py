"""Resigning from a game, and leaving it: what it does is said first."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.absence.selectors.resignations import outcome_of, why_not_resign
from games.absence.services.resignations import give_up_seat, resign_game
from games.errors import Forbidden, Malformed, NotFound, ServiceError
from games.pages import hides_what_is_not_there, user_of
from games.play.models import Game, Seat
from games.play.pages.actions import LEAVES_THE_PAGE
from games.play.pages.console import game_page
from games.play.pages.requests import game_in
from games.play.selectors.viewers import seat_of

WAYS = {"resign": resign_game, "leave": give_up_seat}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@hides_what_is_not_there
def resign(request: HttpRequest, game_id: int) -> HttpResponse:
    """Say what it does to resign from a game, and to leave it; on POST do one of these."""
    game = game_in(request, game_id)
    refusal: ServiceError | None = None
    if request.method == "POST":
        try:
            return _done(request, game)
        except ServiceError as error:
            if isinstance(error, NotFound) and error.code in LEAVES_THE_PAGE:
                raise
            refusal, game = error, game_in(request, game_id)
    seat = seat_of(viewer=user_of(request), game=game)
    if seat is None:
        refusal = refusal or Forbidden(
            "no-seat", _("You have no seat in this game, so there is nothing to resign.")
        )
        return game_page(request, game_id, refusal=refusal)
    return _page(request, game, seat, refusal)


def _done(request: HttpRequest, game: Game) -> HttpResponse:
    way = request.POST.get("how", "")
    if way not in WAYS:
        raise Malformed("how", _("Choose whether to resign or to leave."))
    ends = {"yes": True, "no": False}.get(request.POST.get("ends", ""))
    after = WAYS[way](user=user_of(request), game_id=game.pk, ends=ends, now=timezone.now())
    if after.status == Game.Status.RUNNING:
        said = _("You resigned. A Rookie plays on.") if way == "resign" else _("You left. A Rookie plays on.")
        messages.success(request, said)
    else:
        messages.success(request, _("The game is over."))
    return redirect("games:game", game.pk)


def _page(request: HttpRequest, game: Game, seat: Seat, refusal: ServiceError | None) -> HttpResponse:
    why_not = why_not_resign(game=game, seat=seat)
    context: dict[str, Any] = {"game": game, "seat": seat, "refusal": refusal, "why_not": why_not}
    if not why_not:
        resigned = outcome_of(game=game, seat=seat, resigns=True)
        left = outcome_of(game=game, seat=seat, resigns=False)
        context |= {"resigned": resigned, "left": left, "alone": left.ends, "competes": game.in_competition}
    return render(request, "absence/resignation.html", context, status=refusal.status if refusal else 200)
