"""Measure the memory of each part of a site, idle and while a small group plays.

    python -m bench.footprint
    python -m bench.footprint --games 12 --seconds 120

It starts Postgres and Redis, the commands of our services in `docker-compose.yml`, and Caddy if it is
installed. After ``--rest`` seconds without visitors, it measures for the first time. Then two people and two
Pilots play each of ``--games`` games, and readers open pages, for ``--seconds`` seconds. The second result is
the largest value of each part meanwhile.

The unit is MB of PSS: the memory of a part's processes, with its share of memory that several processes use.
So the sum over all parts is the memory that a machine needs, without its system and its cache of files. The
report also has the size of the database on disk, and the processor time of each part while people played, as
a number of processors. `python -m bench.storage` measures the disk space of turns.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

import yaml
from django.utils import timezone

from bench.load.site import TICKS
from bench.scratch import scratch_site
from embedded import processes, up
from embedded.paths import Failure

PROJECT: Final = Path(__file__).resolve().parents[1]
READ: Final = ("/", "/games/", "/starships/", "/players/", "/ratings/", "/rules/")
READERS: Final = 3
"""The number of readers who open one page after another, each with a pause of a second."""

READY_SECONDS: Final = 180.0
"""The maximum number of seconds until the site is ready."""

SAMPLE_SECONDS: Final = 2.0


def main() -> int:
    """Measure, print the report, and return the exit status."""
    asked = _parser().parse_args()
    with scratch_site("footprint"):
        print(json.dumps(measure(asked.games, asked.rest, asked.seconds), indent=2))
    return 0


def measure(games: int, rest: float, seconds: float) -> Mapping[str, Any]:
    """Return the memory and processor time of each part, and the disk space of the database."""
    from bench.load.villages import Shape, Village

    village = Village(Shape(people=2 * games, running=0), timezone.now())
    village.create()
    with tempfile.TemporaryDirectory() as directory, services(Path(directory)) as (parts, url):
        time.sleep(rest)
        idle = memory(parts)
        before, begun = processor_seconds(parts), time.monotonic()
        largest, turns = _play(village, games, seconds, parts, url)
        took = time.monotonic() - begun
        after = processor_seconds(parts)
    return {
        "turns played": turns,
        "MB, idle": {**idle, "all": sum(idle.values())},
        "MB, busy": {**largest, "all": sum(largest.values())},
        "processors, busy": {
            **{part: round((after[part] - before[part]) / took, 2) for part in parts},
            "all": round((after.total() - before.total()) / took, 2),
        },
        "MB of the database on disk": _disk(),
    }


@contextmanager
def services(directory: Path) -> Iterator[tuple[dict[str, int], str]]:
    """Start all parts of the site. Yield the process ID of each part, and the site's address."""
    port = _free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PORT"},
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "BASE_URL": f"http://localhost:{port}",
        "LOG_FORMAT": "json",
        "WATCH_URL": f"http://localhost:{port}/healthz",
        "WATCH_DIRECTORY": str(directory),
        "FORWARDED_ALLOW_IPS": "",
    }
    (directory / "static").mkdir()
    up.copy_static(directory / "static", environment)
    environment["STATIC_ROOT"] = str(directory / "static")
    started = {}
    parts = _servers()
    try:
        for name, command in commands(port).items():
            own = {"DATABASE_POOL": "1"} if name == "web" else {}
            started[name] = processes.start(
                command, env=environment | own, log=directory / f"{name}.log", directory=PROJECT
            )
            parts[name] = started[name].pid
        if shutil.which("caddy"):
            caddy = [
                "caddy",
                "reverse-proxy",
                f"--from=http://localhost:{_free_port()}",
                f"--to=localhost:{port}",
            ]
            started["door"] = processes.start(caddy, env=environment, log=directory / "door.log")
            parts["door"] = started["door"].pid
        _wait(f"http://localhost:{port}/readyz", started, directory)
        yield parts, f"http://localhost:{port}"
    finally:
        for process in reversed(started.values()):
            processes.stop(process, signal.SIGTERM, timeout=20)


