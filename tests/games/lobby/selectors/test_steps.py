"""The primary button of a lobby, for each state of the lobby and each viewer."""

import pytest

from accounts.models import User
from games.lobby.invitations import decline_invitation, invite
from games.lobby.seats import add_computer, join_game
from games.lobby.selectors import LobbyState, NextStep, lobby_step, next_step
from games.lobby.services import change_game
from games.play.game_view import game_view
from games.play.models import Game
from tests.games.support import NOW, Table


@pytest.mark.parametrize(
    ("lobby", "step"),
    [
        (LobbyState(seated=False), NextStep.JOIN),
        (LobbyState(seated=False, free=False), NextStep.WAIT),
        (LobbyState(ready=False), NextStep.READY),
        (LobbyState(), NextStep.WAIT),
        (LobbyState(free=False), NextStep.WAIT),
        (LobbyState(hosts=True, ready=False, free=False), NextStep.READY),
        (LobbyState(hosts=True), NextStep.COPY_LINK),
        (LobbyState(hosts=True, pending_invitation=True), NextStep.COPY_LINK),
        (LobbyState(hosts=True, pending_invitation=True, computers=True), NextStep.COPY_LINK),
        (LobbyState(hosts=True, other_people=True, computers=True), NextStep.COPY_LINK),
        (LobbyState(hosts=True, other_people=True, waiting=True), NextStep.COPY_LINK),
        (LobbyState(hosts=True, computers=True), NextStep.ADD_COMPUTER),
        (LobbyState(hosts=True, free=False, other_people=True, waiting=True), NextStep.WAIT),
        (LobbyState(hosts=True, free=False, other_people=True, startable=False), NextStep.WAIT),
        (LobbyState(hosts=True, free=False, other_people=True), NextStep.START),
        (LobbyState(hosts=True, free=False, computers=True), NextStep.START),
    ],
)
def test_each_state_of_a_lobby_has_one_step(lobby: LobbyState, step: NextStep) -> None:
    assert next_step(lobby) == step


def step(game: Game, viewer: User) -> NextStep:
    game.refresh_from_db()
    seen = game_view(viewer=viewer, game=game)
    return lobby_step(viewer=viewer, host_id=game.host_id, seen=seen, startable=True)


def test_the_step_follows_a_lobby_from_creation_to_start(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, seats=3, starts_itself=False)
    assert (step(game, alice), step(game, dave)) == (NextStep.COPY_LINK, NextStep.JOIN)
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    assert step(game, alice) == NextStep.ADD_COMPUTER
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    assert (step(game, alice), step(game, bob)) == (NextStep.COPY_LINK, NextStep.JOIN)
    join_game(user=bob, game_id=game.pk, now=NOW)
    assert (step(game, alice), step(game, bob), step(game, dave)) == (
        NextStep.START,
        NextStep.WAIT,
        NextStep.WAIT,
    )
    change_game(user=alice, game_id=game.pk, changes={"options": {"lives": 5}}, now=NOW)
    assert (step(game, alice), step(game, bob)) == (NextStep.WAIT, NextStep.READY)


def test_the_button_does_not_reveal_whether_an_invited_address_has_an_account(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=3, computers=["rookie"])
    invite(user=alice, game_id=game.pk, email=bob.email, now=NOW)
    decline_invitation(user=bob, game_id=game.pk, now=NOW)
    assert step(game, alice) == NextStep.COPY_LINK
