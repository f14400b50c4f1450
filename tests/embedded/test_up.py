"""``up``, which is ``make run``: the whole site on this machine."""

import json
import os
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.embedded.conftest import Start
from tests.embedded.test_servers import servers_of

Call = Callable[..., subprocess.CompletedProcess[str]]


def address(command: subprocess.Popen[str]) -> str:
    """Wait for the line that gives the address."""
    assert command.stdout
    line = command.stdout.readline()
    found = re.fullmatch(r"Robo Runner is at (http://localhost:\d+) \(Ctrl-C stops it\)\n", line)
    if not found:
        pytest.fail(f"{line!r} {command.communicate()[1]}")
    return found[1]


def demo(command: subprocess.Popen[str]) -> str:
    """Wait for the line after it, which tells of the demo, and return the address of its game."""
    assert command.stdout
    line = command.stdout.readline()
    found = re.fullmatch(r"Demo: log in as \S+ / \S+ - (http://localhost:\d+/games/\d+/)\n", line)
    assert found, line
    return found[1]


def child_of(command: subprocess.Popen[str], word: str) -> int:
    """The process number of the child of `command` whose arguments name `word`."""
    seen = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,command="], capture_output=True, text=True).stdout
    rows = [line.split() for line in seen.splitlines()]
    (pid,) = (int(row[0]) for row in rows if row[1] == str(command.pid) and word in row)
    return pid


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_the_site_goes_on_with_the_same_data_on_a_given_port_and_stops(
    start: Start, demo_game: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    command = start("up", PORT=str(port))
    assert address(command) == f"http://localhost:{port}"
    assert urlsplit(demo(command)).path == demo_game
    with urllib.request.urlopen(f"http://localhost:{port}/accounts/login/") as response:
        assert b"password" in response.read()
    command.send_signal(signal.SIGINT)
    assert command.wait(30) == 0
    assert servers_of(tmp_path / "data") == []


def asks_until_refused(site: str) -> int:
    """Ask for tokens by wrong passwords, each time as if for another client; return the last status."""
    status = 0
    for number in range(11):
        request = urllib.request.Request(
            f"{site}/api/v1/tokens",
            json.dumps({"login": f"nobody-{number}", "password": "not this one"}).encode(),
            {"Content-Type": "application/json", "X-Forwarded-For": f"203.0.113.{number}"},
        )
        try:
            urllib.request.urlopen(request).close()
        except urllib.error.HTTPError as error:
            status = error.code
            error.close()
    return status


@pytest.mark.usefixtures("demo_game")
def test_a_client_is_not_believed_to_ask_for_others(start: Start) -> None:
    assert asks_until_refused(address(start("up"))) == 429


def test_a_given_port_that_is_taken_is_refused(call: Call, taken_port: int, tmp_path: Path) -> None:
    done = call("up", PORT=str(taken_port))
    assert done.returncode == 1
    assert (
        done.stderr == f"Port {taken_port} is taken: choose another, or leave PORT out to get a free one.\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("port", ["eight", "0", "65536", "-1"])
def test_a_port_that_is_none_is_refused(call: Call, port: str) -> None:
    done = call("up", PORT=port)
    assert done.returncode == 1
    assert done.stderr == f"The variable PORT is wrong: {port} is not a number from 1 to 65535.\n"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://db/robo", "The variable DATABASE_URL is wrong: the database has to be Postgres"),
        ("postgresql://robo:hush-hush@127.0.0.1:1/robo", "The database cannot be used"),
    ],
)
def test_a_wrong_database_is_one_sentence(call: Call, url: str, sentence: str) -> None:
    done = call("up", DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == 1
    assert "hush-hush" not in done.stderr


@pytest.mark.usefixtures("demo_game")
def test_a_process_that_ends_by_itself_ends_the_site_with_a_sentence(start: Start, tmp_path: Path) -> None:
    command = start("up")
    address(command)
    os.kill(child_of(command, "beat"), signal.SIGKILL)
    _, errors = command.communicate(timeout=30)
    assert command.returncode == 1
    assert errors == f"The beat process ended with status -9; see {tmp_path / 'data/beat'}.log.\n"
    assert servers_of(tmp_path / "data") == []
