"""Seats of running games that change from one player to another."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.utils import translation

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, replace_by_person
from games.errors import Conflict, Forbidden
from games.play import computers
from games.play.computers import play_computers
from games.play.models import Draft, Game, Program, Seat
from games.play.orders import give_orders, save_draft, submit_orders
from games.play.services import locked_game
from games.work.sweeper import sweep
from tests.games.support import (
    NOW,
    Table,
    code_of,
    game_seen,
    hand_of,
    later,
    leave_to_computer,
    open_turn,
    orders_for,
)

Reason = Replacement.Reason


def seat_of(game: Game, number: int) -> Seat:
    return game.players.select_related("user").get(number=number)


def take_from(game: Game, player: User) -> Seat:
    number = game.players.get(user=player).number
    return seat_of(leave_to_computer(game, player), number)


def give_to(game: Game, number: int, user: User, reason: Replacement.Reason = Reason.TAKEN_OVER) -> Seat:
    with transaction.atomic():
        replace_by_person(
            game=locked_game(game.pk), seat=seat_of(game, number), user=user, reason=reason, now=NOW
        )
    return seat_of(game, number)


def think(game: Game) -> int:
    return play_computers(turn_id=open_turn(game).pk, now=NOW)


def test_a_computer_plays_the_robot_under_its_name(trio: Game, bob: User) -> None:
    seat = take_from(trio, bob)
    assert (seat.user, seat.computer, seat.robot, seat.robo_name) == (None, "rookie", "Bob", "Bob")
    assert (seat.steered_by, seat.offered_at) == ("a Rookie", NOW)
    with translation.override("de"):
        assert seat.steered_by == "Computer (Rookie)"
    made = Replacement.objects.get()
    assert (made.seat, made.turn, made.was, made.became, made.reason) == (seat, 1, bob, None, Reason.MISSED)
    assert game_seen(viewer=bob, game=trio)["counts_as"] == "people"


def test_the_computer_submits_missing_orders(trio: Game, bob: User, messages: list[tuple[str, int]]) -> None:
    save_draft(user=bob, game_id=trio.pk, turn_number=1, document=orders_for(trio, bob), now=NOW)
    take_from(trio, bob)
    assert ("play_computers", open_turn(trio).pk) in messages
    assert not Draft.objects.exists()
    assert think(trio) == 1
    assert Program.objects.get(hand__turn=open_turn(trio)).by == Program.Author.COMPUTER


def test_the_sweeper_asks_the_computer_again_after_a_lost_message(
    trio: Game, bob: User, messages: list[tuple[str, int]]
) -> None:
    sweep(now=later(minutes=1))  # which finds no computer without orders
    take_from(trio, bob)
    messages.clear()
    assert sweep(now=later(minutes=2)).thoughts == 1
    assert ("play_computers", open_turn(trio).pk) in messages


def test_the_computer_s_orders_count_until_the_new_player_submits_others(
    table: Table, trio: Game, bob: User, dave: User
) -> None:
    take_from(trio, bob)
    think(trio)
    give_to(trio, 2, dave)
    hand = hand_of(trio, dave)
    assert hand.program.by == Program.Author.COMPUTER
    table.move(trio, dave)
    hand.program.refresh_from_db()
    assert hand.program.by == Program.Author.PLAYER


def test_a_late_computer_does_not_replace_the_new_player_s_orders(
    table: Table, trio: Game, bob: User, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_from(trio, bob)
    choose = computers.computers.choose

    def slow(*given: object) -> rules.Orders:
        give_to(trio, 2, dave)
        return choose(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(computers.computers, "choose", slow)
    assert think(trio) == 0
    assert not Program.objects.filter(hand__turn=open_turn(trio)).exists()


def test_a_replaced_player_submits_no_more_orders(trio: Game, bob: User) -> None:
    document = orders_for(trio, bob)
    seat = trio.players.get(user=bob)
    take_from(trio, bob)
    with pytest.raises(Forbidden):
        submit_orders(user=bob, game_id=trio.pk, turn_number=1, document=document, now=NOW)
    with pytest.raises(Conflict) as refusal:  # read before the replacement, and came second
        give_orders(
            seat=seat,
            turn_number=1,
            orders=rules.read_orders(document),
            by=Program.Author.PLAYER,
            now=NOW,
        )
    assert refusal.value.code == "seat-passed-on"


@pytest.mark.parametrize("reason", [Reason.LEFT, Reason.MISSED, Reason.RESIGNED])
def test_a_player_who_comes_back_has_the_same_time_bank_and_excused_turns(
    table: Table, alice: User, bob: User, carol: User, reason: Replacement.Reason
) -> None:
    """Coming back to any seat of the game gives the player no more time or excused turns."""
    absence = {"policy": "random", "excused": 3}
    game = table.game(alice, bob, carol, pace={"bank": 10, "increment": 2}, absence=absence)
    table.play(game, alice, bob, carol)
    Seat.objects.filter(game=game, user=bob).update(excused=1, clean_turns=2, bank=timedelta(hours=3))
    leave = partial(leave_to_computer, game, bob, reason=reason, now=later(hours=4))
    leave()  # 4 of the 5 hours in it are used
    clean = 0 if reason == Reason.MISSED else 2
    seat = give_to(game, 2, bob)
    assert (seat.bank, seat.excused, seat.clean_turns) == (timedelta(hours=3), 1, clean), (
        "its clock still runs"
    )
    leave()
    computers.play_computers(turn_id=open_turn(game).pk, now=later(hours=4))
    take_from(game, carol)
    for number in (2, 3):
        seat = give_to(game, number, bob)
        assert (seat.bank, seat.excused, seat.clean_turns) == (timedelta(hours=1), 1, clean)
        leave()


def test_a_player_who_takes_over_gets_a_full_time_bank(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, pace={"bank": 10, "increment": 2})
    table.play(game, alice, bob, now=later(hours=9))
    assert seat_of(game, 2).bank < later(hours=4) - NOW  # type: ignore[operator]
    take_from(game, bob)
    assert give_to(game, 2, dave).bank == later(hours=10) - NOW


def test_only_seats_of_running_games_change_hands(table: Table, solo_loss: Game, alice: User) -> None:
    for game in (solo_loss, table.game(alice, seats=2)):
        assert code_of(Conflict, take_from, game, alice) == "not-running"


def test_each_player_has_only_one_seat(trio: Game, alice: User, bob: User, dave: User) -> None:
    assert code_of(Conflict, give_to, trio, 2, dave) == "a-person"
    take_from(trio, bob)
    assert code_of(Conflict, give_to, trio, 2, alice) == "already-joined"
    with pytest.raises(Conflict) as refusal, transaction.atomic():
        replace_by_computer(game=locked_game(trio.pk), seat=seat_of(trio, 2), reason=Reason.STAFF, now=NOW)
    assert refusal.value.code == "no-person"
