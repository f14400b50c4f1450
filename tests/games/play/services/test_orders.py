"""Submitting orders, and every reason for a refusal."""

import pytest

from accounts.models import User
from games.errors import Conflict, Invalid
from games.play.models import Game, Program
from games.play.orders import submit_orders
from tests.games.support import Table, chips, code_of, hand_of, later, open_turn, orders_for

Messages = list[tuple[str, int]]


def submit(game: Game, user: User, document: object, *, turn: int | None = None, **time: float) -> Game:
    number = open_turn(game).number if turn is None else turn
    return submit_orders(user=user, game_id=game.pk, turn_number=number, document=document, now=later(**time))


def test_orders_are_stored_as_sent(dealt: Game, alice: User) -> None:
    document = {**orders_for(dealt, alice), "power_down": True}
    submit(dealt, alice, document, hours=2)
    program = Program.objects.get(hand=hand_of(dealt, alice))
    assert program.orders == {"format": "orders/1", **document}
    assert (program.by, program.submitted_at) == (Program.Author.PLAYER, later(hours=2))


def test_the_last_orders_resolve_the_turn(
    table: Table, dealt: Game, alice: User, bob: User, messages: Messages
) -> None:
    table.move(dealt, alice)
    assert (open_turn(dealt).ready_at, messages) == (None, [])
    table.move(dealt, bob, now=later(hours=3))
    turn = open_turn(dealt)
    assert turn.ready_at == later(hours=3)
    assert messages == [("resolve_turn", turn.pk)]


def test_orders_can_change_until_all_are_in(table: Table, dealt: Game, alice: User, bob: User) -> None:
    submit(dealt, alice, orders_for(dealt, alice, seed=1))
    changed = orders_for(dealt, alice, seed=2)
    submit(dealt, alice, changed)
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == changed["registers"]
    table.move(dealt, bob)
    assert code_of(Conflict, submit, dealt, alice, orders_for(dealt, alice, seed=3)) == "all-in"
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == changed["registers"]


def test_turn_0_takes_only_a_heading(duel: Game, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        submit(duel, alice, {"heading": "N", "registers": [10, 20, 30, 40, 50]})
    assert [problem["code"] for problem in refused.value.problems] == ["heading-alone"]
    submit(duel, alice, {"heading": "N"})


def test_every_error_is_named_together(dealt: Game, alice: User) -> None:
    hand = chips(dealt, alice)
    with pytest.raises(Invalid) as refused:
        submit(dealt, alice, {"registers": [hand[0], hand[0], None, 9999], "equipment": [1], "place": [0, 0]})
    codes = sorted(problem["code"] for problem in refused.value.problems)
    assert codes == ["empty", "no-equipment", "not-in-hand", "place", "too-few", "twice", "twice"]


def test_orders_after_the_deadline_are_refused(dealt: Game, alice: User) -> None:
    submit(dealt, alice, orders_for(dealt, alice, seed=1), hours=23)
    assert code_of(Conflict, submit, dealt, alice, orders_for(dealt, alice, seed=2), hours=24) == "too-late"


def test_a_robot_that_is_off_takes_no_orders(table: Table, dealt: Game, alice: User, bob: User) -> None:
    submit(dealt, alice, {**orders_for(dealt, alice), "power_down": True})
    table.play(dealt, bob)
    with pytest.raises(Invalid) as refused:
        submit(dealt, alice, {"registers": [None] * 5})
    assert [problem["code"] for problem in refused.value.problems] == ["nothing-to-order"]
