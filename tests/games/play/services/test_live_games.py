"""Live games: all players are present, and turns last minutes."""

from datetime import datetime, time, timedelta

import pytest
from celery import current_app
from django.core import mail
from django.db import transaction

from accounts.models import Frequency, User
from games import live as presence
from games.absence.missed_turns import DESERTED_AFTER
from games.absence.models import Reliability
from games.clocks.services import change_rest
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.deadlines import pause_game, resume_game
from games.play.models import Game, Turn
from games.play.resolution import keep_deadline
from games.work import enqueue, sweeper
from tests.games.support import NOW, Table, hand_of, later, open_turn, sweep

Sent = list[tuple[str, int, datetime | None]]


@pytest.fixture
def live(table: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob with one minute for each turn."""
    return table.game(alice, bob, pace={"minutes": 1})


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """The messages scheduled during the test: task, row ID and time."""
    sent: Sent = []

    def send_task(name: str, args: list[int], eta: datetime | None = None) -> None:
        if name == enqueue.KEEP_DEADLINE:
            sent.append((name.rpartition(".")[2], args[0], eta))

    monkeypatch.setattr(current_app, "send_task", send_task)
    monkeypatch.setattr(transaction, "on_commit", lambda send: send())
    return sent


def run_out(game: Game) -> Turn:
    """Resolve the open turn at its deadline, and return it."""
    turn = open_turn(game)
    assert turn.deadline
    assert keep_deadline(turn_id=turn.pk, now=turn.deadline)
    game.refresh_from_db()
    return turn


def test_opening_a_turn_schedules_a_message_for_its_deadline(
    table: Table, timed: Sent, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, pace={"minutes": 1})
    assert timed == [("keep_deadline", open_turn(game).pk, later(minutes=1))]
    assert open_turn(game).deadline == hand_of(game, alice).deadline == later(minutes=1)
    run_out(game)
    assert timed[1:] == [("keep_deadline", open_turn(game).pk, later(minutes=2))]


def test_no_message_waits_long_with_a_worker(table: Table, timed: Sent, alice: User) -> None:
    """The broker gives a message to another worker after an hour."""
    game = table.game(alice, pace={"minutes": 59})
    turn = open_turn(game)
    for minutes in (15, 30, 45, 59):
        assert timed.pop() == ("keep_deadline", turn.pk, later(minutes=minutes))
        assert keep_deadline(turn_id=turn.pk, now=later(minutes=minutes)) == (minutes == 59)


def test_distant_deadlines_are_left_to_the_sweeper(table: Table, timed: Sent, alice: User) -> None:
    for pace in (None, {"hours": 24}, {"bank": 12, "increment": 1}):
        table.game(alice, pace=pace)
    assert timed == []


def test_an_early_message_checks_again_and_a_duplicate_does_nothing(live: Game, timed: Sent) -> None:
    turn = open_turn(live)
    assert not keep_deadline(turn_id=turn.pk, now=later(seconds=59.9))
    assert timed == [("keep_deadline", turn.pk, later(minutes=1))]
    assert keep_deadline(turn_id=turn.pk, now=later(minutes=1))
    del timed[:]
    assert not keep_deadline(turn_id=turn.pk, now=later(minutes=1))
    assert not keep_deadline(turn_id=turn.pk, now=later(days=1))
    assert timed == []


def test_a_message_for_a_complete_turn_leaves_it_to_the_other_message(
    table: Table, live: Game, timed: Sent, alice: User, bob: User
) -> None:
    table.play(live, alice, bob)
    first = live.turns.get(number=0)
    del timed[:]
    assert not keep_deadline(turn_id=first.pk, now=later(minutes=1))
    assert (live.turn, timed) == (1, [])


def test_a_pause_delays_the_message_and_its_end_schedules_another(live: Game, timed: Sent) -> None:
    turn = open_turn(live)
    with transaction.atomic():
        pause_game(game=live, until=later(days=2), now=later(seconds=30))
    assert not keep_deadline(turn_id=turn.pk, now=later(minutes=1))
    assert timed == [("keep_deadline", turn.pk, later(minutes=16))], "it looks again, and plays nothing"
    with transaction.atomic():
        resume_game(game=live, now=later(minutes=5))
    assert timed[1:] == [("keep_deadline", turn.pk, later(minutes=5, seconds=30))]


def test_the_sweeper_resolves_a_turn_after_a_lost_message(
    live: Game, messages: list[tuple[str, int]]
) -> None:
    turn = open_turn(live)
    sweep(later(seconds=61))
    assert ("resolve_turn", turn.pk) in messages


def test_an_outage_returns_its_time(live: Game) -> None:
    sweep(later(seconds=10))
    sweeper.sweep(now=later(minutes=10))
    turn = open_turn(live)
    assert turn.deadline == later(minutes=10, seconds=50)
    assert not keep_deadline(turn_id=turn.pk, now=later(minutes=10))


def test_neither_days_off_nor_quiet_hours_stop_a_clock(table: Table, alice: User, bob: User) -> None:
    change_rest(user=bob, days_off=(5, 6), night=(time(22), time(6)))  # `NOW` is a Saturday
    game = table.game(alice, bob, pace={"minutes": 5})
    assert hand_of(game, bob).deadline == later(minutes=5)
    assert hand_of(game, bob).calendar is None


def test_turns_of_minutes_have_no_reminders(table: Table, alice: User, bob: User) -> None:
    for minutes in (1, 30, 39):
        assert hand_of(table.game(alice, bob, pace={"minutes": minutes}), bob).remind_at is None


def test_an_absent_player_gets_one_mail_instead_of_one_a_minute(
    live: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "is_active_viewer", lambda game_id, user_id: False)
    assert alice.manner == Frequency.AT_ONCE
    for _ in range(3):
        turn = open_turn(live)
        notice = Notice.objects.get(game=live, user=alice, turn=turn.number, kind="turn")
        send_notification(notice_id=notice.pk, now=turn.opened_at + timedelta(seconds=1))
        run_out(live)
    assert len(mail.outbox) == 1


def test_a_live_game_without_orders_is_cancelled(table: Table, live: Game, alice: User) -> None:
    for _ in range(DESERTED_AFTER):
        run_out(live)
    table.move(live, alice, now=open_turn(live).opened_at)
    run_out(live)
    for _ in range(DESERTED_AFTER - 1):
        run_out(live)
        assert live.status == Game.Status.RUNNING
    run_out(live)
    assert (live.status, live.ending) == (Game.Status.CANCELLED, Game.Ending.DESERTED)
    assert not Reliability.objects.exists(), "turns of minutes leave it alone"
    assert Notice.objects.filter(game=live, kind="cancelled", user=alice).exists()


def test_a_slow_game_without_orders_continues(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 1})
    for _ in range(DESERTED_AFTER + 2):
        run_out(game)
    assert game.status == Game.Status.RUNNING
    assert game.started_at == NOW
