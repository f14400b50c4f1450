"""API calls for lobbies: terms, readiness, computers, invitations and quick games."""

from django.utils import timezone
from rest_framework.request import Request

from games.lobby import invitations, positions, practice, seats, services
from games.lobby.inputs import (
    Computer,
    ComputerChanges,
    GameChanges,
    Invitation,
    LoadGame,
    PlayOn,
    QuickGame,
    Ready,
)
from games.play.game_view import GameView
from games.web.answers import PlayedOn
from games.web.api import Answered, GameFileParser, Values, call, person, view_again, view_of


@call(
    "PATCH",
    "Change a game before its start",
    GameView,
    409,
    422,
    takes=GameChanges,
    example={"seats": 4, "options": {"lives": 5}},
)
def update_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Changes the settings of a game before its start. Only for the host.

    The other players must confirm again that they are ready.
    """
    game = services.change_game(user=person(request), game_id=game_id, changes=asked, now=timezone.now())
    return view_of(request, game)


@call("POST", "Set your readiness", GameView, 409, takes=Ready, example={"ready": True})
def set_ready(request: Request, game_id: int, asked: Values) -> Answered:
    """Marks you as ready or not ready. The game may start once all players are ready."""
    seats.set_ready(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("POST", "Start a game", GameView, 409)
def start_game(request: Request, game_id: int) -> Answered:
    """Starts a game with the players who have joined. Only for the host.

    All other players must be ready. Free seats are removed.
    """
    seats.start_game(user=person(request), game_id=game_id, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Add a computer", GameView, 409, 422, takes=Computer, example={"strength": "pilot"})
def add_computer(request: Request, game_id: int, asked: Values) -> Answered:
    """Adds a computer on the first free seat. Only for the host."""
    seats.add_computer(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("PATCH", "Change a computer", GameView, 409, 422, takes=ComputerChanges, example={"strength": "ace"})
def update_computer(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Changes the level or robot of a computer. Only for the host."""
    seats.change_computer(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Remove a player or a computer", GameView, 409)
def remove_player(request: Request, game_id: int, number: int) -> Answered:
    """Removes a player or a computer before the game starts. Only for the host.

    Other players leave with `POST games/{game_id}/leave`.
    """
    game = seats.remove_player(user=person(request), game_id=game_id, seat=number, now=timezone.now())
    return view_of(request, game)


@call("POST", "Invite a player", GameView, 409, takes=Invitation, example={"robo_name": "carol"})
def invite_player(request: Request, game_id: int, asked: Values) -> Answered:
    """Invites a player by Robo Name or email address. 404 for an unknown Robo Name."""
    invitations.invite(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Withdraw an invitation", GameView, 409)
def withdraw_invitation(request: Request, game_id: int, number: int) -> Answered:
    """Withdraws an unanswered invitation. The host can withdraw any invitation, other players only theirs."""
    invitations.withdraw_invitation(
        user=person(request), game_id=game_id, invitation_id=number, now=timezone.now()
    )
    return view_again(request, game_id)


@call("POST", "Replace the link", GameView, 409)
def renew_link(request: Request, game_id: int) -> Answered:
    """Replaces the `link` of a private game. Only for the host.

    The old link stops working.
    """
    invitations.renew_link(user=person(request), game_id=game_id, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Decline an invitation", GameView, 409)
def decline_invitation(request: Request, game_id: int) -> Answered:
    """Declines an invitation to a game. To accept an invitation, join the game."""
    game = invitations.decline_invitation(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call("POST", "Create a rematch", GameView, 409, 422, status=201)
def create_rematch(request: Request, game_id: int) -> Answered:
    """Creates a game with the same settings and players, or joins the rematch if one already exists."""
    return view_of(request, services.rematch(user=person(request), game_id=game_id, now=timezone.now()))


@call(
    "POST",
    "Play against computers",
    GameView,
    404,
    422,
    status=201,
    takes=QuickGame,
    example={"strength": "rookie", "computers": 1},
)
def create_quick_game(request: Request, asked: Values) -> Answered:
    """Starts a game against computers at once."""
    return view_of(request, practice.quick_game(user=person(request), now=timezone.now(), **asked))


@call(
    "POST",
    "Play on from a turn",
    GameView,
    409,
    422,
    status=201,
    takes=PlayOn,
    example={"seat": 2, "opponents": "computers", "strength": "ace"},
    throttle_classes=(PlayedOn,),
)
def create_game_from_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Creates a game that begins at a turn of a finished game. It is private and changes no records.

    409 means that the game is not over, or that its starship was taken down.
    """
    beginning = positions.beginning_in_game(viewer=person(request), game_id=game_id, turn=number)
    game = positions.play_on(user=person(request), beginning=beginning, now=timezone.now(), **asked)
    return view_of(request, game)


@call(
    "POST",
    "Load a game",
    GameView,
    409,
    422,
    status=201,
    takes=LoadGame,
    example={
        "document": {
            "format": "position/1",
            "ruleset": "robo-runner",
            "starship": {"format": "starship/1", "rows": ["a . .+i1", "a . ."]},
            "robots": [{"at": [1, 0], "heading": "E"}, {"at": [1, 1], "damage": 2}],
        },
        "opponents": "computers",
    },
    guests=False,
    parser_classes=(GameFileParser,),
    throttle_classes=(PlayedOn,),
)
def create_game_from_document(request: Request, asked: Values) -> Answered:
    """Creates a game that begins at a turn of a `game/1` file, or at a `position/1` document.

    It is private and changes no records.
    """
    document, turn = asked.pop("document"), asked.pop("turn")
    beginning = positions.beginning_in(document=document, turn=turn)
    game = positions.play_on(user=person(request), beginning=beginning, now=timezone.now(), **asked)
    return view_of(request, game)
