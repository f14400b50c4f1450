"""Fixtures that run the commands of the embedded servers as separate processes."""

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
    """Start ``python -m embedded --directory … ARGUMENTS`` in the background.

    The environment contains `variables`, and does not name the servers of the test run.
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
    """A data directory of servers that were started once and stopped."""
    directory = tmp_path_factory.mktemp("stopped") / "data"
    with Servers(directory, {}, disposable=True):
        return directory


@pytest.fixture
def made(_stopped: Path, tmp_path: Path) -> None:
    """Copy the data of stopped servers into the directory of `start`, to save a second."""
    subprocess.run(["cp", "-a", _stopped, tmp_path / "data"], check=True)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts commands, by default in a temporary directory."""
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
    """A function that runs a command to its end."""

    def call(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
        command = start(*arguments, **options)
        output, errors = command.communicate(timeout=240)  # a restore on a busy machine
        return subprocess.CompletedProcess(arguments, command.returncode, output, errors)

    return call
