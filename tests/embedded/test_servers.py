"""Postgres and Redis start, stop and survive failures."""

import os
import signal
import subprocess
import time
from pathlib import Path

import psycopg
import pytest
from psycopg.errors import UniqueViolation
from redis import Redis

from embedded import paths, processes
from embedded.paths import Failure
from embedded.servers import Servers
from tests.embedded.conftest import Start

ready = pytest.mark.usefixtures("made")


def serve(start: Start, **options: object) -> tuple[subprocess.Popen[str], str, str]:
    """Start both servers. Return the command and the addresses of both."""
    command = start("serve", **options)
    assert command.stdout
    lines = [command.stdout.readline().strip(), command.stdout.readline().strip()]
    if not all(lines):
        pytest.fail(command.communicate()[1])
    database, redis = (line.partition("=")[2] for line in lines)
    return command, database, redis


def servers_of(directory: Path) -> list[int]:
    """Return the process IDs of all servers of `directory`."""
    seen = subprocess.run(["ps", "-ww", "-eo", "pid=,command="], capture_output=True, text=True).stdout
    rows = [line.split(maxsplit=1) for line in seen.splitlines()]
    return [
        int(pid) for pid, text in rows if str(directory) in text and ("postgres" in text or "valkey" in text)
    ]


def wait_until_gone(directory: Path) -> None:
    end = time.monotonic() + 60
    while left := servers_of(directory):
        assert time.monotonic() < end, left
        time.sleep(0.05)


def put(url: str, text: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text PRIMARY KEY)")
        connection.execute("INSERT INTO kept VALUES (%s)", [text])


def stored_words(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM kept ORDER BY word")]


def test_both_servers_answer_at_the_printed_addresses(start: Start) -> None:
    _, database, redis = serve(start)
    put(database, "hull")
    assert stored_words(database) == ["hull"]
    with Redis.from_url(redis) as client:
        assert client.ping()


@ready
def test_nothing_listens_on_the_network(start: Start) -> None:
    _, database, redis = serve(start)
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT current_setting('listen_addresses')").fetchone()
    assert row == ("",)
    with Redis.from_url(redis) as client:
        assert client.config_get("port") == {"port": "0"}


@ready
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_both_and_leaves_no_process(start: Start, tmp_path: Path, how: signal.Signals) -> None:
    command, _, _ = serve(start)
    assert len(servers_of(tmp_path / "data")) >= 2
    command.send_signal(how)
    assert command.wait(30) == 0
    assert servers_of(tmp_path / "data") == []


@ready
def test_the_next_start_keeps_the_data(start: Start) -> None:
    command, database, redis = serve(start)
    put(database, "beam")
    with Redis.from_url(redis) as client:
        client.set("arm", "ready")
    command.terminate()
    assert command.wait(30) == 0
    _, database, redis = serve(start)
    assert stored_words(database) == ["beam"]
    with pytest.raises(UniqueViolation):
        put(database, "beam")
    with Redis.from_url(redis) as client:
        assert client.get("arm") == b"ready"


@ready
def test_a_second_start_says_that_they_are_already_running(start: Start, tmp_path: Path) -> None:
    _, database, _ = serve(start)
    second = start("serve")
    output, errors = second.communicate(timeout=120)
    assert second.returncode == 1
    assert (output, errors) == ("", f"The servers of {tmp_path / 'data'} are already running.\n")
    put(database, "unharmed")


@ready
@pytest.mark.skipif("sys.platform != 'linux'", reason="only Linux tells a child that its parent died")
def test_servers_end_with_a_killed_supervisor_and_keep_their_data(start: Start, tmp_path: Path) -> None:
    command, database, _ = serve(start)
    put(database, "rail")
    command.kill()
    command.wait()
    wait_until_gone(tmp_path / "data")
    _, database, _ = serve(start)
    assert stored_words(database) == ["rail"]


@ready
def test_killed_servers_start_again(start: Start, tmp_path: Path) -> None:
    command, database, _ = serve(start)
    put(database, "crusher")
    victims = servers_of(tmp_path / "data")
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    _, errors = command.communicate(timeout=120)
    assert command.returncode == 1
    assert "ended by itself" in errors
    _, database, _ = serve(start)
    assert stored_words(database) == ["crusher"]


@ready
def test_a_stale_pid_file_harms_neither_the_start_nor_its_new_owner(start: Start, tmp_path: Path) -> None:
    command, _, _ = serve(start)
    command.terminate()
    command.wait(30)
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        (tmp_path / "data/postgres/postmaster.pid").write_text(f"{bystander.pid}\n")
        (tmp_path / "data/redis/redis.pid").write_text(f"{bystander.pid}\n")
        (paths.socket_directory(tmp_path / "data") / ".s.PGSQL.5432.lock").write_text(f"{bystander.pid}\n")
        serve(start)
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@ready
def test_an_orphan_of_this_directory_is_stopped_first(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    orphaned = Servers(directory, {})
    orphaned.__enter__()
    old = servers_of(directory)
    (orphaned_lock := directory / "lock").unlink()  # the supervisor is gone, and its servers run on
    assert not orphaned_lock.exists()
    with Servers(directory, {}) as servers:
        assert not set(old) & set(servers_of(directory))
        put(servers.environment["DATABASE_URL"], "oil")
    orphaned.__exit__(None, None, None)


def test_half_a_cluster_is_replaced(start: Start, tmp_path: Path) -> None:
    half = tmp_path / "data/postgres.unfinished"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    _, database, _ = serve(start)
    put(database, "whole")


def test_a_cluster_of_another_postgres_is_refused_in_a_sentence(start: Start, tmp_path: Path) -> None:
    cluster = tmp_path / "data/postgres"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("15\n")
    command = start("serve")
    _, errors = command.communicate(timeout=120)
    assert command.returncode == 1
    assert "was written by Postgres 15" in errors
    assert "Traceback" not in errors


def test_a_long_path_gets_short_sockets(start: Start, tmp_path: Path) -> None:
    directory = tmp_path / ("a" * 100) / "data"
    command, database, _ = serve(start, directory=directory)
    put(database, "far")
    sockets = paths.socket_directory(directory)
    assert not sockets.is_relative_to(tmp_path)
    assert sockets.stat().st_mode & 0o077 == 0
    command.terminate()
    assert command.wait(30) == 0
    assert start("clean", directory=directory).wait(30) == 0
    assert not sockets.exists()


def test_an_unknown_locale_does_not_matter(start: Start) -> None:
    _, database, _ = serve(start, LC_ALL="tlh_QO.UTF-8", LANG="nonsense")
    put(database, "Qapla'")


def test_servers_named_in_the_environment_are_not_started(tmp_path: Path) -> None:
    with Servers(tmp_path / "data", {"DATABASE_URL": "postgresql://elsewhere/robo"}) as servers:
        assert list(servers.environment) == ["REDIS_URL"]
        assert not (tmp_path / "data/postgres").exists()


def test_a_failed_start_releases_the_lock(tmp_path: Path) -> None:
    cluster = tmp_path / "data/postgres"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("15\n")
    with pytest.raises(Failure, match="Postgres 15"):
        Servers(tmp_path / "data", {}).__enter__()
    with processes.directory_lock(tmp_path / "data"):
        pass
