"""A real Celery worker process, on the test's database and Redis."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from embedded import processes
from tests.support import clock

PROJECT = Path(__file__).resolve().parents[2]
COMMAND = ("celery", "--app=roborunner", "worker", "--concurrency=1", "--loglevel=INFO")
APART = ("--without-gossip", "--without-mingle")
BEAT = ("--beat", "--scheduler=celery.beat:Scheduler")


class Worker:
    """A worker process. Its log is in `directory`."""

    def __init__(self, directory: Path, variables: Mapping[str, str]) -> None:
        self._ready = directory / "ready"
        self._log = directory / "worker.log"
        self._environment = {
            **os.environ,
            "CELERY_SKIP_CHECKS": "1",  # they take a second and never change
            **variables,
            "WORKER_READY_FILE": str(self._ready),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, beat: bool = False, command: Sequence[str] | None = None) -> None:
        """Start the worker, and wait until it accepts tasks.

        With `beat` it also sends the periodic tasks. By default it takes tasks from all queues, one at a
        time.
        """
        self._ready.unlink(missing_ok=True)
        command, options = command or COMMAND, [*APART, *(BEAT if beat else ())]
        self._process = processes.start(
            [sys.executable, "-m", "tests.support.clock", f"{clock.ahead():f}", *command, *options],
            env=self._environment,
            log=self._log,
            directory=PROJECT,
        )
        end = time.monotonic() + 60
        while not self._ready.exists():
            assert self._process.poll() is None and time.monotonic() < end, self.log
            time.sleep(0.05)

    @property
    def log(self) -> str:
        """The text that the worker has logged so far."""
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """Kill the worker and its children at once, like a power cut."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def terminate(self) -> None:
        """Ask the worker to stop after its current task, as a deployment does."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float = 60) -> int:
        """Wait until the process ends. Return its exit status."""
        assert self._process
        return self._process.wait(seconds)
