"""What people do in a lobby: sit down, choose a robot, be ready, invite, start, or leave it."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games import live
from games.errors import number_in
from games.lobby.services import invitations, links, rematches, robots, staffing
from games.lobby.services.invitations import decline_invitation, withdraw_invitation
from games.lobby.services.readiness import set_ready, start_game
from games.lobby.services.seats import join_game, leave_game
from games.lobby.services.staffing import remove_player
from games.play.models import Game
from games.play.pages.actions import action
from games.play.pages.requests import link_in
from games.web.pages import user_of

Choice = dict[str, Any]


@action
def join(request: HttpRequest, game: Game) -> HttpResponse:
    """Join a game, ready for it unless they say otherwise."""
    user, ready = user_of(request), request.POST.get("ready") != "no"
    _note_looking(user, game)
    joined = join_game(
        user=user,
        game_id=game.pk,
        link=link_in(request),
        **robot_in(request),
        ready=ready,
        terms=request.POST.get("terms", ""),
        now=timezone.now(),
    )
    messages.success(request, _welcome(joined, user, agreed=ready))
    return redirect("games:game", game.pk)


@action
def change_seat(request: HttpRequest, game: Game) -> HttpResponse:
    """Take another robot, or go over to another squad, before a game starts."""
    robots.change_seat(user=user_of(request), game_id=game.pk, **robot_in(request), now=timezone.now())
    messages.success(request, _("Your robot is changed."))
    return redirect("games:game", game.pk)


@action
def ready(request: HttpRequest, game: Game) -> HttpResponse:
    """Agree to how a game is set up, or take that back."""
    agreed = request.POST.get("ready", "yes") != "no"
    _note_looking(user_of(request), game)
    changed = set_ready(
        user=user_of(request),
        game_id=game.pk,
        ready=agreed,
        terms=request.POST.get("terms", ""),
        now=timezone.now(),
    )
    if changed.status == Game.Status.RUNNING:
        messages.success(request, _("All players are ready. The game has started."))
    return redirect("games:game", game.pk)


@action
def start(request: HttpRequest, game: Game) -> HttpResponse:
    start_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    messages.success(request, _("The game has started."))
    return redirect("games:game", game.pk)


@action
def leave(request: HttpRequest, game: Game) -> HttpResponse:
    """Stand up before a game starts."""
    leave_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    messages.success(request, _("You have left {game}.").format(game=game.name))
    return redirect("games:room")


@action
def invite(request: HttpRequest, game: Game) -> HttpResponse:
    """Ask someone to join, by Robo Name or email address."""
    whom = request.POST.get("whom", "").strip()
    by = {"email": whom} if "@" in whom else {"robo_name": whom}
    invitations.invite(user=user_of(request), game_id=game.pk, **by, now=timezone.now())
    messages.success(request, _("{player} is invited.").format(player=whom))
    return redirect("games:game", game.pk)


@action
def renew_link(request: HttpRequest, game: Game) -> HttpResponse:
    """Make a new secret link to a private game."""
    made = links.renew_link(user=user_of(request), game_id=game.pk, now=timezone.now())
    address = request.build_absolute_uri(f"{made.get_absolute_url()}?{urlencode({'link': made.link_token})}")
    messages.success(
        request, _("The old link no longer works. The new one is {address}").format(address=address)
    )
    return redirect("games:game", game.pk)


@action
def decline(request: HttpRequest, game: Game) -> HttpResponse:
    decline_invitation(user=user_of(request), game_id=game.pk, now=timezone.now())
    messages.success(
        request,
        _("You declined the invitation to {game}. {host} will see that.").format(
            game=game.name, host=game.host.robo_name
        ),
    )
    return redirect("games:mine")


@action
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    """Play the same again with the same people."""
    made = rematches.rematch(user=user_of(request), game_id=game.pk, now=timezone.now())
    asked = made.invitations.filter(invited_by=user_of(request)).exists()
    messages.success(
        request, _("Your rematch is ready. The others are invited.") if asked else _("Your rematch is ready.")
    )
    return redirect("games:game", made.pk)


def withdraw(request: HttpRequest, game_id: int, invitation_id: int) -> HttpResponse:
    @action
    def take_back(request: HttpRequest, game: Game) -> HttpResponse:
        withdraw_invitation(
            user=user_of(request), game_id=game.pk, invitation_id=invitation_id, now=timezone.now()
        )
        messages.success(request, _("The invitation is withdrawn."))
        return redirect("games:game", game.pk)

    return take_back(request, game_id)


@action
def add_computer(request: HttpRequest, game: Game) -> HttpResponse:
    changed = staffing.add_computer(
        user=user_of(request),
        game_id=game.pk,
        strength=request.POST.get("strength", ""),
        **robot_in(request),
        now=timezone.now(),
    )
    if changed.status == Game.Status.RUNNING:
        messages.success(request, _("All players are ready. The game has started."))
    return redirect("games:game", game.pk)


def remove(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Take a person or a computer out of a game."""

    @action
    def take_out(request: HttpRequest, game: Game) -> HttpResponse:
        remove_player(user=user_of(request), game_id=game.pk, seat=number, now=timezone.now())
        return redirect("games:game", game.pk)

    return take_out(request, game_id)


def robot_in(request: HttpRequest) -> Choice:
    """Return the robot that someone chose, as services take it; what is no number is no look."""
    look = request.POST.get("look", "").strip()
    chosen: Choice = {"look": None}
    if look:
        chosen["look"] = number_in(look, digits=3) or 0
    return chosen | {name: request.POST.get(name, "") for name in ("squad", "model")}


def _note_looking(user: User, game: Game) -> None:
    """Note that a person looks at a game that this may start: its mail may go before they see its page."""
    live.note_looking([(game.pk, user.pk)])


def _welcome(game: Game, user: User, *, agreed: bool) -> str:
    """Say how things stand for a person who has just joined, and ``agreed`` to the terms that they saw."""
    if game.status == Game.Status.RUNNING:
        return _("You are in, and the game has started.")
    if game.players.filter(user=user, ready=True).exists():
        return _("You are in, and ready.")
    if agreed:
        return _("You are in. The settings have just changed: look at them, and say when you are ready.")
    return _("You are in. Say when you are ready.")
