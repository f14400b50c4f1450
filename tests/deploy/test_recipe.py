"""The recipe of docs/machine.md (`deploy/debian`) sets up a site on Debian."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.debian.rehearse import KILLED, settings_in, unit, units_of
from roborunner import celery
from tests.support.debian import require

PROJECT = Path(__file__).resolve().parents[2]
DEBIAN = PROJECT / "deploy/debian"
WORKERS = sorted((DEBIAN / "workers").iterdir())
EXPLAINED = set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))


@pytest.mark.long
@pytest.mark.timeout(1500)  # on a busy machine; each of its steps has its own limit
def test_the_recipe_sets_up_a_site_that_survives_kills_and_a_restore(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    require("postgresql-15", "redis-server", "caddy")
    root = tmp_path_factory.mktemp("recipe")  # short, since the paths of sockets are limited
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    environment.pop("SECRET_KEY", None)
    played = subprocess.run(
        [sys.executable, "-m", "deploy.debian.rehearse", root],
        cwd=PROJECT,
        env={**environment, "GIVEN_VENV": sys.prefix},
        capture_output=True,
        text=True,
    )
    assert played.returncode == 0, played.stderr
    steps = json.loads(played.stdout)
    assert steps["of that, the way back"] < 60, "an upgrade that fails is taken back within a minute"
    (killed,) = (step for step in steps if step.endswith(" killed, until a turn was played"))
    assert len(killed.split(", ")) == len(KILLED) + 1
    assert list(steps)[-6:] == [
        "an upgrade, while pages are requested",
        "the next turn with the new release",
        "an upgrade whose workers do not start, until the old release was healthy",
        "of that, the way back",
        "the next turn with the old release",
        "stop",
    ]
    _verify(root)


def _verify(root: Path) -> None:
    """Check the systemd units with `systemd-analyze`. Their programs are below `root`."""
    if not shutil.which("systemd-analyze"):
        return
    units = sorted((root / "etc/systemd/system").glob("robo-runner*"))
    instances = {"robo-runner-web@.service": "8000", "robo-runner-worker@.service": "turns-1"}
    named = [
        str(file.with_name(file.name.replace("@", f"@{instances[file.name]}")))
        if file.name in instances
        else str(file)
        for file in units
    ]
    assert len(named) == len(list((DEBIAN / "units").iterdir()))
    read = subprocess.run(["systemd-analyze", "verify", *named], capture_output=True, text=True)
    ours = [line for line in read.stderr.splitlines() if "robo-runner" in line]
    assert (read.returncode, ours) == (0, [])


def test_the_workers_take_every_queue_on_different_ports() -> None:
    told = [settings_in(file) for file in WORKERS]
    taken = [queue for each in told for queue in each["QUEUES"].split(",")]
    assert sorted(taken) == sorted(queue.name for queue in celery.QUEUES)
    assert len({each["WORKER_METRICS_PORT"] for each in told}) == len(told)


def test_the_target_starts_every_worker_that_has_a_file(tmp_path: Path) -> None:
    units = tmp_path / "etc/systemd/system"
    shutil.copytree(DEBIAN / "units", units)
    assert {name for name in units_of(tmp_path) if "worker@" in name} == {
        f"robo-runner-worker@{file.name}" for file in WORKERS
    }
    for name in units_of(tmp_path):
        base = name.partition("@")[0]
        assert list(units.glob(f"{base}*.service")), name


def test_the_settings_of_the_recipe_are_documented() -> None:
    script = (DEBIAN / "install.sh").read_text()
    written = re.search(r"<<END\n(.*?)\nEND", script, re.DOTALL)
    assert written
    told = set(re.findall(r"^([A-Z_]+)=", written[1], re.MULTILINE))
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BASE_URL"} <= told <= EXPLAINED
    for file in WORKERS:
        assert settings_in(file).keys() - EXPLAINED == {"QUEUES", "POOL", "CONCURRENCY", "NICE"}
    for file in (DEBIAN / "units").glob("*.service"):
        for line in re.findall(r"^Environment=(.*)$", file.read_text(), re.MULTILINE):
            for pair in line.split():
                assert pair.partition("=")[0] in EXPLAINED | {"FORWARDED_ALLOW_IPS"}


def test_a_worker_starts_under_its_name_with_the_settings_of_its_file(tmp_path: Path) -> None:
    """The test runs the same command that systemd would run."""
    shutil.copytree(DEBIAN / "units", tmp_path / "etc/systemd/system")
    file = tmp_path / "etc/systemd/system/robo-runner-worker@.service"
    (tmp_path / "environment").write_text("SECRET_KEY='hush hush'\n")
    places = {"/etc/robo-runner/environment": str(tmp_path / "environment")}
    places["/etc/robo-runner/workers"] = str(DEBIAN / "workers")
    text = file.read_text()
    for place, here in places.items():
        text = text.replace(place, here)
    file.write_text(text)
    part = unit(tmp_path, "robo-runner-worker@mail-1", {"WORKER_METRICS_PORT": "9999"})
    command = " ".join(part._command)
    assert command.startswith("/usr/bin/nice --adjustment=10 /opt/robo-runner/current/.venv/bin/celery ")
    assert "--hostname=mail-1@" in command and "--queues=mail " in command
    assert part._environment["SECRET_KEY"] == "hush hush"
    assert part._environment["WORKER_METRICS_PORT"] == "9999"
    assert part.directories == [tmp_path / "run/robo-runner-mail-1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Say under which address people reach the site"),
        (["robo.example.org"], "Say under which address"),
    ],
)
def test_the_installer_asks_for_a_missing_address(words: list[str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [DEBIAN / "install.sh", *words],
        env={**os.environ, "ROOT": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and said in done.stderr
    assert list(tmp_path.iterdir()) == []
