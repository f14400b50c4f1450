"""Probes: whether the process runs, and whether all that games need is available."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from games.work.sweeper import sweep
from tests.games.together import wait_until
from tests.support.site import Site
from tests.support.worker import Worker

PROJECT = Path(__file__).resolve().parents[2]

ASK = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "roborunner.settings"
import django
django.setup()
from django.test import Client
response = Client().get("/readyz")
print(response.status_code, response.content.decode())
"""


@pytest.fixture
def swept(db: None) -> None:
    """Record a sweep, as by a worker a moment ago."""
    sweep(now=timezone.now())


def test_the_process_answers_without_its_servers(
    client: Client, django_assert_num_queries: Callable[[int], Any], db: None
) -> None:
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert response["Cache-Control"] == "no-store"


def test_a_complete_site_is_ready(
    client: Client, swept: None, django_assert_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_num_queries(4):  # the table of migrations, its rows, the sweeps, the failures
        response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready", "missing": {}})


def test_a_worker_is_missing_until_its_first_sweep(client: Client, db: None) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["missing"] == {"worker": "No worker has reported for a while."}


def test_a_worker_is_missing_after_a_long_silence(client: Client, db: None) -> None:
    sweep(now=timezone.now() - timedelta(minutes=4))
    assert client.get("/readyz").json()["missing"].keys() == {"worker"}


@pytest.mark.parametrize("ahead", [timedelta(minutes=2), timedelta(days=400)])
def test_a_worker_with_a_sweep_in_the_future_is_missing(client: Client, db: None, ahead: timedelta) -> None:
    sweep(now=timezone.now() + ahead)
    assert client.get("/readyz").json()["missing"] == {"worker": "No worker has reported for a while."}
    sweep(now=timezone.now())
    assert client.get("/readyz").status_code == 200


def test_clocks_of_machines_may_differ_by_some_seconds_without_harm(client: Client, db: None) -> None:
    sweep(now=timezone.now() + timedelta(seconds=30))
    assert client.get("/readyz").status_code == 200


def test_a_missing_redis_is_reported(client: Client, swept: None, settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nobody?db=0"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["missing"] == {"redis": "Redis does not answer."}
    assert str(tmp_path) not in response.content.decode()


def test_a_missing_migration_is_reported(client: Client, swept: None) -> None:
    [(_, newest)] = MigrationLoader(None).graph.leaf_nodes("games")
    taken = MigrationRecorder.Migration.objects.filter(app="games")
    taken.exclude(name=newest).delete()
    assert client.get("/readyz").status_code == 200  # migrations are compared by name: a later one exists
    taken.filter(name=newest).delete()
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["missing"] == {"migrations": "The database needs migrations."}


def test_a_missing_database_is_reported() -> None:
    """The check runs in a separate process, as this one has a database."""
    nowhere = {"DATABASE_URL": "postgresql://robo:hush@127.0.0.1:1/games", "SECRET_KEY": "hush" * 8}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=PROJECT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    status, document = done.stdout.split(maxsplit=1)
    assert status == "503"
    assert json.loads(document)["missing"] == {"database": "The database does not answer."}
    assert "hush" not in done.stdout


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
class TestEveryProbe:
    def test_it_answers_to_any_name(self, address: str, client: Client, swept: None) -> None:
        assert client.get(address, headers={"host": "10.0.0.7:8000"}).status_code == 200

    def test_it_sets_no_cookie(self, address: str, client: Client, swept: None) -> None:
        assert not client.get(address).cookies

    def test_it_only_allows_reading(self, address: str, client: Client, swept: None) -> None:
        assert client.head(address).status_code == 200
        assert client.post(address).status_code == 405


def test_a_site_is_ready_once_its_worker_sweeps(site: Site, start_worker: Callable[..., Worker]) -> None:
    assert status_of(f"{site.url}/healthz") == 200
    assert status_of(f"{site.url}/readyz") == 503
    start_worker(beat=True)
    wait_until(lambda: status_of(f"{site.url}/readyz") == 200)


def status_of(address: str) -> int:
    """Return the status of the real server's response."""
    try:
        with urlopen(address, timeout=10) as response:
            status: int = response.status
            return status
    except HTTPError as error:
        error.close()
        return error.code
