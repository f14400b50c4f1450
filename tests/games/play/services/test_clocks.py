"""A player's clock starts with the hand, and stops with orders or at zero."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.clocks.clock import HOUR
from games.errors import Conflict
from games.lobby.lists import my_games
from games.play import stored
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff
from games.work import sweeper
from tests.games.support import (
    NOW,
    Table,
    code_of,
    game_seen,
    hand_of,
    later,
    open_turn,
    orders_for,
    program_of,
    sweep,
)

BANK = {"bank": 10, "increment": 2}


@pytest.fixture
def banked(table: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob with a time bank: ten hours, and two more for each turn."""
    return table.game(alice, bob, pace=BANK)


def bank_of(game: Game, player: User) -> float:
    bank = Seat.objects.get(game=game, user=player).bank
    assert bank is not None
    return bank / HOUR


def lend(game: Game, player: User, **time: float) -> None:
    """Move a player's deadline for the open turn, as a pause would."""
    turn, hand = open_turn(game), hand_of(game, player)
    assert hand.deadline
    hand.deadline += timedelta(**time)
    hand.save()
    turn.deadline = max(filter(None, turn.hands.values_list("deadline", flat=True)))
    turn.save()


def seen_by(player: User, game: Game) -> dict[str, Any]:
    return game_seen(viewer=player, game=Game.objects.get(pk=game.pk))


def submit(game: Game, player: User, now: datetime, seed: int = 1) -> None:
    submit_orders(
        user=player,
        game_id=game.pk,
        turn_number=open_turn(game).number,
        document=orders_for(game, player, seed),
        now=now,
    )


def test_each_hand_has_a_deadline_until_orders_stop_its_clock(
    duel: Game, table: Table, alice: User, bob: User
) -> None:
    assert hand_of(duel, alice).deadline == hand_of(duel, bob).deadline == later(hours=24)
    assert open_turn(duel).deadline == later(hours=24)
    assert seen_by(alice, duel)["me"]["bank"] is None
    table.move(duel, alice, now=later(hours=1))
    assert hand_of(duel, alice).deadline is None
    assert hand_of(duel, bob).deadline == open_turn(duel).deadline == later(hours=24)


def test_the_turn_s_deadline_is_the_latest_of_its_players(
    duel: Game, table: Table, alice: User, bob: User
) -> None:
    lend(duel, bob, hours=12)
    assert open_turn(duel).deadline == later(hours=36)
    table.move(duel, bob, now=later(hours=1))
    assert open_turn(duel).deadline == later(hours=24)


def test_players_see_their_own_deadline_until_they_submit(
    duel: Game, table: Table, alice: User, bob: User, dave: User
) -> None:
    lend(duel, bob, hours=12)
    assert seen_by(alice, duel)["deadline"] == later(hours=24)
    assert seen_by(bob, duel)["deadline"] == seen_by(dave, duel)["deadline"] == later(hours=36)
    deadlines = {robot["name"]: robot["deadline"] for robot in seen_by(dave, duel)["robots"]}
    assert deadlines == {"Alice": later(hours=24), "Bob": later(hours=36)}
    listed = {user.robo_name: my_games(user=user)[0].deadline for user in (alice, bob)}
    assert listed == deadlines
    table.move(duel, alice, now=later(hours=1))
    assert seen_by(alice, duel)["deadline"] == later(hours=36)


def test_chance_plays_for_a_late_player_while_others_have_time(duel: Game, alice: User, bob: User) -> None:
    lend(duel, bob, hours=12)
    sweeper.sweep(now=later(hours=24))
    program = Program.objects.get(hand__turn__game=duel)
    assert (program.hand.seat.user, program.by) == (alice, Program.Author.DEADLINE)  # type: ignore[union-attr]
    assert (open_turn(duel).ready_at, open_turn(duel).deadline) == (None, later(hours=36))
    assert seen_by(bob, duel)["waiting_for"] == ["Bob"]
    assert seen_by(bob, duel)["me"]["missed"] is False
    me = seen_by(alice, duel)["me"]
    assert (me["missed"], me["submitted"], me["orders"]) == (True, False, None)
    assert code_of(Conflict, submit, duel, alice, later(hours=25)) == "too-late", "what was played stays"


def test_a_turn_is_resolved_early_once_the_last_player_with_time_is_ready(
    duel: Game, table: Table, alice: User, bob: User
) -> None:
    lend(duel, bob, hours=12)
    sweeper.sweep(now=later(hours=25))
    table.move(duel, bob, now=later(hours=26))
    turn = open_turn(duel)
    assert turn.ready_at == later(hours=26)
    assert resolve_turn(turn_id=turn.pk, now=later(hours=26))


