"""Robots that are off: games do not wait for them.

Their players decide whether to stay off before they see a hand.
"""

from datetime import timedelta
from typing import Any

import pytest

import rules
from accounts.models import Standing, User
from games.absence.missed_turns import change_standing
from games.absence.models import Reliability
from games.errors import Conflict, Forbidden, NotFound, ServiceError
from games.films.selectors import log_after
from games.lobby.lists import waiting_games
from games.news.channels.mail import compose
from games.news.kinds import summary_of
from games.news.models import Notice
from games.people.selectors.personal_data import personal_data
from games.play import orders as play_orders, preview as play_preview, stored
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Turn
from games.play.orders import redeal_hand, save_draft, submit_orders, wake_robot
from games.play.resolution import resolve_turn
from rules import computers
from tests.games.support import (
    NOW,
    Table,
    game_seen,
    hand_of,
    later,
    open_turn,
    orders_for,
    programs_of,
    record_of,
)

STAY = {"stay_down": True}


def made(table: Table, *players: User, **more: Any) -> Game:
    """Return a game of Robo Rally 1999 with power down, in turn 1."""
    return table.game(*players, ruleset="amigo-1999", options={"power_down": True}, **more)


def submit(game: Game, player: User, document: dict[str, Any]) -> Turn:
    number = open_turn(game).number
    return submit_orders(
        user=player, game_id=game.pk, turn_number=number, document=document, now=later(minutes=1)
    )


def resolved(game: Game) -> Turn:
    turn = open_turn(game)
    assert resolve_turn(turn_id=turn.pk, now=later(minutes=2))
    game.refresh_from_db()
    return open_turn(game)


def switch_off(game: Game, *players: User) -> None:
    """Play the open turn. These players announce that they power down."""
    for seat in game.players.exclude(user=None).select_related("user"):
        assert seat.user
        off = {"power_down": True} if seat.user in players else {}
        submit(game, seat.user, {**orders_for(game, seat.user), **off})
    resolved(game)


@pytest.fixture
def asleep(table: Table, alice: User, bob: User) -> Game:
    """A game in turn 3. Alice's robot was off in turn 2, so she must decide now."""
    game = made(table, alice, bob)
    switch_off(game, alice)
    submit(game, bob, orders_for(game, bob))
    resolved(game)
    return game


def test_a_notification_shows_no_hand_that_lies_face_down(asleep: Game, alice: User, bob: User) -> None:
    turns = {notice.user: notice for notice in Notice.objects.filter(game=asleep, turn=3, kind="turn")}
    assert summary_of(turns[alice]).hand is None
    assert "Your hand" not in compose(turns[alice]).body
    assert summary_of(turns[bob]).hand
    wake_robot(user=alice, game_id=asleep.pk, turn_number=3, now=later(minutes=3))
    assert "Your hand" in compose(turns[alice]).body


def hurt(game: Game, seat: int = 0) -> None:
    """Damage a robot that is off, so that three registers lock without chips."""
    turn = open_turn(game)
    robot = turn.snapshot["robots"][seat]
    assert robot["registers"] == [None] * 5
    robot.update(damage=7, locked=[2, 3, 4])
    turn.save()


def wake(game: Game, player: User, turn: int = 3, minutes: float = 5) -> Game:
    return wake_robot(user=player, game_id=game.pk, turn_number=turn, now=later(minutes=minutes))


def me(game: Game, viewer: User) -> dict[str, Any]:
    game.refresh_from_db()
    document: dict[str, Any] = game_seen(viewer=viewer, game=game)["me"]
    return document


