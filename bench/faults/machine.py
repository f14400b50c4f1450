"""Run the parts of the site as real processes. The test can kill a part, and each part restarts."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from embedded import processes, up
from embedded.paths import Failure
from embedded.servers import Postgres, Redis

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outage:
    """An outage of a part, from its death until it is ready again. Times are in seconds since 1970."""

    part: str
    how: str
    begin: float
    end: float


class Part(ABC):
    """A part of the site. Its thread starts the process, and restarts it after each death."""

    name: str
    ways: tuple[str, ...]

    def __init__(self) -> None:
        self.outages: list[Outage] = []
        self.deaths: list[str] = []
        self._lock = threading.Lock()
        self._down: tuple[str, float] | None = ("first start", time.time())
        self._again = 0.0
        self._started = False
        self._closing = False
        # A child ends with the thread that started it, so one thread starts all processes of a part.
        self._thread = threading.Thread(target=self._look_after, name=self.name, daemon=True)

    def open(self) -> None:
        """Start the thread that starts the process of this part of the site."""
        self._thread.start()

    def close(self) -> None:
        """Stop this part of the site permanently."""
        with self._lock:
            self._closing = True
            self._stop()
        if self._thread.is_alive():
            self._thread.join(60)

    @property
    def up(self) -> bool:
        """Whether this part of the site is ready to serve."""
        with self._lock:
            return self._down is None

    @property
    def started(self) -> bool:
        """Whether the process of this part of the site runs. It may not be ready yet."""
        with self._lock:
            return self._started

    def kill(self, how: str, pause: float) -> bool:
        """Kill this part of the site in one of its ``ways``. It restarts after ``pause`` seconds.

        Returns whether the part was running.
        """
        with self._lock:
            if not self._started:
                return False
            self._down = self._down or (how, time.time())
            self._kill(how)
            self._started, self._again = False, time.time() + pause
        return True

    def _look_after(self) -> None:
        while not self._closing:
            with self._lock:
                if not self._closing:
                    self._see_to_it()
            time.sleep(0.05)

    def _see_to_it(self) -> None:
        now = time.time()
        if self._started and (ended := self._ended()):
            self.deaths.append(ended)
            self._down = self._down or ("by itself", now)
            self._started, self._again = False, now + 0.5
        elif not self._started and now >= self._again:
            try:
                self._start()
            except Failure as problem:
                self.deaths.append(str(problem))
                self._again = time.time() + 0.5
            else:
                self._started = True
        if self._started and self._down and self._ready():
            how, begin = self._down
            self.outages.append(Outage(self.name, how, begin, time.time()))
            self._down = None

    @abstractmethod
    def _start(self) -> None:
        """Start the process. Raises Failure if it cannot start."""

    @abstractmethod
    def _kill(self, how: str) -> None:
        pass

    @abstractmethod
    def _stop(self) -> None:
        """Stop the process in the way an operator does."""

    @abstractmethod
    def _ended(self) -> str:
        """Return a text about how the process ended unexpectedly, or an empty string if it still runs."""

    def _ready(self) -> bool:
        return True


class Database(Part):
    """The Postgres server. The test can kill all its processes, or stop it immediately."""

    name = "postgres"
    ways = ("killed", "stopped at once")

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self.server = Postgres(directory)

    def _start(self) -> None:
        self.server.start()

    def _kill(self, how: str) -> None:
        if how == "killed":
            self.server.kill()
        else:
            self.server.stop_at_once()

    def _stop(self) -> None:
        self.server.stop()

    def _ended(self) -> str:
        return "Postgres ended" if self.server.ended() else ""


class Broker(Part):
    """The Redis server. The test can kill it, with or without the loss of its data."""

    name = "redis"
    ways = ("killed", "emptied")

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self.server = Redis(directory)

    def _start(self) -> None:
        self.server.start()

    def _kill(self, how: str) -> None:
        self.server.kill(forgetting=how == "emptied")

    def _stop(self) -> None:
        self.server.stop()

    def _ended(self) -> str:
        return "Redis ended" if self.server.ended() else ""


class Process(Part):
    """A Python process of the site, such as web, worker or beat.

    The test can kill the process with all its children, or only one child of a worker.
    """

    def __init__(
        self, name: str, command: list[str], directory: Path, chance: Random, **variables: str
    ) -> None:
        self.name = name
        self.ways = ("killed", "killed", "one of its processes killed") if name == "worker" else ("killed",)
        self._command = [sys.executable, "-m", *command]
        self._log = directory / f"{name}.log"
        self._mark = directory / f"{name}-ready"
        self._environment = {
            "DATABASE_PREPARES": "1",
            **os.environ,
            **variables,
            "WORKER_READY_FILE": str(self._mark),
        }
        self._chance = chance
        self._process: subprocess.Popen[bytes] | None = None
        super().__init__()

    def stop_gracefully(self) -> None:
        """Stop the process as a deployment does. Its thread restarts it."""
        with self._lock:
            if self._process and self._started:
                self._down = self._down or ("stopped gracefully", time.time())
                processes.stop(self._process, signal.SIGTERM, timeout=30)
                self._started, self._again = False, time.time()

    def _start(self) -> None:
        self._mark.unlink(missing_ok=True)
        self._process = processes.start(
            self._command, env=self._environment, log=self._log, directory=PROJECT
        )

    def _kill(self, how: str) -> None:
        assert self._process
        if how == "killed":
            processes.kill(self._process)
        elif workers := processes.descendants(self._process.pid):
            os.kill(self._chance.choice(workers), signal.SIGKILL)

    def kill(self, how: str, pause: float) -> bool:
        """Kill the process, or only one of its children, which the process then replaces.

        Returns whether the process was running.
        """
        if how == "killed":
            return super().kill(how, pause)
        with self._lock:
            if not self._started or self._down:
                return False
            now = time.time()
            self._kill(how)
            self.outages.append(Outage(self.name, how, now, now))
        return True

    def _stop(self) -> None:
        if self._process:
            processes.stop(self._process, signal.SIGTERM, timeout=30)

    def _ended(self) -> str:
        assert self._process
        status = self._process.poll()
        return "" if status is None else f"{self.name} ended with status {status}"

    def _ready(self) -> bool:
        return self._mark.exists() if self.name in ("worker", "caller") else True


class Web(Process):
    """The web process of the site. It listens on ``port``."""

    def __init__(
        self, port: int, command: list[str], directory: Path, chance: Random, **variables: str
    ) -> None:
        self.port = port
        variables["BASE_URL"] = f"http://localhost:{port}"  # the only host name that it accepts
        super().__init__("web", command, directory, chance, **variables)

    def _ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True


class Machine:
    """All parts of the site, in one directory. ``more`` are further servers, such as PgBouncer."""

    def __init__(self, directory: Path, chance: Random, *more: Part, hurry: bool) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.database, self.broker = Database(directory), Broker(directory)
        commands = up.commands(self.port)
        if hurry:
            for name in ("worker", "thinker", "caller"):
                commands[name].append("--include=bench.faults.hurry")
        self.web = Web(self.port, commands["web"], directory, chance, DATABASE_POOL="1")
        self.worker = Process("worker", commands["worker"], directory, chance)
        self.thinker = Process("thinker", commands["thinker"], directory, chance)
        self.caller = Process("caller", commands["caller"], directory, chance)
        self.beat = Process("beat", commands["beat"], directory, chance)
        self.servers: tuple[Part, ...] = (self.database, self.broker, *more)
        self.processes: tuple[Part, ...] = (self.worker, self.thinker, self.caller, self.web, self.beat)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts of the site, in their starting order."""
        return self.servers + self.processes

    def wait(self, parts: tuple[Part, ...], seconds: float = 120) -> None:
        """Wait until these parts of the site are ready.

        Raises Failure if a part is not ready within ``seconds`` seconds.
        """
        end = time.monotonic() + seconds
        while away := [part.name for part in parts if not part.up]:
            if time.monotonic() > end:
                deaths = [death for part in parts for death in part.deaths[-1:]]
                raise Failure(f"{', '.join(away)} did not come within {seconds:.0f} s. {' '.join(deaths)}")
            time.sleep(0.05)

    @property
    def outages(self) -> list[Outage]:
        """All outages of parts in order of time. A part's first start is not an outage."""
        found = [each for part in self.parts for each in part.outages if each.how != "first start"]
        return sorted(found, key=lambda outage: outage.begin)

    def close(self) -> None:
        """Stop all parts of the site. Servers such as Postgres and Redis stop last."""
        for parts in (self.processes, self.servers):
            with ThreadPoolExecutor(len(parts)) as pool:
                list(pool.map(Part.close, parts))
