"""Requests go on while Redis is away."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

# In a process of its own: this one has connections to the Redis of the test run.
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


def test_a_message_that_cannot_be_sent_fails_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "REDIS_URL": f"unix://{tmp_path}/nobody?db=0"}
    done = subprocess.run(
        [sys.executable, "-c", SEND], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1.0
