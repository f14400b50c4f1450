"""Commands, web and worker start, or give the reason in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PROCESSES = {
    "command": ["manage.py", "migrate"],
    "web": ["-m", "uvicorn", "roborunner.asgi:application", "--port=0"],
    "worker": ["-W", "ignore", "-m", "celery", "--app=roborunner", "worker", "--concurrency=1"],
}


def start(process: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start a process, and wait until it ends."""
    return subprocess.run(
        [sys.executable, *PROCESSES[process]],
        cwd=PROJECT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"DATABASE_URL": "mysql://robo:hush@db/x"}, "The variable DATABASE_URL is wrong: "),
        ({"DATABASE_URL": "postgresql://robo:hush@127.0.0.1:1/x"}, "Can't connect to the database ("),
    ],
    ids=["wrong", "away"],
)
def test_a_wrong_environment_gives_one_sentence_and_a_status(
    process: str, variables: dict[str, str], sentence: str
) -> None:
    done = start(process, **variables)
    assert done.returncode == 1
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == 1
    assert "hush" not in done.stderr


def test_a_missing_database_is_named() -> None:
    elsewhere = os.environ["DATABASE_URL"].rpartition("/")[0] + "/atlantis"
    done = start("web", DATABASE_URL=elsewhere)
    assert done.returncode == 1
    assert 'database "atlantis" does not exist' in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_deployed_settings_pass_djangos_own_check() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"],
        cwd=PROJECT,
        env={**os.environ, "BASE_URL": "https://robo.example.org", "SECRET_KEY": "0123456789abcdefghij" * 3},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
