"""Metrics: values, access, and sums over several processes."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.error import URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.core.mail import EmailMessage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import User
from games.news.delivery import send_email, send_notification
from games.news.models import Notice
from games.people.services.deletion import delete_account, erase
from games.play.deadlines import record_heartbeat
from games.play.models import Game
from games.play.pages.streams import GameStreams
from games.play.resolution import resolve_turn
from games.staff.models import BackupRun, Watcher
from games.staff.selectors import Ages, Backlog, ages, backlog, counts
from games.staff.services import cancel_as_staff, record_run
from games.work.sweeper import sweep
from roborunner.celery import app
from roborunner.streams import Hub
from tests import cast
from tests.games.support import HALL, NOW, Table, later, open_turn
from tests.support.mailbox import Mailbox
from tests.support.worker import Worker

PROJECT = Path(__file__).resolve().parents[2]
TOKEN = "a-token-for-prometheus"
SHOWN = {"authorization": f"Bearer {TOKEN}"}

Values = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


@pytest.fixture
def alice(db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(db: None) -> User:
    return cast.bob()


@pytest.fixture
def table(db: None) -> Table:
    return Table(HALL.saved())


@pytest.fixture
def duel(table: Table, alice: User, bob: User) -> Game:
    return table.game(alice, bob)


def read(text: str) -> Values:
    """Parse metrics in the text format. Return their values by name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def measured(client: Client) -> Values:
    """Return the site's current metrics."""
    response = client.get("/metrics", headers=SHOWN)
    assert response.status_code == 200
    return read(response.content.decode())


def value(values: Values, name: str, **labels: str) -> float:
    """Return the value with the given name and labels, or 0 if it is missing."""
    return values.get((f"robo_runner_{name}", frozenset(labels.items())), 0.0)


def test_the_documentation_names_every_metric(client: Client, db: None) -> None:
    explained = (PROJECT / "docs/operations.md").read_text()
    shown = client.get("/metrics", headers=SHOWN).content.decode()
    families = [family for family in text_string_to_metric_families(shown) if family.type != "unknown"]
    names = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in families
        if family.name.startswith("robo_runner_") and not family.name.endswith("_created")
    }
    assert len(names) > 15
    assert {name for name in names if f"`{name}`" not in explained} == set()


class TestWhoSeesThem:
    @pytest.mark.parametrize(
        "shown", ["", TOKEN, "Bearer", "Bearer ", "Bearer another-token-for-it", f"Basic {TOKEN}", "Bearer Ω"]
    )
    def test_they_need_the_token(self, client: Client, db: None, shown: str) -> None:
        response = client.get("/metrics", headers={"authorization": shown} if shown else {})
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == "Bearer"
        assert b"robo_runner" not in response.content

    @pytest.mark.parametrize("shown", ["", "Bearer ", f"Bearer {TOKEN}"])
    def test_they_do_not_exist_without_a_token_in_the_settings(
        self, client: Client, db: None, settings: Any, shown: str
    ) -> None:
        settings.METRICS_TOKEN = ""
        assert client.get("/metrics", headers={"authorization": shown}).status_code == 404

    def test_staff_without_the_token_cannot_see_them(self, client: Client, db: None) -> None:
        client.force_login(cast.erin())
        assert client.get("/metrics").status_code == 401


class TestTheBacklog:
    def test_a_game_waiting_for_players_is_counted(self, duel: Game) -> None:
        assert backlog(now=NOW) == Backlog(
            games_running=1,
            turns_ready=0,
            turns_thinking=0,
            turns_overdue=0,
            alarms_open=0,
            jobs_failing=0,
            rows_set_aside=0,
            notices_pending=2,
            notices_failing=0,
            notices_held=0,
            notices_given_up=0,
            account_mail_waiting=0,
            deletions_under_way=0,
            incidents_open=0,
        )

    def test_a_turn_waiting_for_a_worker_is_counted(
        self, duel: Game, table: Table, alice: User, bob: User
    ) -> None:
        table.move(duel, alice, bob)
        assert backlog(now=NOW).turns_ready == 1

    def test_a_turn_past_its_deadline_is_counted(self, duel: Game) -> None:
        deadline = open_turn(duel).deadline
        assert deadline
        assert backlog(now=deadline).turns_overdue == 1
        assert backlog(now=later(hours=1)).turns_overdue == 0

    def test_an_unplayed_turn_is_counted(self, duel: Game) -> None:
        sweep(now=later(hours=24, minutes=6))
        assert backlog(now=later(hours=24, minutes=6)).alarms_open == 1

    def test_a_cancelled_game_waits_for_nothing(self, duel: Game) -> None:
        cancel_as_staff(user=cast.erin(), game_id=duel.pk, reason="So.", now=NOW)
        found = backlog(now=later(days=9))
        assert (found.games_running, found.turns_ready, found.turns_overdue) == (0, 0, 0)

    def test_notices_are_counted_by_status(self, duel: Game) -> None:
        first, second = Notice.objects.order_by("pk")
        Notice.objects.filter(pk=first.pk).update(attempts=3, last_error="The mail server is away.")
        found = backlog(now=NOW)
        assert (found.notices_pending, found.notices_failing) == (2, 1)
        Notice.objects.filter(pk=second.pk).update(status=Notice.Status.GIVEN_UP)
        found = backlog(now=NOW)
        assert (found.notices_pending, found.notices_given_up) == (1, 1)
        Notice.objects.filter(pk=first.pk).update(status=Notice.Status.HELD, due_at=later(hours=3))
        found = backlog(now=NOW)
        assert (found.notices_pending, found.notices_failing, found.notices_held) == (0, 0, 1)

    def test_an_account_under_deletion_is_counted(self, duel: Game, alice: User) -> None:
        deletion = delete_account(user=alice, now=NOW)
        assert backlog(now=NOW).deletions_under_way == 1
        assert erase(deletion_id=deletion.pk, now=later(hours=1))
        assert backlog(now=NOW).deletions_under_way == 0

    def test_no_table_is_read_whole(self, db: None) -> None:
        """Each count uses an index that contains only pending rows."""
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
        plan = counts(timezone.now()).explain()
        assert "Seq Scan" not in plan
        assert plan.count("Index") >= len(Backlog._fields)


