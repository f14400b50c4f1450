"""Previews of a player's orders."""

from typing import Any

import pytest

from accounts.models import User
from games.errors import Conflict, Invalid, Malformed
from games.play import preview as play_preview
from games.play.models import Game, Program
from games.play.orders import submit_orders
from tests.games.support import NOW, Table, code_of, hand_of, open_turn, orders_for


def preview(game: Game, user: User, document: object, turn: int | None = None) -> dict[str, Any]:
    number = open_turn(game).number if turn is None else turn
    return play_preview.preview(viewer=user, game=game, turn_number=number, document=document)


def test_it_shows_the_moves_of_the_player_s_own_robot(dealt: Game, alice: User) -> None:
    shown = preview(dealt, alice, orders_for(dealt, alice))
    assert [event["phase"] for event in shown["events"] if event["type"] == "phase"] == [1, 2, 3, 4, 5]
    assert shown["robot"]["name"] == "Alice"
    assert {event.get("robot", "Alice") for event in shown["events"]} == {"Alice"}


def test_it_stores_nothing(dealt: Game, alice: User) -> None:
    before = open_turn(dealt).snapshot
    preview(dealt, alice, orders_for(dealt, alice))
    assert not Program.objects.filter(hand__turn=open_turn(dealt)).exists()
    assert open_turn(dealt).snapshot == before


def test_an_incomplete_program_is_shown_as_far_as_possible(dealt: Game, alice: User) -> None:
    first = hand_of(dealt, alice).chips["chips"][0]
    shown = preview(dealt, alice, {"registers": [first, None, None, None, None]})
    phases = [event for event in shown["events"] if event["type"] == "phase"]
    assert [len(event["chips"]) for event in phases] == [1, 0, 0, 0, 0]


def test_a_heading_is_shown_in_turn_0(duel: Game, alice: User) -> None:
    shown = preview(duel, alice, {"heading": "W"})
    assert shown["robot"]["heading"] == "W"
    assert preview(duel, alice, {})["robot"]["seat"] == 1


def test_it_refuses_orders_against_the_rules(dealt: Game, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        preview(dealt, alice, {"registers": [9999, None, None, None, None]})
    assert [problem["code"] for problem in refused.value.problems] == ["not-in-hand"]
    with pytest.raises(Malformed):
        preview(dealt, alice, {"registers": 5})


def test_it_refuses_a_turn_that_is_not_open(table: Table, dealt: Game, solo_loss: Game, alice: User) -> None:
    assert code_of(Conflict, preview, dealt, alice, {}, turn=0) == "stale-turn"
    assert code_of(Conflict, preview, solo_loss, alice, {}, turn=0) == "finished"
    assert code_of(Conflict, preview, table.game(alice, seats=2), alice, {}, turn=0) == "not-started"


def test_a_robot_that_is_off_has_no_preview(table: Table, dealt: Game, alice: User, bob: User) -> None:
    document = {**orders_for(dealt, alice), "power_down": True}
    submit_orders(user=alice, game_id=dealt.pk, turn_number=1, document=document, now=NOW)
    table.play(dealt, bob)
    with pytest.raises(Invalid) as refused:
        preview(dealt, alice, {})
    assert [problem["code"] for problem in refused.value.problems] == ["nothing-to-order"]
