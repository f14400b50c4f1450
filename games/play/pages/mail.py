"""How a player hears about one game, and the link that stops the mail about it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Frequency
from games.play.forms import GameNewsForm
from games.play.models import Game, Seat
from games.play.pages.players import for_its_players
from games.play.selectors.mail import seat_in
from games.play.services.mail import change_news_of_game, stop_mail_of_game
from games.web.pages import user_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_players(_("You have no seat in this game, so you get no notifications about it."))
def news_of_game(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    """Show how a player is told of a game, to be changed."""
    user = user_of(request)
    form = GameNewsForm(request.POST or None, seat=seat)
    if form.is_valid():
        change_news_of_game(
            user=user, game_id=game.pk, manner=form.cleaned_data["manner"], now=timezone.now()
        )
        messages.success(request, gettext("Your notification settings for this game are saved."))
        return redirect("games:game", game.pk)
    general = Frequency(user.manner)
    context = {"game": game, "form": form, "general": general.label, "silent": general == Frequency.NONE}
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
    stopped = seat.manner == Frequency.NONE
    return render(request, "news/unsubscribe.html", {"seat": seat, "game": game, "stopped": stopped})
