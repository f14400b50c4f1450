"""Whole games from invitation to end, played by services."""

import pytest

import rules
from accounts.models import User
from games.films.selectors import past_turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, Table, game_seen, later, open_turn, orders_for


@pytest.mark.parametrize("key", rules.RULESETS)
def test_players_may_miss_turns_in_every_ruleset(key: str, alice: User, bob: User) -> None:
    boards = {"robo-recon": DUCTS, "group-11": WORKSHOP, "websocket": WORKSHOP}
    game = Table(boards.get(key, HALL).saved()).game(alice, bob, ruleset=key, options={"lives": 9})
    for day in range(1, 3):
        turn = open_turn(game)
        assert resolve_turn(turn_id=turn.pk, now=later(days=day))
        programs = past_turn(game=game, number=turn.number)["programs"]
        assert [program["by"] for program in programs] == ["deadline", "deadline"]


def test_players_may_miss_turns_after_a_power_down(alice: User, bob: User) -> None:
    """A robot that is off is switched on if its player misses the turn."""
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