class TestAges:
    @pytest.fixture(autouse=True)
    def _old(self, db: None) -> None:
        MigrationRecorder.Migration.objects.update(applied=later(days=-30))

    def test_they_are_of_the_last_good_run(self) -> None:
        record_heartbeat(now=later(minutes=-6))
        record_run(BackupRun.Kind.BACKUP, started_at=later(hours=-3), now=later(hours=-2))
        record_run(BackupRun.Kind.BACKUP, started_at=NOW, error="The disk is full.", now=NOW)
        record_run(BackupRun.Kind.DRILL, started_at=NOW, error="Game 7 is not sound.", now=NOW)
        found = ages(now=NOW)
        assert (found.sweep_age_seconds, found.backup_age_seconds) == (360, 3 * 3600)
        assert (found.drill_age_seconds, found.drill_failed) == (30 * 24 * 3600, 1)

    def test_refused_mail_has_an_age(self, duel: Game, mailbox: Mailbox) -> None:
        mailbox.refusal = "554 5.7.1 No mail from you"
        assert ages(now=NOW).mail_refused_seconds == 0
        for seconds, to in enumerate(("a@example.org", "b@example.org", "c@example.org")):
            with pytest.raises(OSError):
                send_email(EmailMessage("Hello", "You.", to=[to]), now=later(seconds=seconds))
        found = ages(now=later(minutes=6))
        assert found.mail_refused_seconds == found.oldest_mail_seconds == 360

    def test_everything_is_young_on_a_new_site(self) -> None:
        MigrationRecorder.Migration.objects.update(applied=NOW)
        assert ages(now=NOW) == Ages(*(0 for _ in Ages._fields))