def refusal(act: Any, *given: Any, **more: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        act(*given, **more)
    assert isinstance(refused.value, Conflict | Forbidden | NotFound)
    return refused.value.code


def test_no_one_waits_for_a_robot_that_is_off_and_its_player_misses_nothing(
    table: Table, alice: User, bob: User
) -> None:
    game = made(table, alice, bob, absence={"policy": "random", "excused": 1})
    switch_off(game, alice)
    turn = open_turn(game)
    view = game_seen(viewer=alice, game=game)
    assert view["waiting_for"] == ["Bob"]
    assert view["robots"][0]["down"]
    assert view["me"]["hand"] == []
    assert not view["me"]["may_stay_down"]
    assert not waiting_games(user=alice).exists()
    assert not turn.hands.filter(seat__user=alice).exists()
    assert not Notice.objects.filter(user=alice, turn=turn.number, kind="turn").exists()
    assert turn.deadline
    with pytest.raises(ServiceError) as refused:
        submit(game, alice, STAY)
    assert [problem["code"] for problem in refused.value.problems] == ["nothing-to-order"]
    assert refusal(wake, game, alice, turn=2) == "not-off"
    submit(game, bob, orders_for(game, bob))
    assert open_turn(game).ready_at == later(minutes=1)
    resolved(game)
    seat = game.players.get(user=alice)
    assert seat.user == alice
    assert list(programs_of(game, turn.number)) == [2]
    assert (Reliability.objects.get(user=alice).turns, Reliability.objects.get(user=alice).missed) == (1, 0)


def test_if_all_robots_are_off_the_turn_resolves_immediately_and_then_all_decide(
    table: Table, alice: User, bob: User
) -> None:
    game = made(table, alice, bob)
    switch_off(game, alice, bob)
    turn = open_turn(game)
    assert turn.ready_at == later(minutes=2)
    assert game_seen(viewer=alice, game=game)["waiting_for"] == []
    turn = resolved(game)
    assert (turn.number, turn.ready_at) == (3, None)
    assert game_seen(viewer=alice, game=game)["waiting_for"] == ["Alice", "Bob"]
    submit(game, alice, STAY)
    submit(game, bob, STAY)
    assert resolved(game).number == 4
    assert me(game, alice)["may_stay_down"]


def test_a_hand_is_face_down_until_its_player_has_decided(asleep: Game, alice: User, bob: User) -> None:
    assert (me(asleep, alice)["hand"], me(asleep, alice)["may_stay_down"]) == (None, True)
    assert (len(me(asleep, bob)["hand"]), me(asleep, bob)["may_stay_down"]) == (9, False)
    view = game_seen(viewer=alice, game=asleep)
    assert view["waiting_for"] == ["Alice", "Bob"]
    assert view["robots"][0]["was_down"]
    assert not view["robots"][0]["down"]
    assert stored.chips_of(hand_of(asleep, alice)) == (), "nothing is drawn before the decision"


def test_locked_registers_are_neither_filled_nor_shown_before_the_decision(
    asleep: Game, alice: User, bob: User, dave: User
) -> None:
    hurt(asleep)
    empty = {"3": None, "4": None, "5": None}
    for viewer in (alice, bob, dave):
        assert game_seen(viewer=viewer, game=asleep)["robots"][0]["locked"] == empty
    assert open_turn(asleep).snapshot["robots"][0]["registers"] == [None] * 5
    wake(asleep, alice)
    mine = game_seen(viewer=alice, game=asleep)
    assert None not in mine["robots"][0]["locked"].values()
    assert len(mine["me"]["hand"]) == 2
    for viewer in (bob, dave):
        assert game_seen(viewer=viewer, game=asleep)["robots"][0]["locked"] == empty
    submit(asleep, alice, orders_for(asleep, alice))
    submit(asleep, bob, orders_for(asleep, bob))
    resolved(asleep)
    chips = [
        event["chips"]["Alice"].partition("@")[0]
        for event in log_after(game=asleep)["events"]
        if event["type"] == "phase" and event["turn"] == 3 and event["phase"] >= 3
    ]
    assert chips == list(mine["robots"][0]["locked"].values())


def test_registers_unlocked_by_staying_off_keep_no_chip(asleep: Game, alice: User, bob: User) -> None:
    hurt(asleep)
    submit(asleep, alice, STAY)
    submit(asleep, bob, orders_for(asleep, bob))
    following = resolved(asleep)
    robot = following.snapshot["robots"][0]
    assert (robot["damage"], robot["locked"], robot["registers"]) == (0, [], [None] * 5)
    [played] = [each for each in record_of(asleep, 3).hands if each.robot == 1]
    assert played.chips["chips"] == []


def test_robots_switched_on_draw_one_after_another_from_the_rest(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = made(table, alice, bob, carol)
    switch_off(game, alice, bob)
    submit(game, carol, orders_for(game, carol))
    resolved(game)
    hurt(game)
    hurt(game, 1)
    wake(game, bob)
    wake(game, alice)
    hands = [hand_of(game, player) for player in (alice, bob, carol)]
    state = stored.start_of(open_turn(game), stored.ship_of(game))
    locked = [robot.registers[register] for robot in state.robots for register in robot.locked]
    drawn = [chip for hand in hands for chip in stored.chips_of(hand)] + locked
    assert (len(drawn), len(set(drawn))) == (2 + 2 + 9 + 3 + 3, len(drawn))
    assert [hand.redealt for hand in hands] == [2, 1, None]
    for player in (alice, bob, carol):
        submit(game, player, orders_for(game, player))
    resolved(game)


def test_orders_drafts_and_previews_for_a_face_down_hand_are_refused(
    asleep: Game, alice: User, bob: User
) -> None:
    orders = orders_for(asleep, bob)
    for document in (orders, {}, {**STAY, "power_down": True}, {"registers": [None] * 5}):
        assert refusal(submit, asleep, alice, document) == "asleep"
        given = {"game_id": asleep.pk, "turn_number": 3, "document": document}
        assert refusal(save_draft, user=alice, now=NOW, **given) == "asleep"
        preview = {"viewer": alice, "game": asleep, "turn_number": 3, "document": document}
        assert refusal(play_preview.preview, **preview) == "asleep"
    assert refusal(redeal_hand, user=alice, game_id=asleep.pk, turn_number=3, now=NOW) == "asleep"
    assert refusal(save_draft, user=alice, now=NOW, **{**given, "document": STAY}) == "asleep"


def test_staying_off_is_a_complete_order_and_shows_no_hand(asleep: Game, alice: User, bob: User) -> None:
    hand = hand_of(asleep, alice)
    submit(asleep, alice, STAY)
    assert refusal(wake, asleep, alice) == "ordered"
    mine = me(asleep, alice)
    assert (mine["hand"], mine["submitted"], mine["orders"]) == (None, True, STAY)
    submit(asleep, bob, orders_for(asleep, bob))
    resolved(asleep)
    log = [event for event in log_after(game=asleep)["events"] if event["turn"] == 3]
    powers = [(event["phase"], event["down"]) for event in log if event["type"] == "power"]
    assert powers == [(0, True), (6, False)]
    assert me(asleep, alice)["may_stay_down"]
    [played] = [each for each in record_of(asleep, 3).hands if each.robot == hand.robot]
    assert played.face_down
    off, decided = personal_data(user=alice, now=NOW)["played"]
    assert (len(off["chips"]["chips"]), off["orders"]["power_down"]) == (9, True)
    assert (decided["chips"], decided["orders"]) == (None, STAY), "what they ordered is theirs"


def test_switching_on_deals_a_hand_and_is_final(asleep: Game, alice: User, bob: User) -> None:
    def exported() -> set[int]:
        return {row["id"] for row in personal_data(user=alice, now=NOW)["hands"]}

    assert hand_of(asleep, alice).pk not in exported()
    wake(asleep, alice)
    assert hand_of(asleep, alice).pk in exported()
    mine, hand = me(asleep, alice), stored.chips_of(hand_of(asleep, alice))
    assert len(hand) == 9
    assert not set(hand) & set(stored.chips_of(hand_of(asleep, bob)))
    assert [chip["number"] for chip in mine["hand"]] == [chip.number for chip in hand]
    assert not mine["may_stay_down"]
    assert refusal(submit, asleep, alice, STAY) == "awake"
    wake(asleep, alice)
    assert stored.chips_of(hand_of(asleep, alice)) == hand
    submit(asleep, alice, orders_for(asleep, alice))
    submit(asleep, bob, orders_for(asleep, bob))
    resolved(asleep)
    assert not game_seen(viewer=alice, game=asleep)["robots"][0]["was_down"]


def test_only_a_robot_that_was_off_is_switched_on_in_its_turn_and_time(
    asleep: Game, alice: User, bob: User, dave: User
) -> None:
    assert refusal(wake, asleep, bob) == "not-off"
    assert refusal(wake, asleep, dave) == "no-seat"
    assert refusal(wake, asleep, alice, turn=2) == "stale-turn"
    assert refusal(wake, asleep, alice, minutes=60 * 24 + 5) == "too-late"
    Game.objects.filter(pk=asleep.pk).update(private=True)
    assert refusal(wake, asleep, dave) == "no-game"


def test_a_robot_destroyed_while_off_respawns_without_a_decision(asleep: Game, alice: User) -> None:
    state = stored.start_of(open_turn(asleep), stored.ship_of(asleep))
    robot = state.robots[0]
    events = [
        rules.events.Power(0, "staying off", 0, True),
        rules.events.Destroyed(1, "crushers", 0, robot.cell, "crusher"),
        rules.events.Enter(6, "coming back", 0, robot.archive, 0, False),
    ]
    assert not rules.fold(state, events).robots[0].was_down


@pytest.mark.parametrize("policy", ["random", "standing", "computer"])
def test_a_missed_deadline_switches_a_robot_on(table: Table, alice: User, bob: User, policy: str) -> None:
    game = made(table, alice, bob, absence={"policy": policy, "excused": None})
    change_standing(user=alice, standing=Standing.DOWN)
    switch_off(game, alice)
    submit(game, bob, orders_for(game, bob))
    resolved(game)
    turn = open_turn(game)
    submit(game, bob, orders_for(game, bob))
    assert turn.deadline
    assert resolve_turn(turn_id=turn.pk, now=turn.deadline + timedelta(minutes=1))
    [hand] = [each for each in record_of(game, 3).hands if each.robot == 1]
    program = hand.program
    assert program
    assert not hand.face_down
    assert "stay_down" not in program.orders
    assert None not in program.orders["registers"]
    assert program.orders.get("power_down", False) is (policy == "standing")


@pytest.mark.parametrize("stays", [True, False])
def test_a_computer_decides_before_it_sees_its_hand(
    table: Table, alice: User, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = made(table, alice, seats=2, computers=["rookie"])
    turn = open_turn(game)
    seat = game.players.get(number=2)
    hand = turn.hands.get(seat=seat)
    orders = rules.read_orders({**orders_for_seat(game, hand), "power_down": True})
    play_orders.give_orders(
        seat=seat, turn_number=1, orders=orders, by=Program.Author.COMPUTER, now=later(minutes=1)
    )
    submit(game, alice, orders_for(game, alice))
    resolved(game)
    submit(game, alice, orders_for(game, alice))
    turn = resolved(game)
    monkeypatch.setattr(computers, "stays_off", lambda *given: stays)
    assert play_computers(turn_id=turn.pk, now=later(minutes=3)) == 1
    hand = turn.hands.get(seat=seat)
    assert hand.program.by == Program.Author.COMPUTER
    assert (stored.plain_orders(hand.program) == STAY) is stays
    assert hand.face_down is stays


def orders_for_seat(game: Game, hand: Hand) -> dict[str, Any]:
    setup = stored.setup_of(game)
    state = stored.start_of(hand.turn, setup.starship)
    orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, 1)
    return rules.write_orders(orders)
