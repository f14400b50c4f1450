"""The order of turns that wait for computers, and missed turns."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

import pytest
import redis

from accounts.models import User
from games.absence.missed_turns import play_overdue
from games.lobby.practice import quick_game
from games.play.models import Game, Program, Turn
from games.play.resolution import COMPUTERS_ANYWHERE_AFTER, keep_deadline, resolve_turn
from games.work import enqueue, sweeper
from tests.games.support import HALL, NOW, Board, Table, open_turn, programs_of

ALICE, BOB = 1, 2


@pytest.fixture(autouse=True)
def nothing_waits() -> None:
    for _ in enqueue.take_turns(0):
        pass


def waiting(number: int) -> list[int]:
    """Take this many turns from the queue. Return their hosts."""
    return [host for _, host in islice(enqueue.take_turns(0), number)]


def test_one_turn_of_a_host_does_not_wait_for_sixty_of_another() -> None:
    for turn in range(60):
        enqueue.add_to_queue(turn, host=ALICE)
    assert waiting(20) == [ALICE] * 20
    enqueue.add_to_queue(60, host=BOB)
    assert BOB in waiting(2)


def test_a_host_s_turns_are_taken_in_order() -> None:
    for turn in (7, 5, 6, 7):
        enqueue.add_to_queue(turn, host=ALICE)
    assert list(enqueue.take_turns(0)) == [(7, ALICE), (5, ALICE), (6, ALICE)]


def test_hosts_share_time_instead_of_turns() -> None:
    for turn in range(5):
        enqueue.add_to_queue(turn, host=ALICE)
        enqueue.add_to_queue(100 + turn, host=BOB)
    assert sorted(waiting(2)) == [ALICE, BOB]
    enqueue.charge_host(ALICE, 4)
    assert waiting(3) == [BOB] * 3


def test_a_host_without_turns_saves_up_no_time() -> None:
    for turn in range(20):
        enqueue.add_to_queue(turn, host=ALICE)
    waiting(10)
    for turn in range(20, 40):
        enqueue.add_to_queue(turn, host=BOB)
    assert waiting(8).count(ALICE) == 4


def test_without_redis_a_message_means_its_own_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis(port=1)
    monkeypatch.setattr(enqueue, "_script", lambda text: away.register_script(text))
    enqueue.add_to_queue(5, host=ALICE)
    assert list(enqueue.take_turns(5)) == [(5, 0)]


def test_turns_without_missing_orders_are_skipped(
    db: None, alice: User, bob: User, messages: list[tuple[str, int]]
) -> None:
    Board("Tin Canoe", HALL.rows).saved()
    enqueue.add_to_queue(999_999, host=alice.pk)
    first, second = (open_turn(quick_game(user=each, now=NOW)) for each in (alice, bob))
    assert sweeper.think_next(turn_id=first.pk, now=NOW)
    assert sweeper.think_next(turn_id=first.pk, now=NOW)
    assert not sweeper.think_next(turn_id=first.pk, now=NOW)
    assert {program.hand.turn_id for program in Program.objects.all()} == {first.pk, second.pk}


def test_other_hosts_come_between_the_computers_of_a_turn(
    db: None,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(sweeper, "THINKING_SHARE", 0)
    Board("Tin Canoe", HALL.rows).saved()
    with django_capture_on_commit_callbacks(execute=True):
        crowd = open_turn(quick_game(user=alice, computers=3, now=NOW))
    thoughts = []
    for _ in range(4):
        with django_capture_on_commit_callbacks(execute=True):
            sweeper.think_next(turn_id=crowd.pk, now=NOW)
            if not thoughts:
                quick_game(user=bob, now=NOW)
        thoughts.append(list(Program.objects.order_by("pk").values_list("hand__turn__game__host", flat=True)))
    assert thoughts[-1] == [alice.pk, bob.pk, alice.pk, alice.pk]
    assert [len(each) for each in thoughts] == [1, 2, 3, 4], "they think one by one"


@pytest.fixture(params=["computer", "give-up"])
def missed(
    request: pytest.FixtureRequest, table: Table, alice: User, bob: User, carol: User
) -> Iterator[Turn]:
    """A turn with only Alice's orders. A computer will play for Bob and Carol."""
    game = table.game(alice, bob, carol, absence={"policy": request.param})
    table.play(game, alice, bob, carol)
    table.move(game, alice)
    yield open_turn(game)


def late(turn: Turn) -> tuple[Game, set[str]]:
    """Return the game of a turn, and the authors of orders for Bob and Carol."""
    game = Game.objects.get(pk=turn.game_id)
    return game, {given.by for seat, given in programs_of(game, turn.number).items() if seat > 1}


def test_a_worker_for_turns_leaves_thinking_to_others(missed: Turn, messages: list[tuple[str, int]]) -> None:
    deadline = missed.deadline
    assert deadline
    assert not keep_deadline(turn_id=missed.pk, now=deadline)
    assert messages == [("play_computers", missed.pk)]
    missed.refresh_from_db()
    assert (missed.status, missed.interruptions, missed.attempts, missed.error) == ("open", 0, 0, "")
    assert missed.game.players.filter(user=None).count() == 0, "no player is replaced yet"
    assert sweeper.think_next(turn_id=missed.pk, now=deadline)
    game, by = late(missed)
    assert game.turn == missed.number + 1
    assert by <= {Program.Author.COMPUTER, Program.Author.STAND_IN, Program.Author.DEADLINE}
    assert by & {Program.Author.COMPUTER, Program.Author.STAND_IN}


def test_a_turn_waits_a_limited_time_for_thinking_workers(
    missed: Turn, messages: list[tuple[str, int]]
) -> None:
    assert missed.deadline
    now = missed.deadline + COMPUTERS_ANYWHERE_AFTER
    assert not resolve_turn(turn_id=missed.pk, thinks=False, now=now - timedelta(seconds=1))
    assert resolve_turn(turn_id=missed.pk, thinks=False, now=now)


def test_the_sweeper_leaves_thinking_to_others_while_a_turn_waits(
    missed: Turn, messages: list[tuple[str, int]]
) -> None:
    assert missed.deadline
    hand = missed.hands.get(robot=2)
    hand.deadline = NOW + timedelta(hours=1)
    hand.save()
    now = hand.deadline
    assert play_overdue(now=now) == 0
    assert messages == [("play_computers", missed.pk)]
    assert not Program.objects.filter(hand=hand).exists()
    assert sweeper.think_next(turn_id=missed.pk, now=now)
    assert Program.objects.get(hand=hand).by in {Program.Author.COMPUTER, Program.Author.STAND_IN}
    missed.refresh_from_db()
    assert missed.status == "open"
