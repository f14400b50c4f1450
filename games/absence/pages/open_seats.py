"""Seats on a game's page that anybody may take over."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.navigation import only_by_form
from games.absence.news import WHY
from games.absence.selectors.open_seats import seat_to_return_to, seats_offered, why_not_back
from games.absence.services.open_seats import take_seat
from games.errors import NotFound, ServiceError
from games.pages import hides_what_is_not_there, sign_in_first, user_of
from games.play.models import Game, Replacement
from games.play.pages.actions import LEAVES_THE_PAGE
from games.play.pages.console import game_page
from games.play.pages.requests import game_in, link_in, path_of
from games.play.pages.sight import Sight
from games.play.selectors.gathering import seats_of


def offers_panel(sight: Sight) -> dict[str, Any]:
    """Return the seats that a viewer without one may take over, and the one that was theirs, if so.

    A person who was sent away, or has resigned, is told so instead.
    """
    game = sight.game
    if sight.seat is not None:
        return {}
    user = sight.viewer
    person = user if isinstance(user, User) and game.status == Game.Status.RUNNING else None
    if person and (why := why_not_back(user=person, game=game)):
        return {"says": why}
    offers = seats_offered(seats=seats_of(game), game=game)
    own = seat_to_return_to(user=person, game=game) if offers and person else None
    lost = WHY.get(Replacement.Reason(own.replacements.latest("pk").reason)) if own else None
    return {"offers": offers, "own": own, "own_lost": lost}


@only_by_form
@hides_what_is_not_there
def take(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Take a seat over from its computer, or come back to one's own."""
    game = game_in(request, game_id)
    if not request.user.is_authenticated:
        return sign_in_first(path_of(request, game_id))
    try:
        take_seat(
            user=user_of(request), game_id=game.pk, seat=number, link=link_in(request), now=timezone.now()
        )
    except ServiceError as refusal:
        if isinstance(refusal, NotFound) and refusal.code in LEAVES_THE_PAGE:
            raise
        return game_page(request, game_id, refusal=refusal)
    messages.success(request, _("The seat and its robot are yours now."))
    return redirect("games:game", game.pk)
