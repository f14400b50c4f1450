"""The web process as deployed, and a frozen database."""

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from embedded import processes, up

PROJECT = Path(__file__).resolve().parents[2]


@contextmanager
def serving(environment: Mapping[str, str], log: Path, page: str = "/games/") -> Iterator[int]:
    """Run a web process in the block. Yield its port after its first response."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", *up.commands(port)["web"]]
    told = {**environment, "BASE_URL": f"http://127.0.0.1:{port}"}
    process = processes.start(command, env=told, log=log, directory=PROJECT)
    try:
        end = time.monotonic() + 60
        while answer(port, page)[0] != 200:
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield port
    finally:
        processes.stop(process, signal.SIGKILL, timeout=10)


def answer(port: int, address: str, method: str = "GET") -> tuple[int, float, str]:
    """Return a response's status, seconds and text.

    The status is 0 if no server responds.
    """
    begun = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, address, headers={"Authorization": "Bearer robo_" + "a" * 43})
        response = connection.getresponse()
        return response.status, time.monotonic() - begun, response.read().decode()
    except ConnectionError:
        return 0, time.monotonic() - begun, ""
    finally:
        connection.close()


@contextmanager
def frozen(directory: Path) -> Iterator[None]:
    """Freeze the Postgres of a directory in the block, as if its disk hung."""
    postmaster = int((directory / "postgres" / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGSTOP)  # first, so that it starts no other process
    pids = [*processes.descendants(postmaster), postmaster]
    try:
        for pid in pids:
            _send(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in pids:
            _send(pid, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it has already ended
        os.kill(pid, number)
