"""Pages about standing orders, sitters, open seats, and resigning from or leaving a game."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts.models import Standing, User
from games.absence.inputs import GameStandingOrders, NewSitter, StandingOrders
from games.absence.missed_turns import change_standing, change_standing_of_game
from games.absence.models import Replacement
from games.absence.news import WHY
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.absence.selectors import (
    departure_outcome,
    seat_to_return_to,
    seats_offered,
    why_not_back,
    why_not_resign,
)
from games.absence.sitters import accept_sitting, ask_sitter, end_sitting, sitters_of
from games.clocks.selectors import DAYS_A_YEAR
from games.errors import Malformed
from games.play import policy, stored
from games.play.models import Game
from games.play.pages.actions import game_action, seat_for, show_refusal
from games.play.pages.console import PageContext, link_in
from games.play.selectors import excused_in_words, seats_of
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import user_of

StandingForm = form_of(StandingOrders)
GameStandingForm = form_of(GameStandingOrders)


@action(
    StandingForm,
    template="absence/settings.html",
    context=lambda request: {"initial": {"standing": user_of(request).standing}},
    says=_("Your standing orders are saved."),
    then="people:standing",
)
def standing(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Change a player's standing orders for all games."""
    change_standing(user=user_of(request), **asked)


def _standing_of_game(request: HttpRequest, game_id: int) -> dict[str, Any]:
    otherwise = _("You have no seat in this game, so you have no standing orders for it.")
    game, seat = seat_for(request, game_id, otherwise)
    return {
        "game": game,
        "initial": {"standing": seat.standing},
        "general": Standing(user_of(request).standing).label,
        "counts": stored.absence_of(game).policy == policy.STANDING and not game.ended_at,
        "left": excused_in_words(seat=seat) if game.started_at else "",
    }


@action(
    GameStandingForm,
    template="absence/standing_orders.html",
    context=_standing_of_game,
    refused_on=show_refusal,
    says=_("Your standing orders for this game are saved."),
    guests=True,  # guests need a seat like anyone, and learn nothing of private games
)
def standing_of_game(request: HttpRequest, game_id: int, asked: dict[str, Any]) -> None:
    """Change a player's standing orders for one game."""
    change_standing_of_game(user=user_of(request), game_id=game_id, **asked)


def offers_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context for a game's open seats and the viewer's former seat, if there is one.

    If the viewer may not come back to the game, the context has only the reason. If the viewer has a seat,
    the context is empty.
    """
    game = page.game
    if page.seat is not None:
        return {}
    user = page.viewer
    person = user if isinstance(user, User) and game.status == Game.Status.RUNNING else None
    if person and (why := why_not_back(user=person, game=game)):
        return {"status_message": why}
    offers = seats_offered(seats=seats_of(game), game=game)
    own = seat_to_return_to(user=person, game=game) if offers and person else None
    lost = WHY.get(Replacement.Reason(own.replacements.latest("pk").reason)) if own else None
    return {"offers": offers, "own": own, "own_lost": lost}


@game_action(says=_("You took over the seat. Its robot is yours now."))
def take_over(request: HttpRequest, game: Game, number: int) -> Done:
    """Take over a seat from its computer, or come back to a former seat."""
    take_seat(user=user_of(request), game_id=game.pk, seat=number, link=link_in(request), now=timezone.now())
    return Done(then=game)


DEPARTURES = {"resign": resign_game, "leave": give_up_seat}


def _resignation(request: HttpRequest, game_id: int) -> dict[str, Any]:
    otherwise = _("You have no seat in this game, so there is nothing to resign.")
    game, seat = seat_for(request, game_id, otherwise)
    why_not = why_not_resign(game=game, seat=seat)
    context: dict[str, Any] = {"game": game, "seat": seat, "why_not": why_not}
    if not why_not:
        resigned = departure_outcome(game=game, seat=seat, resigns=True)
        left = departure_outcome(game=game, seat=seat, resigns=False)
        context |= {"resigned": resigned, "left": left, "alone": left.ends, "competes": game.in_competition}
    return context


@never_cache
@action(template="absence/resignation.html", context=_resignation, refused_on=show_refusal, guests=True)
def resign(request: HttpRequest, game_id: int) -> Done:
    """Explain the effects of resigning and of leaving a game. On POST, resign or leave."""
    way = request.POST.get("how", "")
    if way not in DEPARTURES:
        raise Malformed("how", gettext("Choose to resign or to leave."))
    ends = {"yes": True, "no": False}.get(request.POST.get("ends", ""))
    after = DEPARTURES[way](user=user_of(request), game_id=game_id, ends=ends, now=timezone.now())
    if after.status != Game.Status.RUNNING:
        return Done(gettext("The game is over."))
    resigned = gettext("You resigned. A Rookie plays your robot.")
    return Done(resigned if way == "resign" else gettext("You left. A Rookie plays your robot."))


SitterForm = form_of(NewSitter)


def _sitters(request: HttpRequest) -> dict[str, Any]:
    user, now = user_of(request), timezone.now()
    return {
        **sitters_of(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
        "year": timezone.localtime(now).year,
    }


@never_cache
@action(
    SitterForm,
    template="absence/sitters.html",
    context=_sitters,
    says=_("We asked your friend. They can order for you once they accept."),
    then="people:sitters",
)
def sitters(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Show a player's sitters. On POST, ask a friend to be a sitter."""
    ask_sitter(user=user_of(request), **asked, now=timezone.now())


@action(says=_("You are their sitter now."), then="people:sitters")
def accept(request: HttpRequest, sitting_id: int) -> None:
    """Accept a request to be a sitter."""
    accept_sitting(user=user_of(request), sitting_id=sitting_id, now=timezone.now())


@action(says=_("That has ended."), then="people:sitters")
def end(request: HttpRequest, sitting_id: int) -> None:
    """End a sitting, or decline or withdraw a request."""
    end_sitting(user=user_of(request), sitting_id=sitting_id, now=timezone.now())
