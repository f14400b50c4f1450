"""A Postgres that takes questions and never answers: every page says so within five seconds."""

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from embedded import children, up
from embedded.managing import manage
from embedded.servers import Servers
from roborunner.postgres import limits
from roborunner.postgres.limits import Connection

PROJECT = Path(__file__).resolve().parents[2]

PATIENCE = 5.0
"""Seconds within which each address answers."""


@contextmanager
def frozen(directory: Path) -> Iterator[None]:
    """Stop a Postgres with all its processes, as a disk that hangs does: nothing ends, nothing answers."""
    postmaster = int((directory / "postgres" / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGSTOP)  # the first: from here on it starts no other
    pids = [*children.descendants(postmaster), postmaster]
    try:
        for pid in pids:
            _send(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in pids:
            _send(pid, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # of one that has ended in between
        os.kill(pid, number)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("frozen")


@pytest.fixture(scope="module")
def environment(directory: Path) -> Iterator[dict[str, str]]:
    """Servers of its own, which others do not need meanwhile, with the tables of the site."""
    with Servers(directory, {}, forgetful=True) as servers:
        environment = {**os.environ, **servers.environment}
        manage(environment, "migrate", "--noinput", "--verbosity=0")
        yield environment


@pytest.fixture(params=["with a pool", "without a pool"])
def port(request: pytest.FixtureRequest, environment: dict[str, str], tmp_path: Path) -> Iterator[int]:
    """The port of the web process, as it is deployed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    pool = {"DATABASE_POOL": "1"} if request.param == "with a pool" else {}
    command = [sys.executable, "-m", *up.commands(port)["web"]]
    told = environment | pool | {"BASE_URL": f"http://127.0.0.1:{port}"}
    process = children.start(command, env=told, log=tmp_path / "web.log", directory=PROJECT)
    end = time.monotonic() + 60
    while answer(port, "/games/")[0] != 200:
        assert process.poll() is None and time.monotonic() < end, (tmp_path / "web.log").read_text()
        time.sleep(0.1)
    yield port
    children.stop(process, signal.SIGKILL, patience=10)


def answer(port: int, address: str) -> tuple[int, float, str]:
    """Return status, seconds and text of the answer at an address; status 0 where nothing listens."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", address, headers={"Authorization": "Bearer robo_" + "a" * 43})
        response = connection.getresponse()
        return response.status, time.monotonic() - begun, response.read().decode()
    except ConnectionError:
        return 0, time.monotonic() - begun, ""
    finally:
        connection.close()


def test_pages_and_api_and_streams_answer_503_in_time_and_go_on_once_it_is_back(
    port: int, directory: Path
) -> None:
    addresses = ["/games/", "/games/1/", "/api/v1/games/1", "/readyz", "/games/1/events", "/games/"]
    with frozen(directory), ThreadPoolExecutor(len(addresses)) as clients:
        answers = list(clients.map(lambda address: answer(port, address), addresses))
    for address, (status, seconds, text) in zip(addresses, answers, strict=True):
        assert (status, seconds < PATIENCE) == (503, True), f"{address}: {status} after {seconds:.1f} s"
        assert "Traceback" not in text
    assert '"error": "unavailable"' in answers[2][2].replace('":"', '": "')
    assert '"database"' in answers[3][2]
    end = time.monotonic() + 30
    while answer(port, "/games/")[0] != 200:
        assert time.monotonic() < end, "it does not come back"
        time.sleep(0.1)


def test_a_statement_that_takes_too_long_ends_with_its_connection(environment: dict[str, str]) -> None:
    with Connection.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        with limits.within(0.2, least=0.1), pytest.raises(psycopg.OperationalError, match="did not answer"):
            connection.execute("SELECT pg_sleep(30)")
        assert connection.closed


def test_what_has_no_limit_takes_as_long_as_it_takes(environment: dict[str, str]) -> None:
    """Migrations, backups and recounts are commands: nothing cuts them."""
    assert limits.current() is None
    with Connection.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("SELECT pg_sleep(0.5)")
        assert not connection.closed


def test_a_late_statement_still_has_a_moment() -> None:
    with limits.within(0.0, least=1.2):
        limit = limits.current()
        assert limit is not None
        assert limit.left == 1.2
    assert limits.REQUEST + limits.LATE < PATIENCE


def test_a_task_has_a_minute_by_postgres_and_a_little_longer_without_it() -> None:
    assert limits.TASK_STATEMENT < limits.TASK
