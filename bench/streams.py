"""Open thousands of event streams in one web process, and measure their cost and delay.

    python -m embedded run -- python -m bench.streams
    python -m embedded run -- python -m bench.streams --streams 5000 --rounds 10

It starts uvicorn on a free port, with the database and Redis from the environment, as the site does. All
streams follow one lobby, which the command creates. When the host becomes ready or unready, all streams get
an event at the same time.
"""

import argparse
import asyncio
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import django

PROJECT = Path(__file__).parents[1]
PARALLEL_OPENS = 50
"""The number of streams that are opened at the same time."""


@dataclass
class Weight:
    """The load of a process: memory in kB, threads, database connections and open files."""

    memory: int
    threads: int
    connections: int
    files: int


@contextmanager
def web(port: int) -> Iterator[int]:
    """Run the site in one web process. Yield its process ID."""
    command = [sys.executable, "-m", "uvicorn", "roborunner.asgi:application", f"--port={port}"]
    options = ["--no-access-log", "--log-level=warning", "--backlog=4096"]
    variables = {**os.environ, "BASE_URL": f"http://localhost:{port}"}
    process = subprocess.Popen([*command, *options], cwd=PROJECT, env=variables)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


def weigh(pid: int) -> Weight:
    """Measure a process. All database connections except this command's own count as the process's."""
    from django.db import connection

    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity"
            " where backend_type = 'client backend' and pid <> pg_backend_pid()"
        )
        connections = cursor.fetchone()[0]
    return Weight(
        memory=int(status["VmRSS"].split()[0]),
        threads=int(status["Threads"]),
        connections=connections,
        files=len(os.listdir(f"/proc/{pid}/fd")),  # noqa: PTH208 - their number alone
    )


class Listener:
    """A client with an open stream. It counts events, and records when the latest one came."""

    def __init__(self) -> None:
        self.events = 0
        self.came = 0.0
        self._task: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self, port: int, path: str, number: int) -> None:
        """Open the stream, and wait for its first event.

        Groups of clients use different local addresses, because one address may open only a few streams.
        """
        from accounts.limits import STREAMS_PER_CLIENT

        # Only half of the allowed streams, because earlier ones may still be open.
        block, last = divmod(number // (STREAMS_PER_CLIENT // 2), 250)
        own = (f"127.0.{1 + block}.{1 + last}", 0)
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port, local_addr=own)
        self._writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise SystemExit(f"No stream was had: {head.decode()}")
        await reader.readuntil(b"event: ")
        self._task = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"event: "):
                self.events += 1
                self.came = time.perf_counter()

    async def close(self) -> None:
        assert self._task and self._writer
        self._task.cancel()
        self._writer.close()


async def fetch(port: int, path: str) -> float:
    """Request a page, and return the seconds until the whole response has arrived."""
    begun = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return time.perf_counter() - begun


async def answers(port: int, path: str, count: int = 40) -> float:
    """Return the median seconds of ``count`` requests, which are made one after another."""
    return statistics.median([await fetch(port, path) for _ in range(count)])


async def open_all(port: int, path: str, count: int) -> list[Listener]:
    listeners = [Listener() for _ in range(count)]
    room = asyncio.Semaphore(PARALLEL_OPENS)

    async def one(number: int, listener: Listener) -> None:
        async with room:
            await listener.open(port, path, number)

    await asyncio.gather(*(one(number, listener) for number, listener in enumerate(listeners)))
    return listeners


async def time_delivery(lobby: "Lobby", listeners: list[Listener]) -> tuple[float, float]:
    """Change the lobby. Return the seconds until half of the clients, and all of them, received the event."""
    before = [listener.events for listener in listeners]
    await asyncio.to_thread(lobby.change)
    committed = time.perf_counter()
    while any(listener.events == had for listener, had in zip(listeners, before, strict=True)):
        if time.perf_counter() - committed > 30:
            raise SystemExit("Not all were told within 30 s.")
        await asyncio.sleep(0.005)
    times = sorted(listener.came - committed for listener in listeners)
    return times[len(times) // 2], times[-1]


class Lobby:
    """A game that has not started. Its host becomes ready and unready."""

    def __init__(self) -> None:
        from django.core.management import call_command
        from django.db import connection
        from django.utils import timezone

        from accounts.models import User
        from games.fleet.models import Starship
        from games.lobby.services import create_game
        from games.play.terms import Terms

        call_command("migrate", verbosity=0)
        call_command("load_starships", verbosity=0)
        name = f"Bench-{os.getpid()}"
        self._host = User.objects.create_user(robo_name=name, email=f"{name}@example.org")
        starship = Starship.objects.filter(section="fleet").order_by("pk").first()
        assert starship
        self.game = create_game(
            host=self._host, terms=Terms(name="Streams", starship=starship.pk, seats=2), now=timezone.now()
        )
        self._ready = True
        connection.close()  # this thread's connection must not be counted

    def change(self) -> None:
        """Change the host's readiness, and commit the change."""
        from django.db import connection
        from django.utils import timezone

        from games.lobby.seats import set_ready

        self._ready = not self._ready
        set_ready(user=self._host, game_id=self.game.pk, ready=self._ready, now=timezone.now())
        connection.close()


async def measure(port: int, pid: int, lobby: Lobby, *, streams: int, rounds: int) -> dict[str, object]:
    """Measure the process without streams and with them. Return the figures by name."""
    page = lobby.game.get_absolute_url()
    path = f"{page}events/"
    for listener in await open_all(port, path, PARALLEL_OPENS):  # warm up
        await listener.close()
    await answers(port, page)
    await asyncio.sleep(1)
    quick, idle = await answers(port, page), await asyncio.to_thread(weigh, pid)
    begun = time.perf_counter()
    listeners = await open_all(port, path, streams)
    opening = time.perf_counter() - begun
    await asyncio.sleep(2)
    loaded = await asyncio.to_thread(weigh, pid)
    told = [await time_delivery(lobby, listeners) for _ in range(rounds)]
    slow = await answers(port, page)
    for listener in listeners:
        await listener.close()
    return {
        "streams": streams,
        "opened within, s": round(opening, 1),
        "idle": asdict(idle),
        "loaded": asdict(loaded),
        "kB a stream": round((loaded.memory - idle.memory) / streams, 1),
        "half told within, s": round(statistics.median(half for half, _ in told), 3),
        "all told within, s": round(statistics.median(last for _, last in told), 3),
        "at worst, s": round(max(last for _, last in told), 3),
        "page, idle, ms": round(quick * 1000, 1),
        "page, loaded, ms": round(slow * 1000, 1),
        "page, ratio": round(slow / quick, 2),
    }


def main() -> None:
    """Measure event streams, and print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=2000, help="how many to open (2000)")
    parser.add_argument("--rounds", type=int, default=10, help="how often to tell them of something (10)")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    django.setup()
    lobby = Lobby()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with web(port) as pid:
        figures = asyncio.run(measure(port, pid, lobby, streams=arguments.streams, rounds=arguments.rounds))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
