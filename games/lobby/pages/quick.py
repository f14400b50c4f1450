"""A game against computers, with one click, also for guests."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guests
from games.errors import ServiceError
from games.fleet.selectors import favourite_ids
from games.lobby.forms.lobby import QuickForm
from games.lobby.selectors.opponents import choose_starship
from games.lobby.services.quick import quick_game
from games.web.pages import viewer_of

SHOW = "show"
"""The button that shows which starships fit, and starts nothing."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def quick(request: HttpRequest) -> HttpResponse:
    """Ask what game it is to be, and start it; what is not asked for is chosen."""
    asked = request.POST if request.method == "POST" else request.GET
    sent = request.method == "POST" and SHOW not in asked
    favourites = favourite_ids(viewer=viewer_of(request))
    form = QuickForm(asked.dict(), sent=sent, favourites=favourites)
    if sent and form.is_valid():
        return _start(request, form)
    return _page(request, form, 422 if sent else 200)


def _start(request: HttpRequest, form: QuickForm) -> HttpResponse:
    choices = dict(form.cleaned_data)
    strength, starship = choices.pop("strength"), choices.pop("starship")
    try:
        chosen = choose_starship(**choices, starship_id=starship, for_guest=not for_members(request))
    except ServiceError as refusal:  # before anything of a guest's is used up
        form.add_refusal(refusal)
        return _page(request, form, refusal.status)
    player = guests.admit_to_a_game(request)
    if isinstance(player, HttpResponse):
        return player
    try:
        game = quick_game(
            user=player,
            strength=strength,
            **choices,
            starship_id=chosen.pk,
            admits_guests=True,
            now=timezone.now(),
        )
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return _page(request, form, refusal.status)
    messages.success(request, _("Your robot and the computers are ready to start."))
    return redirect("games:game", game.pk)


def for_members(request: HttpRequest) -> bool:
    """Return whether someone with an account asks: they may try prototypes."""
    return request.user.is_authenticated and not guests.is_guest(request.user)


def _page(request: HttpRequest, form: QuickForm, status: int) -> HttpResponse:
    return render(request, "lobby/quick.html", {"form": form}, status=status)
