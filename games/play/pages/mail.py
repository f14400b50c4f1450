"""How a player hears about one game, and the link that stops the mail about it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Manner
from games.pages import user_of
from games.play.forms import GameNewsForm
from games.play.models import Game, Seat
from games.play.pages.seated import for_its_players
from games.play.selectors.mail import seat_in
from games.play.services.mail import change_manner_of_game, stop_mail_of_game


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_players("are told nothing of it")
def news_of_game(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    """Show how a player is told of a game, to be changed."""
    user = user_of(request)
    form = GameNewsForm(request.POST or None, seat=seat)
    if form.is_valid():
        change_manner_of_game(
            user=user, game_id=game.pk, manner=form.cleaned_data["manner"], now=timezone.now()
        )
        messages.success(request, "You will be told of this game as you have chosen.")
        return redirect("games:game", game.pk)
    general = Manner(user.manner)
    context = {"game": game, "form": form, "general": general.label, "silent": general == Manner.NONE}
    return render(request, "news/settings_of_game.html", context, status=422 if form.is_bound else 200)


@csrf_exempt  # mail programs post without a cookie; the signature in the address is what counts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, mark: str) -> HttpResponse:
    """Ask whether mail about a game should stop; on POST stop it."""
    seat = seat_in(mark)
    if seat is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        stop_mail_of_game(seat=seat)
        seat.refresh_from_db(fields=["manner"])
    game: Game = seat.game
    stopped = seat.manner == Manner.NONE
    return render(request, "news/unsubscribe.html", {"seat": seat, "game": game, "stopped": stopped})
