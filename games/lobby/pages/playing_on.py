"""Pages to play on: from a turn of a finished game, or from a file."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from accounts import guests, limits
from games.errors import Conflict, NotFound, ServiceError
from games.fleet.pictures import board_at
from games.lobby import positions
from games.lobby.forms import LoadForm, PlayOnForm
from games.lobby.pages.creation import for_members
from games.lobby.pages.set_up import Placement, begun, position_page
from games.lobby.positions import Beginning
from games.play import stored
from games.play.models import Seat
from games.web.pages import handle_missing, require_account, user_of, viewer_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limits.limited(limits.PLAYED_ON)
@handle_missing
def play_on(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show the form to play on from a turn of a finished game. On POST, create the new game."""
    link = request.GET.get("link", "")
    try:
        beginning = positions.beginning_in_game(
            viewer=viewer_of(request), game_id=game_id, turn=number, link=link
        )
    except Conflict as refusal:
        if request.method == "POST":
            raise NotFound(refusal.code, refusal.detail) from None
        messages.error(request, refusal.detail)
        return redirect("games:game", game_id)
    sent = request.POST if request.method == "POST" else None
    form = PlayOnForm(sent, robots=_robots(beginning), guest=not for_members(request))
    if sent is not None and form.is_valid():
        return _start(request, beginning, form)
    return _page(request, beginning, form, 422 if sent is not None else 200)


def _robots(beginning: Beginning) -> list[tuple[int, str]]:
    """Return the seats whose robots are in the game, with the names of the robots."""
    return [(seat, beginning.robots[seat - 1]) for seat in beginning.free_seats]


def _start(request: HttpRequest, beginning: Beginning, form: PlayOnForm) -> HttpResponse:
    player = guests.computer_game_player(request)
    if isinstance(player, HttpResponse):
        return player
    try:
        game = positions.play_on(
            user=player, beginning=beginning, **form.cleaned_data, admits_guests=True, now=timezone.now()
        )
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return _page(request, beginning, form, refusal.status)
    return begun(request, game)


def _page(request: HttpRequest, beginning: Beginning, form: PlayOnForm, status: int) -> HttpResponse:
    origin, setup = beginning.origin, beginning.setup
    assert origin is not None
    looks = {seat.number - 1: seat.look for seat in origin.players.all()}
    view = rules.view(beginning.state)
    context: dict[str, Any] = {
        "game": origin,
        "number": beginning.turn,
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
        "form": form,
        "link": request.GET.get("link", ""),
        "member": for_members(request),
        "board": board_at(
            view, stored.drawn_board(setup), looks=looks, goal=stored.checkpoints_of(setup) or None
        ),
    }
    return render(request, "lobby/play_on.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@require_account
@limits.limited(limits.PLAYED_ON)
def load(request: HttpRequest) -> HttpResponse:
    """Show the form to load a game from a file. On POST, create the new game, or show its position."""
    initial = {"strength": Seat.Level.PILOT.value}
    form = LoadForm(request.POST, request.FILES) if request.method == "POST" else LoadForm(initial=initial)
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            choices = dict(form.cleaned_data)
            try:
                beginning = positions.beginning_in(document=form.document, turn=choices.pop("turn"))
                if "change" in request.POST:
                    return position_page(request, Placement(positions.written_position(beginning)))
                game = positions.play_on(
                    user=user_of(request), beginning=beginning, **choices, now=timezone.now()
                )
                return begun(request, game)
            except ServiceError as refusal:
                form.add_refusal(refusal)
                status = refusal.status
    return render(request, "lobby/load.html", {"form": form}, status=status)