class TestTheSite:
    def test_it_counts_the_backlog_in_one_query_and_reads_few_ages(
        self, client: Client, duel: Game, django_assert_num_queries: Callable[[int], Any]
    ) -> None:
        record_run(BackupRun.Kind.BACKUP, started_at=NOW, now=NOW)
        record_run(BackupRun.Kind.DRILL, started_at=NOW, now=NOW)
        Watcher.objects.create(pk=1, holder=uuid4(), lease_until=NOW, looked_at=NOW)
        record_heartbeat(now=NOW)
        with django_assert_num_queries(9):
            values = measured(client)
        assert value(values, "database_answers") == 1
        assert value(values, "games_running") == 1
        assert value(values, "notices_pending") == 2

    def test_it_counts_requests_by_view_and_status_without_addresses(
        self, client: Client, duel: Game
    ) -> None:
        before = measured(client)
        client.get(f"/games/{duel.pk}/?link={duel.link_token}")
        client.get("/games/999999999/")
        client.get("/nowhere/at/all/")
        client.generic("BREW", "/nowhere/at/all/")
        after = measured(client)

        def more(**labels: str) -> float:
            return value(after, "requests_total", **labels) - value(before, "requests_total", **labels)

        assert more(view="games:game", method="GET", status="200") == 1
        assert more(view="games:game", method="GET", status="404") == 1
        assert more(view="none", method="GET", status="404") == 1
        assert more(view="none", method="other", status="405") == 1
        assert value(after, "request_seconds_count", view="games:game") >= 2
        text = client.get("/metrics", headers=SHOWN).content.decode()
        assert duel.link_token not in text
        assert "nowhere" not in text

    def test_it_counts_open_streams(self, client: Client, db: None) -> None:
        hub = Hub(django_settings.REDIS_URL, GameStreams())
        before = value(measured(client), "open_streams")
        with hub.reader(1), hub.reader(1), hub.reader(2):
            assert value(measured(client), "open_streams") == before + 3
        assert value(measured(client), "open_streams") == before

    def test_it_measures_the_time_of_turns(
        self, client: Client, duel: Game, table: Table, alice: User, bob: User
    ) -> None:
        before = measured(client)
        table.move(duel, alice, bob)
        turn = open_turn(duel)
        assert resolve_turn(turn_id=turn.pk, now=later(seconds=3))
        assert not resolve_turn(turn_id=turn.pk, now=later(seconds=4))
        after = measured(client)

        def more(name: str) -> float:
            return value(after, name) - value(before, name)

        assert more("turn_wait_seconds_count") == more("turn_resolution_seconds_count") == 1
        assert more("turn_wait_seconds_sum") == pytest.approx(3)

    def test_it_counts_sent_notices_and_failed_attempts(
        self, client: Client, duel: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = measured(client)
        first, second = Notice.objects.order_by("pk")
        assert send_notification(notice_id=first.pk, now=NOW)
        monkeypatch.setattr(EmailMessage, "send", Mock(side_effect=OSError("no mail today")))
        assert not send_notification(notice_id=second.pk, now=NOW)
        after = measured(client)
        for name in ("notices_sent_total", "mail_failures_total"):
            assert value(after, name) - value(before, name) == 1

    def test_it_reports_an_absent_database(self) -> None:
        """The check runs in a separate process, as this one has a database."""
        nowhere = {
            "DATABASE_URL": "postgresql://robo:hush@127.0.0.1:1/games",
            "SECRET_KEY": "hush" * 8,
            "METRICS_TOKEN": TOKEN,
        }
        text = run(
            f"print(Client().get('/metrics', headers={SHOWN!r}).content.decode())",
            **nowhere,
        )
        values = read(text)
        assert value(values, "database_answers") == 0
        assert not any(name == "robo_runner_games_running" for name, _ in values)


def run(program: str, **variables: str) -> str:
    """Run Python code with Django in a separate process. Return its output."""
    prelude = "import django; django.setup(); from django.test import Client\n"
    done = subprocess.run(
        [sys.executable, "-c", prelude + program],
        cwd=PROJECT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "roborunner.settings", **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_processes_with_one_directory_add_up(tmp_path: Path) -> None:
    variables = {"METRICS_DIRECTORY": str(tmp_path), "METRICS_TOKEN": TOKEN}
    count = (
        "from games.work.jobs import MAIL_FAILURES\n"
        "from roborunner.operations.metrics import OPEN_STREAMS\n"
        "MAIL_FAILURES.inc(); OPEN_STREAMS.inc()\n"
    )
    for _ in range(2):
        run(count, **variables)
    values = read(
        run(f"{count}print(Client().get('/metrics', headers={SHOWN!r}).content.decode())", **variables)
    )
    assert value(values, "mail_failures_total") == 3
    assert value(values, "open_streams") == 1  # the streams of dead processes are closed


@pytest.fixture
def worker_port(database_url: str, tmp_path: Path) -> Iterator[int]:
    """Return the port with the metrics of a worker and its children."""
    app.control.purge()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    (tmp_path / "metrics").mkdir()
    worker = Worker(
        tmp_path,
        {
            "DATABASE_URL": database_url,
            "METRICS_TOKEN": TOKEN,
            "METRICS_DIRECTORY": str(tmp_path / "metrics"),
            "WORKER_METRICS_PORT": str(port),
        },
    )
    worker.start()
    yield port
    worker.kill()


def test_a_worker_shows_the_metrics_of_its_children(worker_port: int) -> None:
    app.send_task("games.tasks.sweep")
    app.send_task("games.tasks.resolve_turn", args=["no number"])
    end = time.monotonic() + 60
    while True:
        with urlopen(Request(f"http://127.0.0.1:{worker_port}/metrics", headers=SHOWN)) as response:
            values = read(response.read().decode())
        if (
            value(values, "tasks_total", task="sweep", outcome="success") == 1
            and value(values, "tasks_total", task="resolve_turn", outcome="failure") == 1
        ):
            break
        assert time.monotonic() < end, values
        time.sleep(0.2)
    assert value(values, "task_seconds_count", task="sweep") == 1
    with pytest.raises(URLError, match="401"):
        urlopen(f"http://127.0.0.1:{worker_port}/metrics")
    with pytest.raises(URLError, match="404"):
        urlopen(Request(f"http://127.0.0.1:{worker_port}/", headers=SHOWN))
    with pytest.raises(ConnectionRefusedError):  # by default it only listens at that address
        socket.create_connection(("127.0.0.2", worker_port), 5)
