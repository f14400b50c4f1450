"""The command ``up`` (``make run``) runs the whole site on this machine."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.embedded.conftest import begin
from tests.embedded.test_servers import servers_of
from tests.support import dates

Call = Callable[..., subprocess.CompletedProcess[str]]


def address(command: subprocess.Popen[str]) -> str:
    """Wait until the command prints the site's address, and return the address."""
    assert command.stdout
    line = command.stdout.readline()
    found = re.fullmatch(r"Robo Runner is at (http://localhost:\d+) \(Ctrl-C stops it\)\n", line)
    if not found:
        pytest.fail(f"{line!r} {command.communicate()[1]}")
    return found[1]


def demo(command: subprocess.Popen[str]) -> tuple[str, str, str]:
    """Wait for the line about the demo.

    Return the login, the password and the address of the game.
    """
    assert command.stdout
    line = command.stdout.readline()
    found = re.fullmatch(r"Demo: log in as (\S+) / (\S+) - (http://localhost:\d+/games/\d+/)\n", line)
    assert found, line
    return found[1], found[2], found[3]


def child_of(command: subprocess.Popen[str], word: str) -> int:
    """Return the process ID of the command's child with `word` in its arguments."""
    seen = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,command="], capture_output=True, text=True).stdout
    rows = [line.split() for line in seen.splitlines()]
    (pid,) = (int(row[0]) for row in rows if row[1] == str(command.pid) and word in row)
    return pid


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that another program uses."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def asks_until_refused(site: str) -> int:
    """Send wrong passwords under several client addresses. Return the last status.

    Clients claim their addresses in X-Forwarded-For, so the site should count them as one.
    """
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


def style_of(site: str) -> tuple[str, dict[str, str]]:
    """Return the address and headers of the compressed style sheet."""
    with urllib.request.urlopen(f"{site}/") as response:
        found = re.search(r'<link rel="stylesheet" href="([^"]+)">', response.read().decode())
    assert found
    request = urllib.request.Request(site + found[1], headers={"Accept-Encoding": "gzip, br"})
    with urllib.request.urlopen(request) as response:
        return found[1], {name.lower(): value for name, value in response.headers.items()}


class Ups:
    """A site that runs twice on the same data.

    The first run ends when a process ends, and the second with Ctrl-C. On days of clock changes, the first
    run waits for the change before its first request.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def begin(self) -> None:
        """Run the site until its process beat ends."""
        changing = os.environ.get(dates.CHANGE)
        # Sites for different days start together, so each gets another port.
        with self._up(**({"PORT": str(free_port())} if changing else {})) as command:
            site = address(command)
            login, password, game = demo(command)
            self.game = urlsplit(game).path
            told = json.dumps({"login": login, "password": password}).encode()
            asked = urllib.request.Request(
                f"{site}/api/v1/tokens", told, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(asked) as response:
                self.token = json.load(response)["token"]
            time.sleep(max(0, float(changing or 0) - time.time()))
            self.style, self.style_told = style_of(site)
            self.last_status = asks_until_refused(site)
            os.kill(child_of(command, "beat"), signal.SIGKILL)
            _, self.errors = command.communicate(timeout=120)
            self.ended = command.returncode, servers_of(self.directory)

    def go_on(self) -> None:
        """Run the site again at a chosen port, and stop it with Ctrl-C.

        Some processes are still starting when it stops.
        """
        self.port = free_port()
        with self._up(PORT=str(self.port)) as command:
            self.site = address(command)
            game = f"{self.site}/api/v1{self.game.rstrip('/')}"
            asked = urllib.request.Request(game, headers={"Authorization": f"Bearer {self.token}"})
            with urllib.request.urlopen(asked) as response:
                self.seen = json.load(response)
            command.send_signal(signal.SIGINT)
            self.stopped = command.wait(30), servers_of(self.directory)

    @contextmanager
    def _up(self, **variables: str) -> Iterator[subprocess.Popen[str]]:
        command = begin(self.directory, "up", **variables)
        try:
            yield command
        finally:
            command.terminate()
            command.communicate()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Ups:
    ups = Ups(tmp_path_factory.mktemp("up") / "data")
    ups.begin()
    return ups


@pytest.fixture(scope="module")
def ups(begun: Ups) -> Ups:
    begun.go_on()
    return begun


def test_the_site_stops_and_reports_it_if_a_process_ends(begun: Ups) -> None:
    assert begun.style_told["content-type"].startswith("text/css")
    assert begun.ended == (1, [])
    assert begun.errors == f"The beat process ended with status -9; see {begun.directory / 'beat'}.log.\n"


def test_a_client_cannot_pretend_to_be_others(begun: Ups) -> None:
    assert begun.last_status == 429


def test_static_files_are_compressed_cached_and_named_by_content(begun: Ups) -> None:
    assert re.fullmatch(r"/static/site/site\.[0-9a-f]{12}\.css", begun.style)
    assert begun.style_told["content-encoding"] == "br"
    assert "immutable" in begun.style_told["cache-control"]


def test_the_site_keeps_its_data_on_a_given_port_until_it_is_stopped(ups: Ups) -> None:
    assert ups.site == f"http://localhost:{ups.port}"
    assert ups.game == f"/games/{ups.seen['id']}/"
    assert ups.stopped == (0, [])


def test_the_test_that_other_days_ask_for_is_in_this_module() -> None:
    path, name = dates.SITE.split("::")
    assert __file__.endswith(path)
    assert name in globals()


def test_a_port_in_use_is_refused(call: Call, taken_port: int, tmp_path: Path) -> None:
    done = call("up", PORT=str(taken_port))
    assert done.returncode == 1
    assert (
        done.stderr == f"Port {taken_port} is taken: choose another, or leave PORT out to get a free one.\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("port", ["eight", "0", "65536", "-1"])
def test_an_invalid_port_is_refused(call: Call, port: str) -> None:
    done = call("up", PORT=port)
    assert done.returncode == 1
    assert done.stderr == f"The variable PORT is wrong: {port} is not a number from 1 to 65535.\n"


def test_a_wrong_database_is_reported_in_one_sentence(call: Call) -> None:
    done = call("up", DATABASE_URL="postgresql://robo:hush-hush@127.0.0.1:1/robo")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Can't connect to the database")
    assert len(done.stderr.splitlines()) == 1
    assert "hush-hush" not in done.stderr
