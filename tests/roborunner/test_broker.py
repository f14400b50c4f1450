"""Requests continue without Redis, and workers reconnect soon after it returns."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from kombu.exceptions import OperationalError
from kombu.utils import functional

from roborunner.celery import MAX_RETRY_PAUSE, QUEUES, app

PROJECT = Path(__file__).resolve().parents[2]

# In a separate process, since this one is connected to the Redis of the test run.
SEND = """
import time
from kombu.exceptions import OperationalError
from roborunner.celery import app
app.finalize()
start = time.monotonic()
try:
    app.send_task("games.tasks.sweep")
except OperationalError:
    print(time.monotonic() - start)
"""


def test_an_unsendable_message_fails_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "REDIS_URL": f"unix://{tmp_path}/nobody?db=0"}
    done = subprocess.run(
        [sys.executable, "-c", SEND], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1.0


def test_redis_is_tried_again_every_few_seconds_without_end(tmp_path: Path) -> None:
    waits: list[float] = []
    broker = app.connection_for_read(f"redis+socket://{tmp_path}/nobody")
    with patch.object(functional, "sleep"), pytest.raises(OperationalError):
        broker.ensure_connection(lambda error, wait: waits.append(wait), max_retries=9)
    assert len(waits) == 9
    assert max(waits) == waits[-1] == MAX_RETRY_PAUSE


def test_no_worker_ever_gives_redis_up() -> None:
    assert app.conf.broker_connection_max_retries is None


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        ("games.tasks.resolve_turn", "celery"),
        ("games.tasks.play_computers", "thinking"),
        ("games.tasks.send_mail", "mail"),
        ("games.tasks.send_account_mail", "mail"),
        ("games.tasks.fetch_returns", "mail"),
        ("games.tasks.post_webhook", "webhooks"),
        ("games.tasks.post_of_another_channel", "webhooks"),
        ("games.tasks.push_message", "push"),
        ("games.tasks.sweep", "sweeps"),
        ("games.tasks.fly_run", "lab"),
        ("games.tasks.suggest_ship", "lab"),
        ("games.tasks.review_game", "lab"),
        ("games.tasks.mine_game", "lab"),
    ],
)
def test_each_kind_of_work_has_its_queue(task: str, queue: str) -> None:
    found = app.amqp.router.route({}, task)["queue"]
    assert found.name == queue
    assert found.name in [each.name for each in QUEUES]
