"""Lobbies: settings, readiness, computers, invitations; and games made in one call."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.computers import ComputerSerializer
from games.api.lobby_requests import (
    ComputerChangesSerializer,
    InvitationSerializer,
    QuickGameSerializer,
    ReadySerializer,
)
from games.api.schema import describe
from games.api.views.base import Call, body, has_body, person, view_of
from games.lobby.services.invitations import decline_invitation, invite, withdraw_invitation
from games.lobby.services.links import renew_link
from games.lobby.services.quick import quick_game
from games.lobby.services.readiness import set_ready, start_game
from games.lobby.services.rematches import rematch
from games.lobby.services.staffing import add_computer, change_computer, remove_player
from games.play.models import Game
from games.play.selectors.game import GameView
from games.play.selectors.viewers import game_for


def _view(request: Request, game: Game) -> Response:
    return view_of(request, game_for(viewer=request.user, game_id=game.pk))


class Ready(Call):
    """``POST games/{id}/ready``."""

    @describe(
        "set_ready",
        "Say whether I am ready",
        GameView,
        403,
        404,
        409,
        takes=ReadySerializer,
        example={"ready": True},
        tag="lobby",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Say that I agree to the game as it is set up, or take that back. The last to agree starts it."""
        asked = body(request, ReadySerializer) if has_body(request) else {}
        game = set_ready(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return _view(request, game)


class StartCall(Call):
    """``POST games/{id}/start``."""

    @describe("start_game", "Start a game", GameView, 403, 404, 409, tag="lobby")
    def post(self, request: Request, game_id: int) -> Response:
        """Start with those who are there, once they are ready; free seats are dropped. For the host."""
        game = start_game(user=person(request), game_id=game_id, now=timezone.now())
        return _view(request, game)


class Computers(Call):
    """``POST games/{id}/computers``."""

    @describe(
        "add_computer",
        "Add a computer",
        GameView,
        403,
        404,
        409,
        422,
        takes=ComputerSerializer,
        example={"strength": "pilot"},
        tag="lobby",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Put a computer on the first free seat. For the host."""
        asked = body(request, ComputerSerializer)
        game = add_computer(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return _view(request, game)


class OneSeat(Call):
    """``PATCH`` and ``DELETE games/{id}/seats/{n}``."""

    @describe(
        "update_computer",
        "Change a computer",
        GameView,
        403,
        404,
        409,
        422,
        takes=ComputerChangesSerializer,
        example={"strength": "ace"},
        tag="lobby",
    )
    def patch(self, request: Request, game_id: int, number: int) -> Response:
        """Change its level or its robot. For the host."""
        asked = body(request, ComputerChangesSerializer)
        game = change_computer(
            user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked
        )
        return _view(request, game)

    @describe("remove_player", "Remove a player or a computer", GameView, 403, 404, 409, tag="lobby")
    def delete(self, request: Request, game_id: int, number: int) -> Response:
        """Remove a computer or a player before the start. For the host, who leaves by their own."""
        game = remove_player(user=person(request), game_id=game_id, seat=number, now=timezone.now())
        return view_of(request, game)


class Invitations(Call):
    """``POST games/{id}/invitations``."""

    @describe(
        "invite_player",
        "Invite a player",
        GameView,
        403,
        404,
        409,
        takes=InvitationSerializer,
        example={"robo_name": "carol"},
        tag="lobby",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Ask a player to join, by Robo Name or email address. An unknown name is 404."""
        asked = body(request, InvitationSerializer)
        game = invite(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return _view(request, game)


class OneInvitation(Call):
    """``DELETE games/{id}/invitations/{id}``."""

    @describe("withdraw_invitation", "Withdraw an invitation", GameView, 403, 404, 409, tag="lobby")
    def delete(self, request: Request, game_id: int, number: int) -> Response:
        """Withdraw an invitation that has no answer yet: one of mine, or any if I am the host."""
        game = withdraw_invitation(
            user=person(request), game_id=game_id, invitation_id=number, now=timezone.now()
        )
        return _view(request, game)


class Link(Call):
    """``POST games/{id}/link``."""

    @describe("renew_link", "Make a new link", GameView, 403, 404, 409, tag="lobby")
    def post(self, request: Request, game_id: int) -> Response:
        """Make a new `link` to a private game. The old one stops working. For the host."""
        game = renew_link(user=person(request), game_id=game_id, now=timezone.now())
        return _view(request, game)


class Decline(Call):
    """``POST games/{id}/decline``."""

    @describe("decline_invitation", "Decline an invitation", GameView, 404, 409, tag="lobby")
    def post(self, request: Request, game_id: int) -> Response:
        """Say no. To say yes, join the game."""
        game = decline_invitation(user=person(request), game_id=game_id, now=timezone.now())
        return view_of(request, game)


class Rematch(Call):
    """``POST games/{id}/rematch``."""

    @describe("create_rematch", "Play again", GameView, 403, 404, 409, 422, status=201, tag="lobby")
    def post(self, request: Request, game_id: int) -> Response:
        """Create the same game again for the same players, or join the one that another has created."""
        game = rematch(user=person(request), game_id=game_id, now=timezone.now())
        return view_of(request, game, 201)


class QuickGame(Call):
    """``POST games/quick``."""

    @describe(
        "create_quick_game",
        "Play against computers",
        GameView,
        404,
        422,
        status=201,
        takes=QuickGameSerializer,
        example={"strength": "rookie", "computers": 1},
        tag="lobby",
    )
    def post(self, request: Request) -> Response:
        """Start a game against computers at once."""
        asked = body(request, QuickGameSerializer) if has_body(request) else {}
        game = quick_game(user=person(request), now=timezone.now(), **asked)
        return view_of(request, game, 201)
