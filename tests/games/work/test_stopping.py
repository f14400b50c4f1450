"""Web and worker processes that a deployment stops lose no work."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from accounts.models import User
from embedded import processes, up
from games.news.models import Notice
from games.people.tokens import make_token
from games.play.models import Game, Hand, Program, Turn
from games.work import enqueue
from tests.games.support import Table, open_turn, orders_for
from tests.games.together import hold, hold_up_resolution, meanwhile, wait_for_waiter, wait_until
from tests.support.mailbox import Mailbox
from tests.support.worker import PROJECT, Worker

pytestmark = pytest.mark.django_db(transaction=True)


def hold_up(table: str, columns: str, values: str) -> str:
    """Return SQL that blocks other writers of the same row."""
    return f"INSERT INTO {table} ({columns}) VALUES ({values})"


def test_a_worker_finishes_its_current_turn_and_leaves_the_rest_to_the_next(
    table: Table,
    duel: Game,
    alice: User,
    bob: User,
    start_worker: Callable[..., Worker],
) -> None:
    first, turn = start_worker(), open_turn(duel)
    with hold() as holding:
        hold_up_resolution(holding, duel)
        table.move(duel, alice, bob)
        wait_for_waiter(holding.backend)
        first.terminate()
        other = table.game(bob, alice)
        table.move(other, alice, bob)
        holding.release()
        assert first.wait() == 0
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.RESOLVED, 0)
    assert open_turn(other).number == 0
    start_worker()  # without help from a sweeper
    wait_until(lambda: open_turn(other).number == 1)


def test_a_worker_finishes_and_records_its_current_mail(
    duel: Game, alice: User, start_worker: Callable[..., Worker], mailbox: Mailbox
) -> None:
    mailbox.pause = 2.0
    notice = Notice.objects.get(game=duel, user=alice)
    worker = start_worker()
    enqueue.send_notification(notice.pk, task="games.tasks.send_mail")
    assert mailbox.coming.wait(20)
    worker.terminate()
    assert worker.wait() == 0
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.SENT, 1)
    assert len(mailbox.to(alice.email)) == 1


@pytest.fixture
def web(database_url: str, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The web process as deployed, and its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = processes.start(
        [sys.executable, "-m", *up.commands(port)["web"]],
        env={
            **os.environ,
            "DATABASE_URL": database_url,
            "DATABASE_POOL": "1",
            "BASE_URL": f"http://127.0.0.1:{port}",
        },
        log=tmp_path / "web.log",
        directory=PROJECT,
    )
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < end, (tmp_path / "web.log").read_text()
            time.sleep(0.05)
    yield process, port
    processes.stop(process, signal.SIGKILL, timeout=10)


def test_the_web_process_answers_open_requests_before_it_stops(
    table: Table, alice: User, bob: User, web: tuple[subprocess.Popen[bytes], int]
) -> None:
    process, port = web
    game = table.game(alice, bob, pace=None)
    turn = open_turn(game)
    token = make_token(user=alice, now=turn.opened_at)
    orders = json.dumps(orders_for(game, alice))

    def submit() -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", f"/api/v1/games/{game.pk}/turns/0/orders", orders, headers)
        return connection.getresponse().status

    hand = Hand.objects.get(turn=turn, seat__user=alice)
    with hold() as holding:
        values = """%s, '{"format": "orders/1"}', 'player', '', now()"""
        holding.execute(
            hold_up("games_program", "hand_id, orders, by, remark, submitted_at", values), hand.pk
        )
        answer = meanwhile(submit)
        wait_for_waiter(holding.backend)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: not _listens(port))
        holding.release()
        assert answer.result(20) == 200
    process.wait(20)
    assert Program.objects.get(hand=hand).by == Program.Author.PLAYER


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
