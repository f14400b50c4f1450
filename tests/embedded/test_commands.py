"""The commands ``run`` and ``clean``."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.embedded.conftest import Start
from tests.games.together import wait_until

ready = pytest.mark.usefixtures("made")

Call = Callable[..., subprocess.CompletedProcess[str]]


@ready
def test_run_gives_the_command_both_addresses_and_returns_its_status(call: Call) -> None:
    script = "import os, sys; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL']); sys.exit(7)"
    done = call("run", "--", sys.executable, "-c", script)
    assert done.returncode == 7
    database, redis = done.stdout.split()
    assert database.startswith("postgresql://roborunner@")
    assert redis.startswith("unix://")


def test_run_keeps_given_addresses_and_starts_nothing(call: Call, tmp_path: Path) -> None:
    given = {"DATABASE_URL": "postgresql://db.example.org/robo", "REDIS_URL": "redis://redis.example.org"}
    done = call("run", "--", "sh", "-c", "echo $DATABASE_URL $REDIS_URL", **given)
    assert done.stdout.split() == list(given.values())
    assert not (tmp_path / "data/postgres").exists()
    assert not (tmp_path / "data/redis").exists()


def test_serve_says_that_there_is_nothing_to_serve(call: Call) -> None:
    done = call(
        "serve", DATABASE_URL="postgresql://db.example.org/robo", REDIS_URL="redis://redis.example.org"
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("There is nothing to serve: ")


def test_an_impossible_directory_is_refused_in_one_sentence(call: Call, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    done = call("serve")
    assert done.returncode == 1
    assert done.stderr.startswith(f"This does not work in {tmp_path / 'data'}: ")
    assert len(done.stderr.splitlines()) == 1


def test_run_names_a_command_that_does_not_exist(call: Call) -> None:
    done = call("run", "--", "warp-drive")
    assert (done.returncode, done.stderr) == (1, "There is no command warp-drive.\n")


@ready
def test_run_passes_a_signal_to_stop_to_the_command(start: Start, tmp_path: Path) -> None:
    command = start("run", "--", "sh", "-c", f"echo $$ > {tmp_path / 'pid'}; exec sleep 60")
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    command.terminate()
    assert command.wait(30) == 0
    try:
        os.kill(int((tmp_path / "pid").read_text()), 0)
    except ProcessLookupError:
        return
    raise AssertionError("the command still runs")


@ready
def test_run_reports_a_command_that_died_by_a_signal_as_a_shell_does(call: Call) -> None:
    done = call("run", "--", "sh", "-c", "kill -9 $$")
    assert done.returncode == 128 + signal.SIGKILL


@ready
def test_the_secret_key_is_permanent_and_private(call: Call, tmp_path: Path) -> None:
    first, second = (call("run", "--", "sh", "-c", "echo $SECRET_KEY").stdout for _ in range(2))
    assert first == second
    assert len(first) > 50
    assert (tmp_path / "data/secret-key").stat().st_mode & 0o077 == 0


@ready
def test_clean_deletes_everything(call: Call, tmp_path: Path) -> None:
    assert call("run", "--", "true").returncode == 0
    assert (tmp_path / "data/postgres").exists()
    assert call("clean").returncode == 0
    assert not (tmp_path / "data").exists()
    assert call("clean").returncode == 0


@ready
def test_clean_refuses_while_the_servers_run(start: Start, call: Call, tmp_path: Path) -> None:
    command = start("serve")
    assert command.stdout
    command.stdout.readline()
    done = call("clean")
    assert done.returncode == 1
    assert "already running" in done.stderr
    assert (tmp_path / "data/postgres/PG_VERSION").exists()


def test_clean_works_without_installed_packages(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    bare = [sys.executable, "-S", "-m", "embedded", "--directory", str(tmp_path / "data"), "clean"]
    done = subprocess.run(bare, cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "data").exists()
