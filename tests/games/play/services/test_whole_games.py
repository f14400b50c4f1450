"""A game from the invitation to its end, by services."""

import pytest

import rules
from accounts.models import User
from games.films.selectors import past_turn
from games.lobby.seats import join_game
from games.play.models import Game, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, Table, game_seen, later, open_turn, orders_for


def test_a_game_starts_when_the_last_seat_is_taken(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2)
    assert game.status == Game.Status.OPEN
    join_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.turn) == (Game.Status.RUNNING, 0)


def test_a_turn_is_resolved_when_all_orders_are_in(table: Table, duel: Game, alice: User, bob: User) -> None:
    turn = table.play(duel, alice, bob)
    assert turn.status == Turn.Status.RESOLVED
    assert open_turn(duel).number == 1
    view = game_seen(viewer=alice, game=duel)
    assert view["waiting_for"] == ["Alice", "Bob"]
    assert len(view["me"]["hand"]) == 9


@pytest.mark.parametrize("key", rules.RULESETS)
def test_time_may_run_out_in_every_ruleset(key: str, alice: User, bob: User) -> None:
    boards = {"robo-recon": DUCTS, "group-11": WORKSHOP, "websocket": WORKSHOP}
    game = Table(boards.get(key, HALL).saved()).game(alice, bob, ruleset=key, options={"lives": 9})
    for day in range(1, 5):
        turn = open_turn(game)
        assert resolve_turn(turn_id=turn.pk, now=later(days=day))
        programs = past_turn(game=game, number=turn.number)["programs"]
        assert [program["by"] for program in programs] == ["deadline", "deadline"]


def test_time_may_run_out_once_a_robot_was_down(alice: User, bob: User) -> None:
    """A player who says nothing has their robot switched on."""
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="factory-1999")
    orders = {**orders_for(game, alice), "power_down": True}
    submit_orders(user=alice, game_id=game.pk, turn_number=1, document=orders, now=NOW)
    table.play(game, bob)
    assert game_seen(viewer=bob, game=game)["waiting_for"] == ["Bob"]
    table.play(game, bob)
    turn = open_turn(game)
    assert resolve_turn(turn_id=turn.pk, now=later(days=2))
    programs = past_turn(game=game, number=3)["programs"]
    assert [None in program["orders"]["registers"] for program in programs] == [False, False]
