"""Computers submit orders in a worker, with a player's knowledge, and in time."""

import os
import subprocess
import sys
import time
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from games.play import computers as computing, orders
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff
from games.work.jobs import reason_in_words
from games.work.sweeper import sweep
from rules import computers
from tests import cast
from tests.games.support import NOW, WORKSHOP, Table, authors_in, later, open_turn, orders_for
from tests.games.together import together
from tests.support.worker import PROJECT

Messages = list[tuple[str, int]]


@pytest.fixture
def game(table: Table, alice: User) -> Game:
    return table.game(alice, seats=3, computers=["rookie", "rookie"])


def programs(turn: Turn) -> list[Program]:
    return list(Program.objects.filter(hand__turn=turn).order_by("hand__robot"))


def think(turn: Turn, **time_on: float) -> int:
    return play_computers(turn_id=turn.pk, now=later(**time_on))


def go_on(game: Game, table: Table, player: User) -> None:
    """Play a turn with the orders of a player and of all computers."""
    turn = open_turn(game)
    table.move(game, player)
    think(turn)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()


def test_computers_are_asked_as_soon_as_a_turn_opens(
    messages: Messages, table: Table, alice: User, bob: User
) -> None:
    table.game(alice, bob)
    assert "play_computers" not in {verb for verb, _ in messages}
    game = table.game(alice, seats=2, computers=["rookie"])
    assert ("play_computers", open_turn(game).pk) in messages


def test_computers_submit_as_players_do(game: Game, table: Table, alice: User) -> None:
    go_on(game, table, alice)
    turn = open_turn(game)
    assert [think(turn), think(turn, minutes=1)] == [2, 0], "once, however often they are asked"
    assert {program.submitted_at for program in programs(turn)} == {NOW}
    assert [(program.by, program.remark) for program in programs(turn)] == [("computer", "")] * 2
    turn.refresh_from_db()
    assert turn.ready_at is None
    table.move(game, alice)
    turn.refresh_from_db()
    assert turn.ready_at == NOW


def test_orders_of_a_computer_are_never_replaced(game: Game) -> None:
    turn = open_turn(game)
    think(turn)
    before = programs(turn)[0]
    seat = game.players.get(number=2)
    other = next(heading for heading in "NESW" if heading != before.orders["heading"])
    orders.give_orders(
        seat=seat,
        turn_number=turn.number,
        orders=rules.read_orders({"heading": other}),
        by=Program.Author.CHANCE,
        now=later(minutes=1),
    )
    assert programs(turn)[0].orders == before.orders


def test_a_resolved_or_cancelled_turn_asks_no_computer(
    game: Game, table: Table, alice: User, erin: User, messages: Messages
) -> None:
    turn = open_turn(game)
    go_on(game, table, alice)
    assert ("resolve_turn", turn.pk) in messages, "the last computer made it complete"
    assert think(turn) == 0
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    assert think(open_turn(game)) == 0


def test_a_deadline_that_passes_meanwhile_stops_them_quietly(game: Game) -> None:
    turn = open_turn(game)
    assert think(turn, hours=24) == 0
    assert programs(turn) == []


