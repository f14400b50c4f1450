"""Submitting orders, and every way in which they are refused."""

from typing import Any

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound
from games.play.models import Game, Program
from games.play.orders import submit_orders
from games.staff.services import cancel_as_staff
from tests.games.support import NOW, Table, hand_of, later, open_turn, orders_for

Messages = list[tuple[str, int]]


def submit(game: Game, user: User, document: object, *, turn: int | None = None, **time: float) -> Game:
    number = open_turn(game).number if turn is None else turn
    return submit_orders(user=user, game_id=game.pk, turn_number=number, document=document, now=later(**time))


@pytest.fixture
def turn_1(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """The duel, with headings chosen and hands dealt."""
    table.play(duel, alice, bob)
    return duel


def test_orders_are_kept_as_they_were_sent(turn_1: Game, alice: User) -> None:
    document = {**orders_for(turn_1, alice), "power_down": True}
    submit(turn_1, alice, document, hours=2)
    program = Program.objects.get(hand=hand_of(turn_1, alice))
    assert program.orders == {"format": "orders/1", **document}
    assert (program.by, program.submitted_at) == (Program.Author.PLAYER, later(hours=2))


def test_a_turn_is_not_ready_while_orders_are_missing(turn_1: Game, alice: User, messages: Messages) -> None:
    submit(turn_1, alice, orders_for(turn_1, alice))
    assert open_turn(turn_1).ready_at is None
    assert messages == []


def test_the_last_orders_have_the_turn_resolved(
    table: Table, turn_1: Game, alice: User, bob: User, messages: Messages
) -> None:
    table.move(turn_1, alice)
    table.move(turn_1, bob, now=later(hours=3))
    turn = open_turn(turn_1)
    assert turn.ready_at == later(hours=3)
    assert messages == [("resolve_turn", turn.pk)]


def test_orders_may_be_changed_until_all_are_in(table: Table, turn_1: Game, alice: User, bob: User) -> None:
    submit(turn_1, alice, orders_for(turn_1, alice, seed=1))
    changed = orders_for(turn_1, alice, seed=2)
    submit(turn_1, alice, changed)
    assert Program.objects.get(hand=hand_of(turn_1, alice)).orders["registers"] == changed["registers"]
    table.move(turn_1, bob)
    with pytest.raises(Conflict) as refused:
        submit(turn_1, alice, orders_for(turn_1, alice, seed=3))
    assert refused.value.code == "all-in"
    assert Program.objects.get(hand=hand_of(turn_1, alice)).orders["registers"] == changed["registers"]


def test_turn_0_takes_a_heading_alone(duel: Game, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        submit(duel, alice, {"heading": "N", "registers": [10, 20, 30, 40, 50]})
    assert [problem["code"] for problem in refused.value.problems] == ["heading-alone"]
    submit(duel, alice, {"heading": "N"})


def chips(game: Game, user: User) -> list[int]:
    numbers: list[int] = hand_of(game, user).chips["chips"]
    return numbers


def test_it_refuses_a_chip_that_is_not_in_the_hand(turn_1: Game, alice: User) -> None:
    hand = chips(turn_1, alice)
    other = next(number for number in range(10, 850, 10) if number not in hand)
    with pytest.raises(Invalid) as refused:
        submit(turn_1, alice, {"registers": [other, *hand[:4]]})
    (problem,) = refused.value.problems
    assert problem["detail"] == f"Chip {other} in register 1 is not in your hand."
    assert (problem["code"], problem["register"]) == ("not-in-hand", 1)
    assert not Program.objects.filter(hand__turn=open_turn(turn_1)).exists()


def test_it_refuses_another_players_chip(turn_1: Game, alice: User, bob: User) -> None:
    mine = chips(turn_1, alice)
    foreign = next(number for number in chips(turn_1, bob) if number not in mine)
    with pytest.raises(Invalid):
        submit(turn_1, alice, {"registers": [*mine[:4], foreign]})


def test_it_names_every_fault_at_once(turn_1: Game, alice: User) -> None:
    hand = chips(turn_1, alice)
    with pytest.raises(Invalid) as refused:
        submit(
            turn_1, alice, {"registers": [hand[0], hand[0], None, 9999], "equipment": [1], "place": [0, 0]}
        )
    codes = sorted(problem["code"] for problem in refused.value.problems)
    assert codes == ["empty", "no-equipment", "not-in-hand", "place", "too-few", "twice", "twice"]


def test_it_refuses_a_locked_register(turn_1: Game, alice: User) -> None:
    turn = open_turn(turn_1)
    robot = turn.snapshot["robots"][0]
    robot["damage"], robot["registers"] = 5, [None] * 4 + ["L@70"]
    turn.save()
    hand = hand_of(turn_1, alice)
    hand.chips["chips"] = hand.chips["chips"][:4]
    hand.save()
    spare = hand.chips["chips"]
    with pytest.raises(Invalid) as refused:
        submit(turn_1, alice, {"registers": [*spare, spare[0]]})
    assert "Register 5 is locked and keeps its chip." in [p["detail"] for p in refused.value.problems]
    submit(turn_1, alice, {"registers": [*spare, None]})


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([1, 2], "orders must be a JSON object"),
        (None, "orders must be a JSON object"),
        ({"chips": []}, "an order has no key “chips”"),
        ({"registers": "all"}, "“registers” must be a list of chip numbers, null for a locked register"),
        ({"heading": "NE"}, "“heading” must be one of N, E, S, W"),
        ({"power_down": 1}, "“power_down” must be true or false"),
    ],
)
def test_it_refuses_what_are_no_orders(turn_1: Game, alice: User, document: Any, sentence: str) -> None:
    with pytest.raises(Malformed) as refused:
        submit(turn_1, alice, document)
    assert refused.value.status == 400
    assert sentence in refused.value.detail