def commands(port: int) -> dict[str, list[str]]:
    """Return the commands of our long-running services in `docker-compose.yml`."""
    text = (PROJECT / "docker-compose.yml").read_text()
    while re.search(r"\$\{\w+", text):
        text = re.sub(r"\$\{\w+(?::[-?]([^{}]*))?\}", lambda found: found[1] or "", text)
    found = {}
    for name, service in yaml.safe_load(text)["services"].items():
        if not service["image"].startswith("robo-runner") or name in ("prepare", "backups"):
            continue
        command = service.get("command") or [sys.executable, "-m", *up.commands(port)["web"]]
        if "worker" in command:
            command = [*command, f"--hostname={name}@%h"]
        found[name] = [str(PROJECT / word) if word == "manage.py" else word for word in command]
    return found


def _servers() -> dict[str, int]:
    """Return the process IDs of Postgres and Redis, which this process has started."""
    found = {}
    for pid in processes.descendants(os.getpid()):
        with suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            if "postgres" in command and "-D" in command:
                found["db"] = pid
            elif "valkey" in command or "redis-server" in command:
                found["redis"] = pid
    return found


def memory(parts: Mapping[str, int]) -> dict[str, int]:
    """Return the memory of each part, in MB of PSS."""
    return {part: round(sum(map(_pss, _processes(pid))) / 1000) for part, pid in parts.items()}


def _processes(pid: int) -> list[int]:
    return [pid, *processes.descendants(pid)]


def _pss(pid: int) -> float:
    """Return the memory of a process in kB, or 0 if it has ended."""
    with suppress(OSError):
        if found := re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE):
            return int(found[1]) * 1.024
    return 0


def processor_seconds(parts: Mapping[str, int]) -> Counter[str]:
    """Return the processor seconds of each part so far."""
    taken: Counter[str] = Counter()
    for part, pid in parts.items():
        for each in _processes(pid):
            with suppress(OSError):
                stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
                taken[part] += sum(map(int, stat[11:15])) / TICKS  # type: ignore[assignment]
    return taken


def _play(
    village: Any, games: int, seconds: float, parts: Mapping[str, int], url: str
) -> tuple[dict[str, int], int]:
    """Play and read for some time. Return the largest memory of each part, and the number of turns played."""
    from bench.load.villages import submit_random_orders
    from games.errors import Conflict
    from games.play.models import Game, Turn

    over = Event()
    readers = [Thread(target=_read, args=(url, over), daemon=True) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    largest = memory(parts)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        running = list(Game.objects.filter(status=Game.Status.RUNNING))
        for _ in range(len(running), games):
            running.append(_start(village))
        for game in running:
            with suppress(
                Turn.DoesNotExist, Conflict
            ):  # a worker has just played the turn, or ended the game
                submit_random_orders(game, 2, timezone.now())
        now = memory(parts)
        largest = {part: max(most, now[part]) for part, most in largest.items()}
        time.sleep(SAMPLE_SECONDS)
    over.set()
    for reader in readers:
        reader.join()
    return largest, Turn.objects.exclude(status=Turn.Status.OPEN).count()


def _start(village: Any) -> Any:
    """Start a game of two people and two Pilots."""
    return village.start(people=2, computers=["pilot", "pilot"])


def _read(url: str, over: Event) -> None:
    while not over.is_set():
        for path in READ:
            with suppress(URLError, OSError), urlopen(url + path, timeout=60) as answer:  # noqa: S310
                answer.read()
            over.wait(1)


def _wait(url: str, started: Mapping[str, subprocess.Popen[bytes]], directory: Path) -> None:
    end = time.monotonic() + READY_SECONDS
    while True:
        with suppress(URLError, OSError), urlopen(url, timeout=5):  # noqa: S310
            return
        for name, process in started.items():
            if process.poll() is not None:
                log = (directory / f"{name}.log").read_text(errors="replace")[-2000:]
                raise Failure(f"{name} ended: {shlex.join(map(str, process.args))}\n{log}")  # type: ignore[arg-type]
        if time.monotonic() > end:
            raise Failure("The site is not ready.")
        time.sleep(1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _disk() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(pg_database_size(oid)) FROM pg_database")
        return round(int(cursor.fetchone()[0]) / 1_000_000)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure the memory of each part of a site.")
    parser.add_argument("--games", type=int, default=12, help="the number of games that run at the same time")
    parser.add_argument(
        "--rest", type=float, default=60, help="seconds without visitors before the first measure"
    )
    parser.add_argument("--seconds", type=float, default=120, help="seconds in which people play")
    return parser


if __name__ == "__main__":
    sys.exit(main())
