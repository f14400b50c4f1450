"""Standing orders: for all one's games, and for one of them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.models import Standing
from games.absence.forms.standing_orders import GameStandingForm, StandingForm
from games.absence.services.standing_orders import change_standing, change_standing_of_game
from games.pages import for_people, user_of
from games.play import policy, stored
from games.play.models import Game, Seat
from games.play.pages.players import for_its_players
from games.play.selectors.missed_turns import left_in_words


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """Show what is played where someone misses a turn, to be changed."""
    user = user_of(request)
    form = StandingForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        change_standing(user=user, standing=form.cleaned_data["standing"])
        messages.success(request, gettext("Your standing orders are saved."))
        return redirect("people:standing")
    return render(request, "absence/settings.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_players(_("You have no seat in this game, so you cannot miss its turns."))
def standing_of_game(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    """Show what is played where someone misses a turn of a game; where that is up to them, it is changed."""
    user = user_of(request)
    form = GameStandingForm(request.POST if request.method == "POST" else None, seat=seat)
    if form.is_valid():
        change_standing_of_game(user=user, game_id=game.pk, standing=form.cleaned_data["standing"])
        messages.success(request, gettext("Your standing orders for this game are saved."))
        return redirect("games:game", game.pk)
    context = {
        "game": game,
        "form": form,
        "general": Standing(user.standing).label,
        "counts": stored.absence_of(game).policy == policy.STANDING and not game.ended_at,
        "left": left_in_words(seat=seat) if game.started_at else "",
    }
    return render(request, "absence/standing_orders.html", context, status=422 if form.is_bound else 200)