@pytest.mark.parametrize("number", [0, 2, 99, -1])
def test_it_refuses_a_turn_that_is_not_under_way(turn_1: Game, alice: User, number: int) -> None:
    with pytest.raises(Conflict) as refused:
        submit(turn_1, alice, orders_for(turn_1, alice), turn=number)
    assert (refused.value.status, refused.value.code) == (409, "stale-turn")
    assert str(refused.value) == f"Turn {number} is not under way: the game is in turn 1."


def test_it_refuses_orders_when_time_is_up(turn_1: Game, alice: User) -> None:
    submit(turn_1, alice, orders_for(turn_1, alice, seed=1), hours=23)
    with pytest.raises(Conflict) as refused:
        submit(turn_1, alice, orders_for(turn_1, alice, seed=2), hours=24)
    assert refused.value.code == "too-late"


def test_it_refuses_orders_for_a_game_that_has_not_started(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2)
    with pytest.raises(Conflict) as refused:
        submit(game, alice, {"heading": "N"}, turn=0)
    assert refused.value.code == "not-started"


def test_it_refuses_orders_for_a_cancelled_game(duel: Game, alice: User, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    with pytest.raises(Conflict) as refused:
        submit(duel, alice, {"heading": "N"}, turn=0)
    assert refused.value.code == "cancelled"


def test_it_refuses_orders_for_a_finished_game(solo_loss: Game, alice: User) -> None:
    with pytest.raises(Conflict) as refused:
        submit(solo_loss, alice, {"registers": []}, turn=1)
    assert refused.value.code == "finished"


def test_it_refuses_orders_for_anothers_game(duel: Game, dave: User) -> None:
    with pytest.raises(Forbidden) as refused:
        submit(duel, dave, {"heading": "N"})
    assert refused.value.code == "no-seat"


def test_a_private_game_of_others_is_not_there(table: Table, alice: User, bob: User, dave: User) -> None:
    game = table.game(alice, bob, private=True)
    with pytest.raises(NotFound):
        submit(game, dave, {"heading": "N"})


def test_a_robot_that_is_down_takes_no_orders(table: Table, turn_1: Game, alice: User, bob: User) -> None:
    submit(turn_1, alice, {**orders_for(turn_1, alice), "power_down": True})
    table.play(turn_1, bob)
    with pytest.raises(Invalid) as refused:
        submit(turn_1, alice, {"registers": [None] * 5})
    assert [problem["code"] for problem in refused.value.problems] == ["nothing-to-order"]
