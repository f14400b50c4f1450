"""Run the parts of a site on this machine, and measure their processor times."""

import os
import socket
import time
from collections import Counter
from pathlib import Path
from random import Random

from bench.faults.machine import Broker, Database, Part, Process, Web
from embedded import up
from embedded.paths import Failure

TICKS = os.sysconf("SC_CLK_TCK")

NICE = 10
"""The niceness (scheduling priority) of the mail worker."""


class Site:
    """A site's parts: Postgres, Redis, web processes, a worker for turns, a worker for mail, and beat."""

    def __init__(self, directory: Path, *, web: int, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        chance = Random(0)
        self.directory = directory
        self.database, self.broker = Database(directory), Broker(directory)
        commands = up.commands(self.port)
        own = ("--concurrency", "--queues")
        celery = [part for part in commands["worker"] if not part.startswith(own)]
        turns = [f"--concurrency={workers}", "--queues=sweeps,celery,thinking"]
        self.worker = Process("worker", [*celery, *turns], directory, chance)
        self.mailer = Process(
            "mailer",
            [*celery, "--concurrency=1", "--queues=mail", "--hostname=mailer@%h"],
            directory,
            chance,
        )
        serve = [*commands["web"], f"--workers={web}", "--backlog=4096"]
        self.web = Web(self.port, serve, directory, chance, DATABASE_POOL="1")
        self.beat = Process("beat", commands["beat"], directory, chance)
        self._opened: list[Part] = []

    def open(self, *parts: Part) -> None:
        """Start parts of the site, and wait until they are ready.

        Raises Failure if a part is not ready in time.
        """
        for part in parts:
            part.open()
            self._opened.append(part)
        for part in parts:
            await_part(part)
        if self.mailer in parts:
            for pid in (pid for pid, name in parts_of(os.getpid()).items() if name == "mailer"):
                os.setpriority(os.PRIO_PROCESS, pid, NICE)

    def close(self) -> None:
        """Stop all parts of the site, in the reverse order of their start."""
        for part in reversed(self._opened):
            part.close()


def await_part(part: Part, seconds: float = 120) -> None:
    """Wait until a part of the site is ready.

    Raises Failure if the part is not ready within ``seconds`` seconds.
    """
    end = time.monotonic() + seconds
    while not part.up:
        if time.monotonic() > end:
            raise Failure(f"{part.name} did not come within {seconds:.0f} s. {' '.join(part.deaths[-1:])}")
        time.sleep(0.05)


def parts_of(pid: int) -> dict[int, str]:
    """Return the part of the site for each descendant of a process, by process ID.

    A descendant that belongs to no part is called ``load``.
    """
    parents, names = {}, {}
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            stat = (directory / "stat").read_text().rpartition(")")[2].split()
            command = (directory / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        child = int(directory.name)
        parents[child], names[child] = int(stat[1]), _part(command)
    found: dict[int, str] = {}
    ahead = [(pid, "load")]
    while ahead:
        parent, name = ahead.pop()
        for child in (child for child, of in parents.items() if of == parent):
            found[child] = names[child] or name
            ahead.append((child, found[child]))
    return found


def _part(command: str) -> str:
    """Return the part of the site that a command line runs, or an empty string if it runs none."""
    if "celery" in command:
        return "mailer" if "mailer@" in command else "beat" if " beat " in command else "worker"
    marks = {"uvicorn": "web", "postgres": "postgres", "valkey": "redis", "redis-server": "redis"}
    return next((part for mark, part in marks.items() if mark in command), "")


def seconds_taken() -> Counter[str]:
    """Return the processor seconds of each part so far. The part ``load`` is the load test itself."""
    taken: Counter[str] = Counter()
    for pid, name in {os.getpid(): "load", **parts_of(os.getpid())}.items():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        own, of_the_gone = map(int, stat[11:13]), map(int, stat[13:15])
        # Our own ended children were counted while they ran, or ended before the test.
        taken[name] += (sum(own) + (0 if pid == os.getpid() else sum(of_the_gone))) / TICKS
    return taken
