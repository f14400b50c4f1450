"""Fork workers from a process that has loaded the project, to start them quickly."""

import json
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from embedded import processes
from tests.support import clock
from tests.support.worker import APART, BEAT, COMMAND, PROJECT


class Loaded:
    """A process that has loaded all modules of workers. Its log is in `directory`."""

    def __init__(self, directory: Path, variables: Mapping[str, str]) -> None:
        self._log = directory / "loaded.log"
        self._environment = {**os.environ, **variables}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process. It then loads the modules."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                processes.command_line([sys.executable, "-m", "tests.support.loaded"]),
                cwd=PROJECT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                text=True,
                start_new_session=True,
            )

    def worker(
        self,
        directory: Path,
        *,
        base_url: str,
        port: int,
        command: Sequence[str] = COMMAND,
        beat: bool = False,
    ) -> "ForkedWorker":
        """Fork a worker for all queues, or one that runs another `command`.

        It sends mail to `port` on this machine. With `beat` it also sends the periodic tasks.
        """
        assert self._process and self._process.stdin and self._process.stdout
        ready, log = directory / "ready", directory / "worker.log"
        asked = {
            "ahead": clock.ahead(),
            "ready": str(ready),
            "log": str(log),
            "command": [*command, *APART, *(BEAT if beat else ())],
            "settings": {"BASE_URL": base_url, "EMAIL_PORT": port},
        }
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, self._log.read_text(errors="replace")
        worker = ForkedWorker(int(answer), log)
        end = time.monotonic() + 60
        while not ready.exists():
            assert worker.runs() and time.monotonic() < end, worker.log
            time.sleep(0.02)
        return worker

    def stop(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait(20)


class ForkedWorker:
    """A worker process forked from `Loaded`."""

    def __init__(self, pid: int, log: Path) -> None:
        self._pid = pid
        self._log = log

    @property
    def log(self) -> str:
        """The text that the worker has logged so far."""
        return self._log.read_text(errors="replace")

    def runs(self) -> bool:
        with suppress(ProcessLookupError):
            os.kill(self._pid, 0)
            return True
        return False

    def kill(self) -> None:
        """Kill the worker and its children at once, like a power cut."""
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        while self.runs():
            time.sleep(0.01)


def _make_workers() -> None:
    """Fork a worker for each line of the standard input, and print its process ID."""
    import celery.bin.worker
    import celery.concurrency.prefork
    import celery.worker.worker  # noqa: F401
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    django.setup()
    from games.clocks import machine_clock
    from roborunner.celery import app

    app.loader.import_default_modules()
    machine_clock.database_time = lambda: datetime.now(UTC)  # the database keeps the real time
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel removes ended children
    made: list[int] = []
    try:
        for line in sys.stdin:
            pid = os.fork()
            if not pid:
                _work(**json.loads(line))
            made.append(pid)
            sys.stdout.write(f"{pid}\n")
            sys.stdout.flush()
    finally:
        for pid in made:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)


def _work(*, ahead: float, ready: str, log: str, command: list[str], settings: dict[str, Any]) -> None:
    """Run one worker in a forked process, until it ends."""
    import time_machine
    from django.conf import settings as all_settings

    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
            os.dup2(file, number)
        os.environ["WORKER_READY_FILE"] = ready
        for name, value in settings.items():
            setattr(all_settings, name, value)
        sys.argv = command
        with time_machine.travel(time.time() + ahead, tick=True):
            runpy.run_module("celery", run_name="__main__", alter_sys=True)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


if __name__ == "__main__":
    _make_workers()
