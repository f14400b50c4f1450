"""Messages to workers are sent after the commit. A missing broker delays nothing."""

import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu import Connection

from accounts.models import User
from games import tasks
from games.clocks import machine_clock
from games.play.models import Game, Turn
from games.work import enqueue
from games.work.sweeper import sweep
from roborunner.celery import QUEUES, app
from tests.games.support import NOW, Table, open_turn
from tests.games.together import together

MAIL, WEBHOOK, PUSH = "games.tasks.send_mail", "games.tasks.post_webhook", "games.tasks.push_message"


@pytest.fixture
def queue(transactional_db: None) -> Iterator[None]:
    app.control.purge()
    yield
    app.control.purge()


def received() -> list[tuple[str, list[int]]]:
    """Take all messages from the queues. Return the names and arguments of their tasks."""
    found = []
    with Connection(app.conf.broker_url, transport_options=app.conf.broker_transport_options) as broker:
        for queue in QUEUES:
            waiting = broker.SimpleQueue(queue.name)
            with suppress(Empty):
                while message := waiting.get_nowait():
                    found.append((message.headers["task"], message.payload[0]))
                    message.ack()
    return found


def test_a_message_is_sent_after_the_commit(queue: None) -> None:
    with transaction.atomic():
        enqueue.resolve_turn(7)
        assert received() == []
    assert received() == [("games.tasks.resolve_turn", [7])]


def test_nothing_is_sent_after_a_rollback(queue: None) -> None:
    with transaction.atomic():
        enqueue.send_notification(7, task=MAIL)
        transaction.set_rollback(True)
    assert received() == []


def test_every_thread_of_the_web_server_reaches_the_same_broker(queue: None) -> None:
    together(
        lambda: enqueue.send_notification(8, task=MAIL), lambda: enqueue.send_notification(9, task=WEBHOOK)
    )
    assert sorted(received()) == [("games.tasks.post_webhook", [9]), ("games.tasks.send_mail", [8])]


def test_the_length_of_a_queue_is_known(queue: None) -> None:
    assert enqueue.queue_length(MAIL) == 0
    for number in (7, 8, 9):
        enqueue.send_notification(number, task=MAIL)
    enqueue.send_notification(10, task=PUSH)
    enqueue.resolve_turn(5)
    assert enqueue.queue_length(MAIL) == 3
    assert enqueue.queue_length(PUSH) == 1
    assert enqueue.queue_length(WEBHOOK) == 0
    assert enqueue.queue_length(enqueue.RESOLVE_TURN) == 1
    assert enqueue.queue_length(enqueue.PLAY_COMPUTERS) == 0


def test_an_unavailable_broker_delays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from celery import Celery

    broken = Celery("broken", broker="redis://127.0.0.1:1/0", set_as_current=False)
    monkeypatch.setattr(enqueue, "current_app", broken)
    assert enqueue.queue_length(MAIL) == 0


def test_each_name_is_a_task() -> None:
    for name in (enqueue.RESOLVE_TURN, MAIL, WEBHOOK, PUSH, enqueue.SWEEP):
        assert name in current_app.tasks


def test_deadly_tasks_return_immediately_only_if_attempts_are_counted() -> None:
    ours = [task for name, task in current_app.tasks.items() if name.startswith("games.")]
    again = {task.name for task in ours if task.reject_on_worker_lost is not False}
    assert again == {enqueue.RESOLVE_TURN, enqueue.SEND_ACCOUNT_MAIL, MAIL, WEBHOOK, PUSH}


def test_orders_are_saved_immediately_while_the_broker_is_down(
    table: Table,
    duel: Game,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: object,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from celery import Celery

    broken = Celery("broken", broker="redis://127.0.0.1:1/0", set_as_current=False)
    broken.conf.task_publish_retry_policy = app.conf.task_publish_retry_policy
    monkeypatch.setattr(enqueue, "current_app", broken)
    start = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        table.move(duel, alice, bob)
    assert time.monotonic() - start < 5
    assert open_turn(duel).ready_at == NOW
    assert "waits for the sweeper, since the broker is away" in caplog.text


def test_each_task_does_what_its_name_says(
    table: Table, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    turn, notice = open_turn(duel), duel.notices.get(user=alice)
    current_app.tasks[MAIL](notice.pk)
    notice.refresh_from_db()
    assert notice.status == notice.Status.SENT
    table.move(duel, alice, bob)
    tasks.resolve_turn(turn.pk)
    turn.refresh_from_db()
    assert turn.status == Turn.Status.RESOLVED
    tasks.sweep()
    assert duel.notices.filter(turn=1, offered_at__isnull=False).count() == 2
    assert sweep(now=NOW).turns == 0