def test_they_see_only_what_a_player_sees(
    game: Game, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on(game, table, alice)
    turn = open_turn(game)
    table.move(game, alice)
    seen: list[Any] = []

    real = computers.choose

    def watched(*given: Any) -> rules.Orders:
        seen.append(given)
        return real(*given)

    monkeypatch.setattr(computing.computers, "choose", watched)
    assert think(turn) == 2
    for setup, view, index, hand, strength, seed in seen:
        assert isinstance(setup, rules.Setup)
        assert isinstance(view, rules.View)
        own = Hand.objects.get(turn=turn, robot=index + 1)
        assert [chip.number for chip in hand] == own.chips["chips"]
        assert strength == "rookie"
        assert game.seed not in seed


def failing(*given: Any) -> rules.Orders:
    raise computers.ComputerError("no way out")


def brooding(*given: Any) -> rules.Orders:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass
    raise AssertionError("nobody stopped it")


def dreaming(setup: Any, view: Any, index: int, hand: Any, *more: Any) -> rules.Orders:
    """Stands in for a computer: it chooses chips that are not in the hand."""
    return rules.read_orders({"registers": [1, 1, 1, 1, 1]})


@pytest.mark.parametrize(
    ("choose", "remark"),
    [
        (failing, "ComputerError: no way out"),
        (brooding, "TimeoutError: it thought for longer than 0.05 s"),
        (dreaming, "ValueError: against the rules: "),
    ],
)
def test_a_computer_without_a_program_plays_at_random(
    game: Game,
    table: Table,
    alice: User,
    erin: User,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    choose: Any,
    remark: str,
) -> None:
    go_on(game, table, alice)
    turn = open_turn(game)
    settings.COMPUTER_SECONDS = 0.05
    monkeypatch.setattr(computing.computers, "choose", choose)
    assert think(turn) == 2
    for program in programs(turn):
        assert program.by == Program.Author.CHANCE
        assert program.remark.startswith(remark)
        assert set(program.orders["registers"]) <= set(program.hand.chips["chips"])
    erin.is_superuser = True
    erin.save()
    client = Client()
    client.force_login(erin)
    page = client.get(reverse("admin:games_program_change", args=[programs(turn)[1].pk]))
    assert remark.encode() in page.content
    table.move(game, alice)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    page = client.get(reverse("admin:games_turn_change", args=[turn.pk]))
    assert page.content.decode().count(remark) == 2


DEADLY = """
import os, sys
import django; django.setup()
from django.utils import timezone
from games.play.computers import play_computers
from rules import computers
def die(*given): os._exit(9)
computers.wants_redeal = die  # the first thought
play_computers(turn_id=int(sys.argv[1]), now=timezone.now())
"""


def test_attempts_that_kill_their_worker_are_counted_beforehand(database_url: str) -> None:
    game = albots(cast.alice())
    Turn.objects.update(deadline=None)
    Hand.objects.update(deadline=None)
    turn = open_turn(game)
    died = subprocess.run(
        [sys.executable, "-c", DEADLY, str(turn.pk)],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": database_url, "DJANGO_SETTINGS_MODULE": "roborunner.settings"},
        capture_output=True,
        text=True,
    )
    assert died.returncode == 9, died.stderr
    assert Hand.objects.get(turn=turn, seat__number=2).thoughts == 1
    assert Hand.objects.get(turn=turn, seat__number=1).thoughts == 0
    assert programs(turn) == []
    assert think(turn) == 1
    assert programs(turn)[0].by == Program.Author.COMPUTER


def test_after_several_deaths_chance_plays_and_staff_see_the_reason(
    alice: User, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = albots(alice)
    turn = open_turn(game)
    Hand.objects.filter(turn=turn, seat__number=2).update(thoughts=computing.ATTEMPTS_PER_HAND)
    for thought in ("choose", "wants_redeal"):
        monkeypatch.setattr(computing.computers, thought, brooding)
    assert think(turn) == 1
    [program] = programs(turn)
    assert program.by == Program.Author.CHANCE
    assert program.remark == "deadly: 5"
    assert set(program.orders["registers"]) <= set(program.hand.chips["chips"])
    erin.is_superuser = True
    erin.save()
    client = Client()
    client.force_login(erin)
    assert (
        reason_in_words(program.remark)
        in client.get(reverse("admin:games_program_changelist")).content.decode()
    )


def test_a_slow_computer_that_finishes_is_asked_in_each_turn(game: Game, table: Table, alice: User) -> None:
    for _ in range(2):
        turn = open_turn(game)
        assert think(turn) == 2
        assert set(turn.hands.filter(seat__user=None).values_list("thoughts", flat=True)) == {1}
        go_on(game, table, alice)


def test_a_computer_that_cannot_judge_its_hand_still_plays_it(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = albots(alice)

    def confused(*given: Any) -> bool:
        raise computers.ComputerError("what a hand")

    monkeypatch.setattr(computing.computers, "wants_redeal", confused)
    turn = open_turn(game)
    assert think(turn) == 1
    assert Hand.objects.get(turn=turn, seat__number=2).redealt is None


def albots(alice: User) -> Game:
    return Table(WORKSHOP.saved()).game(
        alice, seats=2, ruleset="group-11", computers=[{"strength": "rookie", "model": "albot"}]
    )


def test_an_albot_redraws_its_hand_and_plays_from_it(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = albots(alice)
    turn = open_turn(game)
    before = Hand.objects.get(turn=turn, seat__number=2).chips["chips"]
    monkeypatch.setattr(computing.computers, "wants_redeal", lambda *given: True)
    assert think(turn) == 1
    hand = Hand.objects.get(turn=turn, seat__number=2)
    assert hand.redealt == 1
    assert hand.chips["chips"] != before
    assert set(hand.program.orders["registers"]) <= set(hand.chips["chips"])
    assert (hand.program.by, think(turn)) == ("computer", 0)


def test_an_albot_plays_from_its_current_hand_after_its_worker_died(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker died after it had redrawn the hand."""
    game = albots(alice)
    monkeypatch.setattr(computing.computers, "wants_redeal", lambda *given: True)
    seat = game.players.get(number=2)
    orders.redeal_hand_of_seat(seat=seat, turn_number=1, now=NOW)
    assert think(open_turn(game)) == 1
    assert Hand.objects.get(turn=open_turn(game), seat=seat).redealt == 1


def test_computers_are_asked_again_after_a_lost_message(game: Game, messages: Messages) -> None:
    turn = open_turn(game)
    assert sweep(now=later(seconds=29)).thoughts == 0
    assert sweep(now=later(seconds=30)).thoughts == 1
    assert messages.count(("play_computers", turn.pk)) == 1
    assert sweep(now=later(seconds=60)).thoughts == 0
    assert sweep(now=later(seconds=75)).thoughts == 1
    think(turn)
    assert sweep(now=later(minutes=12)).thoughts == 0


def test_the_sweeper_reads_only_turns_that_may_lack_orders_of_computers(
    table: Table, game: Game, alice: User, bob: User
) -> None:
    asking = Turn.objects.filter(status="open", asks_computers=True)
    table.game(alice, bob)
    assert asking.get().game == game
    think(open_turn(game))
    sweep(now=later(seconds=30))
    assert not asking.exists()


def test_turns_of_an_older_release_count_as_asking_computers(table: Table, alice: User, bob: User) -> None:
    """The older release does not set the column, so the database sets the default."""
    turn = open_turn(table.game(alice, bob))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_turn SET asks_computers = DEFAULT WHERE id = %s", [turn.pk])
    assert Turn.objects.get(pk=turn.pk).asks_computers
    assert sweep(now=later(seconds=30)).thoughts == 0
    assert not Turn.objects.get(pk=turn.pk).asks_computers


def test_one_person_plays_a_rookie_to_the_end(lane: Table, alice: User) -> None:
    game = lane.game(alice, seats=2, computers=["rookie"], options={"lives": 1}, pace=None)
    for _ in range(40):
        if game.status != Game.Status.RUNNING:
            break
        turn = open_turn(game)
        if Hand.objects.filter(turn=turn, seat__user=alice).exists():
            document = orders_for(game, alice, seed=turn.number)
            submit_orders(user=alice, game_id=game.pk, turn_number=turn.number, document=document, now=NOW)
        think(turn)
        assert resolve_turn(turn_id=turn.pk, now=NOW)
        game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert authors_in(game) == {"player", "computer"}
    assert not game.notices.filter(kind="turn", turn__gt=0).exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_submit_a_computer_s_orders_once(table: Table) -> None:
    game = table.game(cast.alice(), seats=3, computers=["rookie", "rookie"])
    turn = open_turn(game)
    results = together(*[partial(play_computers, turn_id=turn.pk, now=NOW)] * 2)
    assert all(isinstance(result, int) for result in results)
    assert len(programs(turn)) == 2
