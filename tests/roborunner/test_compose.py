"""docker-compose.yml: its services, restarts and settings."""

import asyncio
import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from roborunner import celery

PROJECT = Path(__file__).resolve().parents[2]
GIVEN = {"POSTGRES_PASSWORD": "hush" * 4, "SECRET_KEY": "hush" * 8}
WORKERS = ["worker", "thinker", "mailer", "webhooks", "push", "lab"]
OURS = ["prepare", "web", *WORKERS, "beat"]


def filled(text: str) -> str:
    """Replace the variables of the file with values from `GIVEN`, or their defaults."""
    innermost = re.compile(r"\$\{(\w+)(?::[-?]([^{}]*))?\}")  # a default may contain another variable
    while innermost.search(text):
        text = innermost.sub(lambda found: GIVEN.get(found[1], found[2] or ""), text)
    return text.replace("$$", "$")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    document = yaml.safe_load(filled((PROJECT / "docker-compose.yml").read_text()))
    found: dict[str, Any] = document["services"]
    return found


@pytest.mark.parametrize("name", OURS)
def test_the_settings_accept_the_variables_of_a_service(
    name: str, services: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = {key: str(value or "") for key, value in services[name]["environment"].items()}
    told = {key: str(tmp_path) if value == "/run/metrics" else value for key, value in told.items()}
    for key, value in told.items():
        monkeypatch.setenv(key, value)
    settings = runpy.run_path(str(PROJECT / "roborunner/settings.py"))
    assert settings["DATABASES"]["default"]["HOST"] == "db"
    explained = set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))
    assert told.keys() - explained <= {"FORWARDED_ALLOW_IPS"}  # a variable of uvicorn


def test_all_settings_can_be_set_in_the_env_file(services: dict[str, Any]) -> None:
    explained = set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))
    told = {key for name in OURS for key in services[name]["environment"]}
    assert explained - told == {
        "PORT",
        "DEBUG",
        "STATIC_ROOT",
    }  # for the door, for nothing in production, and for the image


@pytest.mark.parametrize(
    ("claimed", "asks"),
    [
        ("203.0.113.9", "203.0.113.9"),  # only the door
        ("203.0.113.9, 172.18.0.1", "203.0.113.9"),  # a proxy in front of it, on the same machine
        (
            "6.6.6.6, 203.0.113.9, 10.0.0.7, 172.18.0.1",
            "203.0.113.9",
        ),  # two proxies, and a false claim of the client
        ("6.6.6.6, 2001:db8::9, fd00::7", "2001:db8::9"),
    ],
)
def test_the_address_of_a_client_comes_from_proxies_and_not_from_its_claims(
    claimed: str, asks: str, services: dict[str, Any]
) -> None:
    seen: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    trusting = ProxyHeadersMiddleware(application, services["web"]["environment"]["FORWARDED_ALLOW_IPS"])
    scope = {"type": "http", "client": ("172.18.0.5", 1), "headers": [(b"x-forwarded-for", claimed.encode())]}
    asyncio.run(trusting(scope, None, None))  # type: ignore[arg-type] - the application above takes anything
    assert seen == [asks]


def test_postgres_is_healthy_once_it_listens_on_the_network(services: dict[str, Any]) -> None:
    """While Postgres creates its first database, it listens only on a socket."""
    assert "--host=127.0.0.1" in services["db"]["healthcheck"]["test"]


def test_the_previous_image_is_kept(services: dict[str, Any]) -> None:
    assert {services[name]["image"] for name in OURS} == {"robo-runner:latest"}
    assert "image: robo-runner:${RELEASE:-latest}" in (PROJECT / "docker-compose.yml").read_text()


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_no_privileges(name: str, services: dict[str, Any]) -> None:
    assert services[name]["cap_drop"] == ["ALL"]
    assert services[name]["read_only"] is True
    dockerfile = (PROJECT / "Dockerfile").read_text()
    assert re.search(r"^USER [1-9]\d*$", dockerfile, re.MULTILINE)


@pytest.mark.parametrize("name", ["db", "redis", "mail", "web", "door", *WORKERS])
def test_every_service_has_a_health_check(name: str, services: dict[str, Any]) -> None:
    assert services[name]["healthcheck"]["test"]


def test_redis_keeps_its_messages(services: dict[str, Any]) -> None:
    assert services["redis"]["command"] == ["redis-server", "--appendonly", "yes"]
    assert services["redis"]["volumes"] == ["messages:/data"]


def test_there_may_be_several_workers_and_one_beat(services: dict[str, Any]) -> None:
    assert "replicas" in services["web"]["deploy"]
    assert "replicas" in services["worker"]["deploy"]
    assert "replicas" in services["mailer"]["deploy"]
    assert "deploy" not in services["beat"]
    assert "ports" not in services["web"]  # the door is in front of them


def test_the_wind_tunnel_flies_one_batch_at_a_time_after_everything_else(services: dict[str, Any]) -> None:
    command = services["lab"]["command"]
    assert command[:2] == ["nice", "--adjustment=19"]
    assert "--queues=lab" in command and "--concurrency=1" in command


def test_computers_think_behind_turns(services: dict[str, Any]) -> None:
    command = services["thinker"]["command"]
    assert command[:2] == ["nice", "--adjustment=10"]
    assert "--queues=thinking" in command
    assert "thinking" not in " ".join(services["worker"]["command"])


def test_the_workers_take_every_queue(services: dict[str, Any]) -> None:
    taken = [
        option.removeprefix("--queues=").split(",")
        for name in WORKERS
        for option in services[name]["command"]
        if option.startswith("--queues=")
    ]
    assert sorted(queue for queues in taken for queue in queues) == sorted(
        queue.name for queue in celery.QUEUES
    )


def test_a_worker_has_time_to_finish_its_task(services: dict[str, Any]) -> None:
    from games.news.delivery import SENDING_TIME

    patience = int(services["worker"]["stop_grace_period"].removesuffix("s"))
    assert patience > SENDING_TIME.total_seconds()
    assert patience > runpy.run_path(str(PROJECT / "roborunner/settings.py"))["COMPUTER_SECONDS"]


def test_the_example_names_the_variables_of_the_file() -> None:
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
