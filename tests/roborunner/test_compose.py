"""docker-compose.yml: what it starts makes sense, survives a restart, and is told what the settings know."""

import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from roborunner import broker

PROJECT = Path(__file__).resolve().parents[2]
GIVEN = {"POSTGRES_PASSWORD": "hush" * 4, "SECRET_KEY": "hush" * 8}
OURS = ["prepare", "web", "worker", "mailer", "beat"]


def filled(text: str) -> str:
    """The file with variables replaced by what `GIVEN` says, or by their defaults."""
    return re.sub(
        r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: GIVEN.get(found[1], found[2] or ""), text
    ).replace("$$", "$")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services of the file."""
    document = yaml.safe_load(filled((PROJECT / "docker-compose.yml").read_text()))
    found: dict[str, Any] = document["services"]
    return found


@pytest.mark.parametrize("name", OURS)
def test_the_settings_take_what_a_service_is_told(
    name: str, services: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = {key: str(value or "") for key, value in services[name]["environment"].items()}
    told = {key: str(tmp_path) if value == "/run/metrics" else value for key, value in told.items()}
    for key, value in told.items():
        monkeypatch.setenv(key, value)
    settings = runpy.run_path(str(PROJECT / "roborunner/settings.py"))
    assert settings["DATABASES"]["default"]["HOST"] == "db"
    explained = set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))
    assert told.keys() - explained <= {"FORWARDED_ALLOW_IPS"}  # which is uvicorn's


@pytest.mark.parametrize("name", OURS)
def test_our_own_are_nobody_special(name: str, services: dict[str, Any]) -> None:
    assert services[name]["cap_drop"] == ["ALL"]
    assert services[name]["read_only"] is True
    dockerfile = (PROJECT / "Dockerfile").read_text()
    assert re.search(r"^USER [1-9]\d*$", dockerfile, re.MULTILINE)


@pytest.mark.parametrize("name", ["db", "redis", "mail", "web", "door", "worker", "mailer"])
def test_its_health_is_looked_at(name: str, services: dict[str, Any]) -> None:
    assert services[name]["healthcheck"]["test"]


def test_redis_keeps_its_messages(services: dict[str, Any]) -> None:
    assert services["redis"]["command"] == ["redis-server", "--appendonly", "yes"]
    assert services["redis"]["volumes"] == ["messages:/data"]


def test_there_may_be_several_of_those_that_work_and_one_that_beats(services: dict[str, Any]) -> None:
    assert "replicas" in services["web"]["deploy"]
    assert "replicas" in services["worker"]["deploy"]
    assert "replicas" in services["mailer"]["deploy"]
    assert "deploy" not in services["beat"]
    assert "ports" not in services["web"]  # they are behind the door


def test_the_workers_take_all_there_is_to_do(services: dict[str, Any]) -> None:
    taken = [
        option.removeprefix("--queues=").split(",")
        for name in ("worker", "mailer")
        for option in services[name]["command"]
        if option.startswith("--queues=")
    ]
    assert sorted(queue for queues in taken for queue in queues) == sorted(
        queue.name for queue in broker.QUEUES
    )


def test_a_worker_has_time_to_end_what_it_is_at(services: dict[str, Any]) -> None:
    from games.services.sending import SENDING

    patience = int(services["worker"]["stop_grace_period"].removesuffix("s"))
    assert patience > SENDING.total_seconds()
    assert patience > runpy.run_path(str(PROJECT / "roborunner/settings.py"))["COMPUTER_SECONDS"]


def test_the_example_names_what_the_file_asks_for() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (PROJECT / "docker-compose.yml").read_text()))
    named = set(re.findall(r"^#?([A-Z_]+)=", (PROJECT / ".env.example").read_text(), re.MULTILINE))
    assert asked <= named
    assert named - asked == {"COMPOSE_PROFILES"}


@pytest.mark.skipif(not shutil.which("docker-compose"), reason="there is no docker-compose here")
def test_docker_compose_can_read_it(tmp_path: Path) -> None:
    empty = tmp_path / "env"
    empty.write_text("")
    done = subprocess.run(
        ["docker-compose", "--env-file", str(empty), "--file", "docker-compose.yml", "config", "--quiet"],
        cwd=PROJECT,
        env={**os.environ, **GIVEN},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
