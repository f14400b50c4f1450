"""The commands of the embedded servers, as people call them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedded.servers import Servers

PROJECT = Path(__file__).resolve().parents[2]

OWN = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SECRET_KEY", "PORT", "BASE_URL")

Command = subprocess.Popen[str]
Start = Callable[..., Command]


def begin(directory: Path, *arguments: str, **variables: str) -> Command:
    """Start ``python -m embedded --directory … ARGUMENTS`` without waiting for its end.

    The environment is this one without the servers of the test run, and with what the call adds.
    """
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    return subprocess.Popen(
        [sys.executable, "-m", "embedded", "--directory", str(directory), *arguments],
        cwd=PROJECT,
        env={**environment, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="session")
def _stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of servers that ran once and were stopped."""
    directory = tmp_path_factory.mktemp("stopped") / "data"
    with Servers(directory, {}, forgetful=True):
        return directory


@pytest.fixture
def made(_stopped: Path, tmp_path: Path) -> None:
    """Have `start` find what it makes at first, which takes it a second: for tests of what comes after."""
    subprocess.run(["cp", "-a", _stopped, tmp_path / "data"], check=True)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts commands as `begin` does, in a directory of the test's own unless another is given."""
    started: list[Command] = []

    def start(*arguments: str, directory: Path = tmp_path / "data", **variables: str) -> Command:
        command = begin(directory, *arguments, **variables)
        started.append(command)
        return command

    yield start
    for command in started:
        command.terminate()
        command.communicate()


@pytest.fixture
def call(start: Start) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Calls the command and waits for its end."""

    def call(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
        command = start(*arguments, **options)
        output, errors = command.communicate(timeout=60)
        return subprocess.CompletedProcess(arguments, command.returncode, output, errors)

    return call
