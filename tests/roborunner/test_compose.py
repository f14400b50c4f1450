"""docker-compose.yml: its services, restarts and settings."""

import asyncio
import os
import re
import runpy
import shutil
import socket
import ssl
import subprocess
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import psycopg
import pytest
import yaml
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from embedded import paths
from embedded.servers import Postgres
from roborunner import celery
from tests.support.debian import require

PROJECT = Path(__file__).resolve().parents[2]
GIVEN = {"POSTGRES_PASSWORD": "hush" * 4, "SECRET_KEY": "hush" * 8}
WORKERS = ["worker", "thinker", "mailer", "webhooks", "push", "lab"]
OURS = ["prepare", "web", *WORKERS, "beat", "watch", "backups"]
DIRECTORIES = ("/run/metrics", "/var/lib/robo-runner")


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
    told = {key: str(tmp_path) if value in DIRECTORIES else value for key, value in told.items()}
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


def test_every_container_is_read_only_and_limited(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["read_only"] and service["security_opt"] == ["no-new-privileges:true"], name
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        assert float(service["cpus"]) <= 2 and service["pids_limit"], (
            name
        )  # Docker refuses more than a machine has
        assert service["logging"] == {
            "driver": "json-file",
            "options": {"max-size": "10m", "max-file": "5"},
        }, name


def test_only_the_service_for_tls_is_open_to_other_machines(services: dict[str, Any]) -> None:
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published == {
        "mail": ["127.0.0.1:8025:8025"],
        "door": ["127.0.0.1:8000:8000"],
        "tls": ["80:80", "443:443", "443:443/udp"],
    }
    assert services["tls"]["profiles"] == ["tls"]


class Caddy:
    """Caddy as in the service tls, with the name and certificates of this machine."""

    def __init__(self, directory: Path, service: dict[str, Any], port: int, page: int) -> None:
        self._port = port
        text = (PROJECT / "deploy/Caddyfile").read_text()
        assert "dynamic a web 8000" in text
        text = text.replace("dynamic a web 8000", f"dynamic a localhost {page}")
        # Ports 80 and 2019, and the machine's own authorities, stay as they are.
        text = text.replace(
            "{\n", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n", 1
        )
        (directory / "Caddyfile").write_text(text)
        self._directory = directory
        self._command = [word.replace("/etc/caddy", str(directory)) for word in service["command"]]
        assert service["environment"]["ADDRESSES"] == "http://localhost,,"
        self._environment = {
            **service["environment"],
            "ADDRESSES": f"https://localhost:{port},,https://127.0.0.1:{port},https://127.0.0.2:{port}",
            "XDG_DATA_HOME": str(directory),
            "XDG_CONFIG_HOME": str(directory),
            "PATH": os.environ["PATH"],
        }

    def ask(self, **headers: str) -> tuple[str, bytes]:
        """Start Caddy and ask for a page. Return its body and the certificate of the authority."""
        process = subprocess.Popen(
            self._command,
            env=self._environment,
            stderr=(self._directory / "log").open("w"),
        )
        authority = self._directory / "caddy/pki/authorities/local/root.crt"
        try:
            while True:
                assert process.poll() is None, (self._directory / "log").read_text()
                with suppress(OSError):
                    context = ssl.create_default_context(cafile=str(authority))
                    asked = Request(f"https://localhost:{self._port}/", headers=headers)
                    with urlopen(asked, context=context, timeout=20) as answer:
                        return answer.read().decode(), authority.read_bytes()
        finally:
            process.terminate()
            process.wait()


class Echo(BaseHTTPRequestHandler):
    """A web process that answers with Caddy's claims about the client."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.headers['X-Forwarded-Proto']} {self.headers['X-Forwarded-For']}".encode())

    def log_message(self, *words: object) -> None:
        """Log nothing."""


def test_tls_needs_one_setting_and_its_certificates_last(services: dict[str, Any], tmp_path: Path) -> None:
    require("caddy")
    assert "certificates:/data" in services["tls"]["volumes"]
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as page, socket.socket() as free:
        Thread(target=page.serve_forever, daemon=True).start()
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        caddy = Caddy(tmp_path, services["tls"], port, page.server_port)
        first = caddy.ask(**{"X-Forwarded-For": "203.0.113.9"})
        second = caddy.ask()
        page.shutdown()
    assert first[0].startswith("https ")
    assert "203.0.113.9" not in first[0]  # a false claim of the client
    assert first[1] == second[1]


def logging_of(server: dict[str, Any]) -> dict[str, str]:
    """Return the settings of Postgres in the command of a service."""
    program, *options = server["command"]
    assert program == "postgres"
    return dict(option.removeprefix("--").split("=") for option in options)


def test_the_log_of_postgres_has_no_data_about_people(services: dict[str, Any], tmp_path: Path) -> None:
    options = logging_of(services["db"])
    lines = (PROJECT / "deploy/debian/postgresql-log.conf").read_text().splitlines()
    assert options == dict(line.split(" = ") for line in lines if not line.startswith("#"))

    server = Postgres(tmp_path, disposable=True)
    paths.socket_directory(tmp_path).mkdir(parents=True, mode=0o700)
    server.start()
    log = tmp_path / "postgres.log"
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE addresses (email text UNIQUE)")

            def fail(email: str) -> str:
                before = len(log.read_text())
                for _ in range(2):
                    with suppress(psycopg.errors.UniqueViolation):
                        connection.execute("INSERT INTO addresses VALUES (%s)", [email])
                    with suppress(psycopg.errors.UniqueViolation):
                        connection.execute(f"INSERT INTO addresses VALUES ('{email}')")
                return log.read_text()[before:]

            assert "alice@example.org" in fail("alice@example.org")  # by default
            for name, value in options.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW log_error_verbosity").fetchone() != ("terse",):
                pass
            said = fail("bob@example.org")
    finally:
        server.stop()
    assert "duplicate key value" in said
    assert "bob@example.org" not in said


@pytest.mark.parametrize("name", ["db", "redis", "mail", "web", "door", "tls", *WORKERS])
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
