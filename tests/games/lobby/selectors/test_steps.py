"""The one primary button of a lobby, for each viewer and each way in which it may stand."""

from typing import Any

import pytest

from accounts.models import User
from games.lobby.selectors.steps import Lobby, Step, lobby_step, step_of
from games.lobby.services.changes import change_game
from games.lobby.services.invitations import decline_invitation, invite
from games.lobby.services.seats import join_game
from games.lobby.services.staffing import add_computer
from games.play.models import Game
from games.play.selectors.game import game_view
from tests.games.support import NOW, Table


@pytest.mark.parametrize(
    ("lobby", "step"),
    [
        (Lobby(seated=False), Step.JOIN),
        (Lobby(seated=False, free=False), Step.WAIT),
        (Lobby(ready=False), Step.READY),
        (Lobby(), Step.WAIT),
        (Lobby(free=False), Step.WAIT),
        (Lobby(hosts=True, ready=False, free=False), Step.READY),
        (Lobby(hosts=True), Step.COPY_LINK),
        (Lobby(hosts=True, awaited=True), Step.COPY_LINK),
        (Lobby(hosts=True, awaited=True, computers=True), Step.COPY_LINK),
        (Lobby(hosts=True, companions=True, computers=True), Step.COPY_LINK),
        (Lobby(hosts=True, companions=True, waiting=True), Step.COPY_LINK),
        (Lobby(hosts=True, computers=True), Step.ADD_COMPUTER),
        (Lobby(hosts=True, free=False, companions=True, waiting=True), Step.WAIT),
        (Lobby(hosts=True, free=False, companions=True, startable=False), Step.WAIT),
        (Lobby(hosts=True, free=False, companions=True), Step.START),
        (Lobby(hosts=True, free=False, computers=True), Step.START),
    ],
)
def test_each_state_of_a_lobby_has_one_step(lobby: Lobby, step: Step) -> None:
    assert step_of(lobby) == step


def step(game: Game, viewer: User) -> Step:
    """The step of a viewer of a game."""
    game.refresh_from_db()
    seen: dict[str, Any] = game_view(viewer=viewer, game=game)
    return lobby_step(viewer=viewer, host_id=game.host_id, seen=seen, startable=True)


def test_the_step_follows_a_lobby_from_its_making_to_its_start(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, seats=3, starts_itself=False)
    assert (step(game, alice), step(game, dave)) == (Step.COPY_LINK, Step.JOIN)
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    assert step(game, alice) == Step.ADD_COMPUTER
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    assert (step(game, alice), step(game, bob)) == (Step.COPY_LINK, Step.JOIN)
    join_game(user=bob, game_id=game.pk, now=NOW)
    assert (step(game, alice), step(game, bob), step(game, dave)) == (Step.START, Step.WAIT, Step.WAIT)
    change_game(user=alice, game_id=game.pk, changes={"options": {"lives": 5}}, now=NOW)
    assert (step(game, alice), step(game, bob)) == (Step.WAIT, Step.READY)


def test_that_an_invited_address_belongs_to_nobody_is_not_told_by_the_button(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=3, computers=["rookie"])
    invite(user=alice, game_id=game.pk, email=bob.email, now=NOW)
    decline_invitation(user=bob, game_id=game.pk, now=NOW)
    assert step(game, alice) == Step.COPY_LINK