def test_the_last_deadline_completes_a_turn(duel: Game, alice: User, bob: User) -> None:
    lend(duel, bob, hours=12)
    sweeper.sweep(now=later(hours=24))
    assert sweep(later(hours=36)).turns == 1
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=36))
    assert not Hand.objects.filter(turn__number=0).exists()
    assert {program_of(duel, player, 0).by for player in (alice, bob)} == {Program.Author.DEADLINE}


def test_orders_are_late_for_one_player_and_in_time_for_the_other(duel: Game, alice: User, bob: User) -> None:
    lend(duel, bob, hours=12)
    assert code_of(Conflict, submit, duel, alice, later(hours=24)) == "too-late"
    submit(duel, bob, later(hours=24))
    sweeper.sweep(now=later(hours=24))
    assert Program.objects.count() == 1, "the whole turn is due, and left to who resolves it"


def test_a_punctual_player_may_change_their_orders_after_their_own_deadline(
    duel: Game, table: Table, alice: User, bob: User
) -> None:
    lend(duel, bob, hours=12)
    table.move(duel, alice, now=later(hours=1))
    submit(duel, alice, later(hours=25), seed=3)
    assert Program.objects.get().submitted_at == later(hours=25)


def test_a_cancelled_game_has_no_deadlines(duel: Game, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert not Hand.objects.filter(deadline__isnull=False).exists()


def test_a_hand_from_an_earlier_version_has_its_turn_s_deadline(duel: Game, alice: User, bob: User) -> None:
    Hand.objects.update(deadline=None)
    assert seen_by(alice, duel)["deadline"] == later(hours=24)
    with pytest.raises(Conflict):
        submit(duel, alice, later(hours=24))
    submit(duel, alice, later(hours=23))
    assert open_turn(duel).deadline == later(hours=24)


def test_a_bank_pays_for_the_time_of_a_turn(banked: Game, table: Table, alice: User, bob: User) -> None:
    assert (bank_of(banked, alice), hand_of(banked, alice).deadline) == (10, later(hours=12))
    assert seen_by(alice, banked)["me"]["bank"] == 36000
    table.move(banked, alice, now=later(hours=5))
    table.move(banked, alice, now=later(hours=8))  # charged once
    table.move(banked, bob, now=later(hours=1))
    assert (bank_of(banked, alice), bank_of(banked, bob)) == (7, 10)
    turn = open_turn(banked)
    assert resolve_turn(turn_id=turn.pk, now=later(hours=8))
    assert hand_of(banked, alice).deadline == later(hours=17)
    assert hand_of(banked, bob).deadline == later(hours=20)


def test_a_late_player_has_an_empty_bank_and_the_next_increment(
    banked: Game, table: Table, alice: User, bob: User
) -> None:
    table.move(banked, alice, now=later(hours=5))
    assert resolve_turn(turn_id=open_turn(banked).pk, now=later(hours=12))
    assert (bank_of(banked, alice), bank_of(banked, bob)) == (7, 0)
    assert hand_of(banked, bob).deadline == later(hours=14)


def test_players_with_different_banks_have_different_deadlines(
    banked: Game, table: Table, alice: User, bob: User
) -> None:
    table.move(banked, alice, now=later(hours=9))
    table.move(banked, bob, now=later(hours=9))
    resolve_turn(turn_id=open_turn(banked).pk, now=later(hours=9))
    Seat.objects.filter(user=bob).update(bank=timedelta(hours=1))
    table.play(banked, alice, bob, now=later(hours=10))
    assert open_turn(banked).deadline == hand_of(banked, alice).deadline == later(hours=16)
    assert hand_of(banked, bob).deadline == later(hours=14)
    sweeper.sweep(now=later(hours=14))
    assert bank_of(banked, bob) == 0


def test_a_daily_game_ends_its_turns_at_its_time_of_day(table: Table, alice: User, bob: User) -> None:
    pace = {"hours": 24, "at": "20:00", "zone": "Europe/Berlin"}  # NOW is noon in London, in winter
    game = table.game(alice, bob, pace=pace)
    assert open_turn(game).deadline == later(days=1, hours=7)
    assert resolve_turn(turn_id=open_turn(game).pk, now=later(days=1, hours=7))
    assert open_turn(game).deadline == later(days=2, hours=7)
    assert stored.pace_of(game) == stored.pace_of(Game.objects.get())
    assert Turn.objects.count() == 2
