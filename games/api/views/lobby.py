"""Lobbies: settings, readiness, computers, invitations; and games made in one call."""

from django.utils import timezone
from rest_framework.request import Request

from games.api.computers import LOOK, ComputerSerializer
from games.api.requests import SettingsSerializer
from games.lobby.selectors.opponents import MOST_COMPUTERS
from games.lobby.services import changes, invitations, links, quick, readiness, rematches, staffing
from games.play.models import Seat
from games.play.selectors.games import GameView
from games.web.api import Answered, Values, call, person, view_again, view_of
from games.web.inputs import Flag, Strict, Text, WholeNumber


class ComputerChangesSerializer(Strict):
    """What should change about a computer; what is not named stays as it is."""

    strength = Text(default=None, allow_null=True, help_text=f"One of: {', '.join(Seat.Strength.values)}.")
    look = WholeNumber(default=None, allow_null=True, help_text=LOOK)
    model = Text(default="", allow_blank=True)
    squad = Text(default="", allow_blank=True)


class ReadySerializer(Strict):
    """Whether I agree to the game as it is set up."""

    may_be_missing = True

    ready = Flag(default=True)


class InvitationSerializer(Strict):
    """Whom to invite: one of both."""

    robo_name = Text(default="", allow_blank=True)
    email = Text(default="", allow_blank=True)


class QuickGameSerializer(Strict):
    """Whom to play against."""

    may_be_missing = True

    strength = Text(default=Seat.Strength.ROOKIE.value, help_text="Of the computers.")
    computers = WholeNumber(default=1, min_value=1, max_value=MOST_COMPUTERS)


@call(
    "PATCH",
    "Change a game before its start",
    GameView,
    409,
    422,
    takes=SettingsSerializer,
    example={"seats": 4, "options": {"lives": 5}},
)
def update_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Change settings before the start. All other players have to agree again. For the host."""
    game = changes.change_game(user=person(request), game_id=game_id, changes=asked, now=timezone.now())
    return view_of(request, game)


@call("POST", "Say whether I am ready", GameView, 409, takes=ReadySerializer, example={"ready": True})
def set_ready(request: Request, game_id: int, asked: Values) -> Answered:
    """Say that I agree to the game as it is set up, or take that back. The last to agree starts it."""
    readiness.set_ready(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("POST", "Start a game", GameView, 409)
def start_game(request: Request, game_id: int) -> Answered:
    """Start with those who are there, once they are ready; free seats are dropped. For the host."""
    readiness.start_game(user=person(request), game_id=game_id, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Add a computer", GameView, 409, 422, takes=ComputerSerializer, example={"strength": "pilot"})
def add_computer(request: Request, game_id: int, asked: Values) -> Answered:
    """Put a computer on the first free seat. For the host."""
    staffing.add_computer(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "PATCH",
    "Change a computer",
    GameView,
    409,
    422,
    takes=ComputerChangesSerializer,
    example={"strength": "ace"},
)
def update_computer(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Change its level or its robot. For the host."""
    staffing.change_computer(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Remove a player or a computer", GameView, 409)
def remove_player(request: Request, game_id: int, number: int) -> Answered:
    """Remove a computer or a player before the start. For the host, who leaves by their own."""
    game = staffing.remove_player(user=person(request), game_id=game_id, seat=number, now=timezone.now())
    return view_of(request, game)


@call("POST", "Invite a player", GameView, 409, takes=InvitationSerializer, example={"robo_name": "carol"})
def invite_player(request: Request, game_id: int, asked: Values) -> Answered:
    """Ask a player to join, by Robo Name or email address. An unknown name is 404."""
    invitations.invite(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Withdraw an invitation", GameView, 409)
def withdraw_invitation(request: Request, game_id: int, number: int) -> Answered:
    """Withdraw an invitation that has no answer yet: one of mine, or any if I am the host."""
    invitations.withdraw_invitation(
        user=person(request), game_id=game_id, invitation_id=number, now=timezone.now()
    )
    return view_again(request, game_id)


@call("POST", "Make a new link", GameView, 409)
def renew_link(request: Request, game_id: int) -> Answered:
    """Make a new `link` to a private game. The old one stops working. For the host."""
    links.renew_link(user=person(request), game_id=game_id, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Decline an invitation", GameView, 409)
def decline_invitation(request: Request, game_id: int) -> Answered:
    """Say no. To say yes, join the game."""
    game = invitations.decline_invitation(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call("POST", "Play again", GameView, 409, 422, status=201)
def create_rematch(request: Request, game_id: int) -> Answered:
    """Create the same game again for the same players, or join the one that another has created."""
    return view_of(request, rematches.rematch(user=person(request), game_id=game_id, now=timezone.now()))


@call(
    "POST",
    "Play against computers",
    GameView,
    404,
    422,
    status=201,
    takes=QuickGameSerializer,
    example={"strength": "rookie", "computers": 1},
)
def create_quick_game(request: Request, asked: Values) -> Answered:
    """Start a game against computers at once."""
    return view_of(request, quick.quick_game(user=person(request), now=timezone.now(), **asked))
