"""Resolving turns: records, deadlines, the end of a game, and turns that fail."""

from contextlib import AbstractContextManager
from unittest.mock import patch

import pytest

import rules
from accounts.models import User
from games.clocks.clock import DAY
from games.errors import Conflict
from games.play import stored
from games.play.models import Game, Program, Turn
from games.play.orders import submit_orders
from games.play.resolution import MAX_ATTEMPTS, play_turn, resolve_turn
from games.play.stored import turn_record
from games.staff.services import resolve_again
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, hand_of, later, open_turn, orders_for, program_of, record_of

Messages = list[tuple[str, int]]


class Broken(Exception):
    """An error that the rules raise."""


def broken_rules() -> AbstractContextManager[object]:
    return patch.object(rules, "resolve_turn", side_effect=Broken("the beam goes round and round"))


def test_resolving_stores_the_turn_and_opens_the_next(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    assert resolve_turn(turn_id=turn.pk, now=later(hours=5))
    turn.refresh_from_db()
    assert (turn.status, turn.resolved_at, turn.attempts) == (Turn.Status.RESOLVED, later(hours=5), 0)
    assert (turn.first_seq, turn.snapshot) == (1, None)
    assert not turn.hands.exists()
    played = turn_record(turn)
    assert [event["type"] for event in played.events][:2] == ["turn", "turn"]
    assert [(hand.robot, hand.program and hand.program.by) for hand in played.hands] == [
        (1, Program.Author.PLAYER),
        (2, Program.Author.PLAYER),
    ]
    duel.refresh_from_db()
    assert duel.last_seq == turn.last_seq == len(played.events)
    following = open_turn(duel)
    assert (following.number, following.opened_at, following.deadline) == (1, later(hours=5), later(hours=29))
    assert [len(hand.chips["chips"]) for hand in following.hands.all()] == [9, 9]
    assert duel.notices.filter(turn=1, kind="turn").count() == 2


def test_notifications_of_the_next_turn_are_sent_after_the_commit(
    table: Table, duel: Game, alice: User, bob: User, messages: Messages
) -> None:
    table.play(duel, alice, bob)
    told = duel.notices.filter(turn=1).order_by("pk").values_list("pk", flat=True)
    assert sorted(messages[1:]) == [("send_mail", notice) for notice in told]


def test_the_highest_count_of_interruptions_stops_no_turn(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice, bob)
    duel.turns.update(interruptions=2**31 - 1)
    assert play_turn(turn_id=open_turn(duel).pk, now=NOW)
    duel.refresh_from_db()
    assert duel.turn == 1


def test_a_turn_without_all_orders_is_left_open(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.move(duel, alice)
    turn = open_turn(duel)
    assert not resolve_turn(turn_id=turn.pk, now=later(hours=23))
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.OPEN, 0)
    endless = table.game(alice, bob, pace=None)
    assert not resolve_turn(turn_id=open_turn(endless).pk, now=later(days=1000))


def test_at_the_deadline_missing_orders_are_drawn_at_random(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    assert resolve_turn(turn_id=open_turn(duel).pk, now=NOW + DAY)
    duel.refresh_from_db()
    assert {program_of(duel, player, 0).orders["heading"] for player in (alice, bob)} <= set("NESW")
    table.move(duel, alice, now=NOW + DAY)
    mine = orders_for(duel, alice)
    turn, hand = open_turn(duel), hand_of(duel, bob)
    assert resolve_turn(turn_id=turn.pk, now=NOW + 2 * DAY)
    ordered, made_up = program_of(duel, alice), program_of(duel, bob)
    assert ordered.orders["registers"] == mine["registers"]
    assert ordered.by == Program.Author.PLAYER
    assert made_up.by == Program.Author.DEADLINE
    assert set(made_up.orders["registers"]) < set(hand.chips["chips"])


def test_a_turn_without_players_to_order_is_complete_immediately(
    table: Table, alice: User, messages: Messages
) -> None:
    game = table.game(alice)
    table.play(game, alice)
    rebooting = {**orders_for(game, alice), "power_down": True}
    turn = open_turn(game)
    submit_orders(user=alice, game_id=game.pk, turn_number=1, document=rebooting, now=NOW)
    assert resolve_turn(turn_id=turn.pk, now=later(minutes=1))
    asleep = open_turn(game)
    assert (asleep.number, asleep.ready_at) == (2, later(minutes=1))
    assert not asleep.hands.exists()
    assert not game.notices.filter(turn=2).exists()
    assert messages[-1] == ("resolve_turn", asleep.pk)
    assert resolve_turn(turn_id=asleep.pk, now=later(minutes=2))
    assert game.notices.filter(turn=3).exists()


def test_scanners_get_hands_without_owners(table: Table, alice: User) -> None:
    game = table.game(alice, options={"scanners": 2})
    table.play(game, alice)
    hands = open_turn(game).hands.order_by("robot")
    assert [(hand.robot, hand.seat is None, len(hand.chips["chips"])) for hand in hands] == [
        (1, False, 9),
        (2, True, 9),
        (3, True, 9),
    ]
    table.play(game, alice)
    moved = next(event for event in record_of(game).events if event["type"] == "phase")
    assert set(moved["chips"]) == {"Alice", "Scanner 1", "Scanner 2"}


def test_the_end_of_a_game_is_recorded_and_announced(lane: Table, alice: User, bob: User) -> None:
    """Alice's robot drives off the board, while Bob's robot stays on it."""
    game = lane.game(alice, bob, options={"lives": 1})
    for player, heading in ((alice, "N"), (bob, "E")):
        submit_orders(user=player, game_id=game.pk, turn_number=0, document={"heading": heading}, now=NOW)
    assert resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    for player, kinds in ((alice, "123BLRU"), (bob, "LRU123B")):
        chips = sorted(stored.chips_of(hand_of(game, player)), key=lambda chip: kinds.index(chip.kind))
        document = {"registers": [chip.number for chip in chips[:5]]}
        submit_orders(user=player, game_id=game.pk, turn_number=1, document=document, now=NOW)
    assert resolve_turn(turn_id=open_turn(game).pk, now=later(hours=1))
    game.refresh_from_db()
    assert (game.status, game.winner, game.ended_at) == (Game.Status.OVER, "Bob", later(hours=1))
    last = record_of(game).events[-1]
    assert (last["type"], last["winner"]) == ("over", "Bob")
    assert list(game.players.values_list("place", "out")) == [(None, True), (1, False)]
    assert not game.turns.filter(status=Turn.Status.OPEN).exists()
    assert game.notices.filter(kind="over", turn=1).count() == 2


def test_an_error_is_recorded_and_leaves_the_turn_unchanged(table: Table, duel: Game, alice: User) -> None:
    table.move(duel, alice)
    turn = open_turn(duel)
    with broken_rules(), pytest.raises(Broken):
        resolve_turn(turn_id=turn.pk, now=later(hours=24))
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.OPEN, 1)
    assert turn.error == "Broken: the beam goes round and round"
    assert Program.objects.filter(hand__turn=turn).count() == 1
    assert resolve_turn(turn_id=turn.pk, now=later(hours=25))
    turn.refresh_from_db()
    assert turn.error == ""


def test_a_turn_that_fails_too_often_waits_for_staff(
    table: Table, duel: Game, alice: User, bob: User, erin: User, messages: Messages
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    for _ in range(MAX_ATTEMPTS):
        with broken_rules(), pytest.raises(Broken):
            resolve_turn(turn_id=turn.pk, now=NOW)
    assert not resolve_turn(turn_id=turn.pk, now=NOW)
    assert sweep(now=later(hours=1)).turns == 0
    messages.clear()
    resolve_again(user=erin, turn_id=turn.pk, reason="It is mended.", now=NOW)
    assert messages == [("resolve_turn", turn.pk)]
    assert resolve_turn(turn_id=turn.pk, now=NOW)


def test_resolving_a_resolved_turn_does_nothing(
    table: Table, duel: Game, alice: User, bob: User, erin: User
) -> None:
    turn = table.play(duel, alice, bob)
    with pytest.raises(Conflict):
        resolve_again(user=erin, turn_id=turn.pk, reason="To be sure.", now=NOW)
    assert not resolve_turn(turn_id=turn.pk, now=NOW)


def test_a_missing_ruleset_version_is_reported(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.move(duel, alice, bob)
    Game.objects.update(version=7)
    turn = open_turn(duel)
    with pytest.raises(LookupError):
        resolve_turn(turn_id=turn.pk, now=NOW)
    turn.refresh_from_db()
    assert turn.error == "UnknownVersion: Robo Runner has no version 7; there are: 1, 2"
