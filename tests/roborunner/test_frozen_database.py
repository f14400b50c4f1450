"""If Postgres freezes, every page reports it within five seconds."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from embedded import up
from embedded.servers import Servers
from roborunner.postgres import connections
from roborunner.postgres.connections import Connection
from tests.games.together import wait_until
from tests.support.web import answer, frozen, serving

PATIENCE = 5.0
"""The maximum time for a response, in seconds."""


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("frozen")


@pytest.fixture(scope="module")
def environment(directory: Path) -> Iterator[dict[str, str]]:
    """Return the environment of separate servers. No other test uses their database."""
    with Servers(directory, {}, disposable=True, fill=lambda to: up.copy_database(to, os.environ)) as servers:
        yield {**os.environ, **servers.environment}


@pytest.fixture(params=["with a pool", "without a pool"])
def port(request: pytest.FixtureRequest, environment: dict[str, str], tmp_path: Path) -> Iterator[int]:
    """Return the port of a web process that runs as deployed."""
    pool = {"DATABASE_POOL": "1"} if request.param == "with a pool" else {}
    with serving(environment | pool, tmp_path / "web.log") as port:
        yield port


def test_pages_api_and_streams_answer_503_in_time_and_recover(port: int, directory: Path) -> None:
    addresses = ["/games/", "/games/1/", "/api/v1/games/1", "/readyz", "/games/1/events", "/games/"]
    with frozen(directory), ThreadPoolExecutor(len(addresses)) as clients:
        answers = list(clients.map(lambda address: answer(port, address), addresses))
    for address, (status, seconds, text) in zip(addresses, answers, strict=True):
        assert (status, seconds < PATIENCE) == (503, True), f"{address}: {status} after {seconds:.1f} s"
        assert "Traceback" not in text
    assert '"error": "unavailable"' in answers[2][2].replace('":"', '": "')
    assert '"database"' in answers[3][2]
    wait_until(lambda: answer(port, "/games/")[0] == 200)


def test_a_statement_that_takes_too_long_ends_with_its_connection(environment: dict[str, str]) -> None:
    with Connection.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        with (
            connections.within(0.2, least=0.1),
            pytest.raises(psycopg.OperationalError, match="did not answer"),
        ):
            connection.execute("SELECT pg_sleep(30)")
        assert connection.closed


def test_commands_have_no_time_limit(environment: dict[str, str]) -> None:
    assert connections.current_limit() is None
    with Connection.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("SELECT pg_sleep(0.5)")
        assert not connection.closed


def test_a_late_statement_still_has_a_short_time() -> None:
    with connections.within(0.0, least=1.2):
        limit = connections.current_limit()
        assert limit is not None
        assert limit.left == 1.2
    assert connections.REQUEST_SECONDS + connections.MIN_SECONDS < PATIENCE


def test_postgres_stops_a_task_before_the_worker_does() -> None:
    assert connections.TASK_STATEMENT_SECONDS < connections.TASK_SECONDS
