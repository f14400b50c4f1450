"""The commands of the embedded servers, as people call them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

Command = subprocess.Popen[str]
Start = Callable[..., Command]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts ``python -m embedded --directory … ARGUMENTS`` without waiting for its end.

    The environment is this one without the servers of the test run, and with what the call adds.
    """
    started: list[Command] = []
    own = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SECRET_KEY", "PORT", "BASE_URL")
    environment = {name: value for name, value in os.environ.items() if name not in own}

    def start(*arguments: str, directory: Path = tmp_path / "data", **variables: str) -> Command:
        command = subprocess.Popen(
            [sys.executable, "-m", "embedded", "--directory", str(directory), *arguments],
            cwd=PROJECT,
            env={**environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
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
