"""A process without Redis logs only once a minute that Redis is missing."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from roborunner.operations import log
from roborunner.operations.log import OncePerMinute

PROJECT = Path(__file__).resolve().parents[2]

# In a separate process, since this one is connected to the Redis of the test run.
NOTICE = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "roborunner.settings"
import django
django.setup()
from unittest.mock import patch
from django.core.cache import cache
from django.db import transaction
from games import live
from games.work import enqueue
with patch.object(transaction, "on_commit", lambda send: send()):
    for number in range(5):
        enqueue.resolve_turn(number)
        live.record_viewers([(number, 1)])
        live._rests_until = 0.0
        live._publish(number)
        cache.get("anything")
"""


def test_twenty_requests_without_redis_log_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "REDIS_URL": f"unix://{tmp_path}/nobody?db=0"}
    command = [sys.executable, "-c", NOTICE]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "waits for the sweeper" in done.stderr


def line(text: str, *args: object, logger: str = "games.work.enqueue") -> logging.LogRecord:
    return logging.LogRecord(logger, logging.WARNING, "", 0, text, args, None)


def test_the_next_line_a_minute_later_counts_the_omitted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(log, "monotonic", lambda: clock[0])
    quiet, away = OncePerMinute(), redis.ConnectionError("away")
    assert [quiet.filter(line("Redis: %s", away)) for _ in range(4)] == [True, False, False, False]
    clock[0] += 60
    following = line("Redis: %s", away)
    assert quiet.filter(following)
    assert following.getMessage() == "Redis: away (3 more lines like this in the last minute)"


def test_lines_about_other_things_are_always_written() -> None:
    quiet = OncePerMinute()
    assert all(quiet.filter(line("Notice %d was not sent: %s", 7, OSError("no route"))) for _ in range(3))


def test_a_worker_retrying_redis_logs_once_a_minute_as_well() -> None:
    quiet = OncePerMinute()
    tries = [
        line("Cannot connect to %s", "redis", logger="celery.worker.consumer.consumer") for _ in range(3)
    ]
    assert [quiet.filter(each) for each in tries] == [True, False, False]
