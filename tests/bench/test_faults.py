"""The fault test kills real processes, and detects lost or changed data."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from bench.faults import checks
from bench.faults.ledger import Attempt, Ledger
from bench.faults.machine import Outage
from games.news.models import Notice
from games.play.models import Game, Program, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests import cast
from tests.games.support import HALL, NOW, Table, open_turn, orders_for, program_of, record_of, rekeep
from tests.support.debian import require

ROOT = Path(__file__).parents[2]


GAMES = 7
"""The number of games, one for each ruleset of the fault test."""


def test_games_survive_the_death_of_each_process(prepared: Path, tmp_path: Path) -> None:
    """Each process is killed once while players submit orders in the API."""
    require("pgbouncer")
    each = ["worker", "web", "postgres", "pooler", "redis", "beat"]
    size = ["--games", str(GAMES), "--minutes", "0.1", "--threads", "2", "--hurry", "--each", *each]
    begin = ["--backup", str(prepared), "--directory", str(tmp_path / "site")]
    done = subprocess.run(
        [sys.executable, "-m", "bench.faults", "--pooler", *size, *begin],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["breaches"] == []
    assert sorted(kind.partition(" ")[0] for kind in report["killed"]) == sorted(each)
    assert report["turns played"] >= GAMES
    assert report["orders"]["accepted"] >= GAMES


@pytest.fixture
def ledger() -> Ledger:
    """The record of the orders that the site accepted in `game`."""
    return Ledger()


@pytest.fixture
def game(db: None, ledger: Ledger) -> Game:
    """A game of Alice and Bob in turn 3, with all notifications sent."""
    alice, bob = cast.alice(), cast.bob()
    game = Table(HALL.saved()).game(alice, bob)
    for _ in range(2):
        order(game, ledger, alice, bob)
        assert resolve_turn(turn_id=open_turn(game).pk, now=NOW)
        game.refresh_from_db()
    order(game, ledger, alice)
    Notice.objects.filter(status=Notice.Status.PENDING).update(status=Notice.Status.SENT, sent_at=NOW)
    return game


def order(game: Game, ledger: Ledger, *players: User) -> None:
    """Submit orders for the given players, and record that the site accepted them."""
    turn = open_turn(game).number
    for player in players:
        orders = orders_for(game, player)
        submit_orders(user=player, game_id=game.pk, turn_number=turn, document=orders, now=NOW)
        ledger.note((game.pk, turn, player.robo_name), Attempt(orders, 200))


def found(game: Game, ledger: Ledger) -> str:
    """Return the faults of a game, one in each line."""
    arrived = {notice.pk: [1.0] for notice in Notice.objects.all()}
    game.refresh_from_db()
    return "\n".join([*checks.faults_of_game(game, ledger), *checks.faults_of_notices(game, arrived)])


def falsify_orders(game: Game, number: int, **changes: Any) -> None:
    bob = game.players.get(user__robo_name="Bob")
    assert bob.user
    program = replace(program_of(game, bob.user, number), **changes)
    hands = [
        hand if hand.robot != bob.number else replace(hand, program=program)
        for hand in record_of(game, number).hands
    ]
    rekeep(game, number, hands=tuple(hands))


def test_a_game_that_went_well_has_no_fault(game: Game, ledger: Ledger) -> None:
    assert found(game, ledger) == ""


def test_a_log_with_a_gap_is_found(game: Game, ledger: Ledger) -> None:
    first, _, *others = record_of(game, 1).events
    rekeep(game, 1, events=(first, *others))
    assert "its log has gaps, or entries twice" in found(game, ledger)


def test_a_log_that_leads_to_another_state_is_found(game: Game, ledger: Ledger) -> None:
    rekeep(game, 1, events=())
    told = found(game, ledger)
    assert "turn 1: its log does not fold to the state that its programs lead to" in told
    assert "turn 2 does not begin as turn 1 ended" in told


def test_a_turn_that_was_not_played_is_found(game: Game, ledger: Ledger) -> None:
    Turn.objects.filter(game=game, status="open").delete()
    assert "turns [] were not played" in found(game, ledger)


def test_lost_orders_are_found(game: Game, ledger: Ledger) -> None:
    Program.objects.get(hand__turn__game=game, hand__turn__number=2).delete()
    assert "turn 2: the orders of Alice were accepted, and are lost" in found(game, ledger)


def test_changed_orders_are_found(game: Game, ledger: Ledger) -> None:
    bob = User.objects.get(robo_name="Bob")
    heading = "S" if program_of(game, bob, 0).orders["heading"] != "S" else "N"
    falsify_orders(game, 0, orders={"heading": heading})
    told = found(game, ledger)
    assert "turn 0: Bob never gave the orders that were played" in told
    assert "turn 0: what its programs lead to is not what its log says" in told


def test_random_orders_instead_of_accepted_ones_are_found(game: Game, ledger: Ledger) -> None:
    falsify_orders(game, 1, by=Program.Author.DEADLINE)
    assert "turn 1: the orders of Bob were accepted, and others were played" in found(game, ledger)


def test_unanswered_orders_may_or_may_not_count() -> None:
    ledger, key = Ledger(), (1, 2, "Alice")
    for orders, status in (("first", 200), ("second", 200), ("third", None), ("fourth", 500), ("fifth", 409)):
        ledger.note(key, Attempt({"heading": orders}, status))
    possible, has_to_be = ledger.possible_orders(key)
    assert [orders["heading"] for orders in possible] == ["second", "third", "fourth"]
    assert has_to_be
    assert ledger.possible_orders((1, 2, "Bob")) == ([], False)


def test_a_missing_notice_is_found(game: Game, ledger: Ledger) -> None:
    Notice.objects.get(game=game, turn=1, user__robo_name="Bob").delete()
    assert "of turn 1 1 people were told, and 2 had to be" in found(game, ledger)


@pytest.mark.parametrize("status", ["pending", "given up"])
def test_an_unsent_notice_is_found(game: Game, ledger: Ledger, status: str) -> None:
    Notice.objects.filter(game=game, turn=2).update(status=status, sent_at=None)
    assert f"the turn notice of turn 2 to Bob is {status}" in found(game, ledger)


def test_a_lost_notice_is_found(game: Game) -> None:
    told = list(checks.faults_of_notices(game, {}))
    assert any("counts as sent, and never reached the mail server" in fault for fault in told)


def test_a_mail_may_come_twice_if_a_worker_died_before_noting_it() -> None:
    death = Outage("worker", "killed", 100.2, 104.0)
    assert list(checks.faults_of_doubles({7: [100.0, 161.0]}, [death])) == []
    assert list(checks.faults_of_doubles({7: [90.0, 161.0]}, [death])) != []
    assert list(checks.faults_of_doubles({7: [100.0, 161.0]}, [])) != []


def test_the_time_without_outages_is_known() -> None:
    outages = [
        Outage("web", "killed", 10.0, 20.0),
        Outage("redis", "killed", 15.0, 30.0),
        Outage("worker", "killed", 100.0, 101.0),
    ]
    assert checks.longest_calm(0.0, 9.0, outages) == 9.0
    assert checks.longest_calm(12.0, 18.0, outages) == 0.0
    assert checks.longest_calm(5.0, 40.0, outages) == 10.0
    assert checks.longest_calm(16.0, 200.0, outages) == 99.0


def test_a_standstill_of_more_than_two_minutes_is_found() -> None:
    waits = {"turns": [(300.0, 119.0, "turn 1 of game 1"), (130.0, 121.0, "turn 2 of game 1")]}
    assert list(checks.faults_of_waits(waits)) == ["turns: turn 2 of game 1 took 121 s without a failure"]
