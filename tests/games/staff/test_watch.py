"""The watch sends the operator messages about troubles that begin, last and pass."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import DatabaseError
from django.utils import timezone

from games.clocks.maintenance import start_maintenance
from games.clocks.models import Heartbeat
from games.news import delivery
from games.play.models import Game
from games.staff import watch as module
from games.staff.models import BackupRun, Incident, Watcher
from games.staff.services import record_run, watch_turns
from games.staff.watch import Watch
from games.work.models import Alarm
from games.work.sweeper import sweep
from tests.games.support import NOW, later, open_turn
from tests.support.mailbox import Mailbox
from tests.support.receiver import Receiver

PROJECT = Path(__file__).resolve().parents[3]
TWO_MINUTES = timedelta(minutes=2)
LOOK = timedelta(seconds=module.LOOK_SECONDS)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A webhook of the operator."""
    receiver = Receiver()
    receiver.start()
    settings.OPERATOR_WEBHOOK = receiver.url
    settings.BACKUP_HOURS = settings.DRILL_DAYS = 0
    yield receiver
    receiver.stop()


def documents(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(posted.body) for posted in receiver.posted]


def look_until(
    watch: Watch, receiver: Receiver, *, begin: datetime, most: timedelta = TWO_MINUTES
) -> timedelta:
    """Look every few seconds until a message arrives. Return how long that took, in the watch's time."""
    known, now = len(receiver.posted), begin
    while len(receiver.posted) == known:
        assert now - begin <= TWO_MINUTES, watch.looked
        watch.look(now=now)
        now += LOOK
    return now - LOOK - begin


def look_on(watch: Watch, begin: datetime, minutes: int) -> None:
    """Look for some minutes, while workers sweep."""
    for number in range(minutes * 4 + 1):
        now = begin + number * LOOK
        with suppress(DatabaseError):
            Heartbeat.objects.update(at=now)
        watch.look(now=now)


@pytest.fixture
def watch(db: None, receiver: Receiver, tmp_path: Path) -> Watch:
    """A watch of a site that was swept a moment ago."""
    sweep(now=NOW)
    return Watch(now=NOW, directory=str(tmp_path))


def test_nothing_is_sent_while_all_is_well(watch: Watch, receiver: Receiver) -> None:
    look_on(watch, NOW, 1)
    assert receiver.posted == []
    assert not Incident.objects.exists()


class TestWithinTwoMinutes:
    def test_the_operator_hears_of_stopped_workers(self, watch: Watch, receiver: Receiver) -> None:
        assert look_until(watch, receiver, begin=NOW) <= TWO_MINUTES
        (document,) = documents(receiver)
        assert document["format"] == "alarm/1" and document["state"] == "problem"
        assert document["title"].endswith("Workers have stopped")
        assert "What to do: Start the worker" in document["text"]
        assert document["content"] == document["text"]

    def test_the_operator_hears_that_redis_is_down(
        self, watch: Watch, receiver: Receiver, settings: Any, tmp_path: Path
    ) -> None:
        settings.REDIS_URL = f"unix://{tmp_path}/nobody?db=0"
        assert look_until(watch, receiver, begin=NOW) <= TWO_MINUTES
        assert documents(receiver)[0]["incidents"][0]["key"] == "redis"

    def test_the_operator_hears_of_refused_mail_by_the_next_way(
        self, watch: Watch, receiver: Receiver, settings: Any, mailbox: Mailbox
    ) -> None:
        """The mail server refuses the operator's mail too, so the message goes to the webhook."""
        settings.OPERATOR_MAIL = ["operator@example.org"]
        mailbox.refusal = "554 5.7.1 No mail from you"
        for minutes, to in enumerate(("a@example.org", "b@example.org", "c@example.org")):
            with pytest.raises(OSError):
                delivery.send_email(EmailMessage("Hello", "You.", to=[to]), now=later(minutes=minutes / 4))
        sweep(now=later(minutes=1))
        assert look_until(watch, receiver, begin=later(minutes=1)) <= timedelta(minutes=1)
        (document,) = documents(receiver)
        assert document["title"].endswith("The mail server accepts no mail")
        assert "No mail from you" in document["text"] and "@example.org" not in document["text"]
        assert mailbox.mails == []

    def test_the_operator_hears_of_an_unplayed_turn(
        self, duel: Game, watch: Watch, receiver: Receiver
    ) -> None:
        late = later(hours=24, minutes=5)
        Heartbeat.objects.update(at=late)
        watch_turns(now=late)
        assert look_until(watch, receiver, begin=late) <= TWO_MINUTES
        (incident,) = documents(receiver)[0]["incidents"]
        assert incident["subject"] == f"Turn {open_turn(duel).number} of game {duel.pk} is not played"
        assert incident["url"].endswith(f"/admin/games/alarm/{Alarm.objects.get().pk}/change/")
        assert duel.name not in receiver.posted[0].body.decode()

    def test_the_operator_hears_that_no_web_process_answers(
        self, watch: Watch, receiver: Receiver, settings: Any
    ) -> None:
        settings.WATCH_URL = "http://127.0.0.1:1/healthz"
        look_until(watch, receiver, begin=NOW)
        assert documents(receiver)[0]["incidents"][0]["key"] == "web"

    def test_the_operator_hears_of_a_check_that_fails(
        self, watch: Watch, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        alarm = Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
        watch.look(now=NOW)
        monkeypatch.setattr("games.staff.incidents.failing_server", lambda **_: 1 // 0)
        look_until(watch, receiver, begin=NOW + LOOK)
        assert documents(receiver)[1]["title"].endswith("The watch cannot look at the site")
        assert Incident.objects.get(key=f"alarm:{alarm.pk}").gone_at is None
        monkeypatch.undo()
        look_on(watch, later(minutes=2), 2)
        assert documents(receiver)[2]["title"].endswith("Passed: The watch cannot look at the site")


class TestBackups:
    @pytest.fixture(autouse=True)
    def _limits(self, receiver: Receiver, settings: Any) -> None:
        settings.BACKUP_HOURS, settings.DRILL_DAYS = 26, 9

    def test_an_old_backup_and_a_failed_drill_are_incidents(self, watch: Watch, receiver: Receiver) -> None:
        good = later(hours=-27)
        record_run(BackupRun.Kind.BACKUP, started_at=good, now=good)
        record_run(BackupRun.Kind.DRILL, started_at=good, now=good)
        record_run(BackupRun.Kind.DRILL, started_at=NOW, error="Game 7 is not sound.", now=NOW)
        watch.look(now=NOW)
        assert watch.looked.keys() == {"backup-age", "drill"}
        assert "Game 7 is not sound." in documents(receiver)[0]["text"]
        record_run(BackupRun.Kind.BACKUP, started_at=NOW, now=NOW)
        record_run(BackupRun.Kind.DRILL, started_at=NOW, now=later(minutes=1))
        watch.look(now=later(minutes=1))
        assert watch.looked.keys() == set()

    def test_a_failed_backup_does_not_count(self, watch: Watch) -> None:
        record_run(BackupRun.Kind.BACKUP, started_at=later(hours=-27), now=later(hours=-27))
        record_run(BackupRun.Kind.BACKUP, started_at=NOW, error="The disk is full.", now=NOW)
        watch.look(now=NOW)
        assert "backup-age" in watch.looked


class TestMessages:
    @pytest.fixture
    def alarm(self, db: None) -> Alarm:
        return Alarm.objects.create(job="heads", error="KeyError: 7", due_at=NOW, raised_at=NOW)

    def test_each_incident_is_sent_once_then_after_an_hour_then_daily(
        self, watch: Watch, receiver: Receiver, alarm: Alarm
    ) -> None:
        for minutes in (0, 1, 30, 59, 60, 61, 90, 24 * 60 + 59, 25 * 60, 25 * 60 + 1):
            Heartbeat.objects.update(at=later(minutes=minutes))
            watch.look(now=later(minutes=minutes))
        titles = [document["title"].partition("] ")[2] for document in documents(receiver)]
        assert titles == ["The job heads fails", "Still: The job heads fails", "Still: The job heads fails"]
        assert Incident.objects.get().messages == 3

    def test_the_end_is_sent_once(self, watch: Watch, receiver: Receiver, alarm: Alarm) -> None:
        watch.look(now=NOW)
        Alarm.objects.update(closed_at=NOW)
        look_on(watch, later(minutes=1), 2)
        first, last = documents(receiver)
        assert (first["state"], last["state"]) == ("problem", "passed")
        assert last["title"].endswith("Passed: The job heads fails")
        assert Incident.objects.get().ended_at == later(minutes=2)

    def test_a_part_that_is_restarted_is_no_incident(
        self, watch: Watch, receiver: Receiver, settings: Any, tmp_path: Path
    ) -> None:
        redis = settings.REDIS_URL
        settings.REDIS_URL = f"unix://{tmp_path}/nobody?db=0"
        watch.look(now=NOW)
        settings.REDIS_URL = redis
        watch.look(now=NOW + LOOK)
        watch.look(now=NOW + 4 * LOOK)
        assert receiver.posted == [] and not Incident.objects.exists()

    def test_many_incidents_are_one_message(self, watch: Watch, receiver: Receiver) -> None:
        rows = [
            Alarm(job="heads", kind="game", row=row, error="KeyError", due_at=NOW, raised_at=NOW)
            for row in range(1, 41)
        ]
        Alarm.objects.bulk_create(rows)
        watch.look(now=NOW)
        watch.look(now=NOW + LOOK)
        (document,) = documents(receiver)
        assert document["title"].endswith("fails for game 1; The job heads fails for game 2; 38 more")
        assert "- 30 more" in document["text"] and len(document["text"]) < 1000
        assert Incident.objects.filter(messages=1).count() == 40

    def test_a_message_that_no_way_takes_is_tried_again(
        self, watch: Watch, receiver: Receiver, alarm: Alarm
    ) -> None:
        receiver.status = 500
        watch.look(now=NOW)
        assert Incident.objects.get().sent_at is None
        receiver.status = 200
        watch.look(now=NOW + LOOK)
        assert Incident.objects.get().sent_at == NOW + LOOK
        assert len(receiver.posted) == 2

    def test_a_way_that_fails_is_named_by_the_next(
        self, watch: Watch, receiver: Receiver, alarm: Alarm, settings: Any
    ) -> None:
        settings.OPERATOR_PUSH = "http://127.0.0.1:1/topic-that-is-secret"
        watch.look(now=NOW)
        text = documents(receiver)[0]["text"]
        assert "Could not be sent by push: URLError" in text and "secret" not in text


def test_incidents_neither_begin_nor_end_during_maintenance(watch: Watch, receiver: Receiver) -> None:
    alarm = Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
    watch.look(now=NOW)
    start_maintenance(until=later(hours=1), now=NOW)
    Alarm.objects.update(closed_at=NOW)
    for minutes in range(1, 10):
        watch.look(now=later(minutes=minutes))
    assert watch.looked == {} and len(receiver.posted) == 1
    assert Incident.objects.get(ended_at=None).key == f"alarm:{alarm.pk}"


def test_a_clock_that_was_set_back_silences_nothing(watch: Watch, receiver: Receiver) -> None:
    ahead = later(hours=40)
    Heartbeat.objects.update(at=ahead)
    first = Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
    watch.look(now=ahead)
    Alarm.objects.filter(pk=first.pk).update(closed_at=NOW)
    watch.look(now=ahead + LOOK)
    Alarm.objects.create(job="turns", error="KeyError", due_at=NOW, raised_at=NOW)
    look_on(watch, NOW, 2)
    titles = [document["title"].partition("] ")[2] for document in documents(receiver)]
    assert titles == ["The job heads fails", "The job turns fails", "Passed: The job heads fails"]


class TestSeveralWatches:
    def test_only_one_sends_and_another_takes_over_after_its_death(
        self, watch: Watch, receiver: Receiver
    ) -> None:
        other = Watch(now=NOW)
        watch.look(now=NOW)
        Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
        other.look(now=NOW + LOOK)
        assert receiver.posted == []
        other.look(now=NOW + 4 * LOOK)
        assert len(receiver.posted) == 1
        watch.look(now=NOW + 5 * LOOK)
        assert len(receiver.posted) == 1
        assert Watcher.objects.get().looked_at == NOW + 4 * LOOK

    def test_a_restart_repeats_nothing(self, watch: Watch, receiver: Receiver, tmp_path: Path) -> None:
        Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
        watch.look(now=NOW)
        again = Watch(now=later(minutes=1), directory=str(tmp_path))
        again.look(now=later(minutes=1))
        assert len(receiver.posted) == 1

    def test_a_process_that_stops_leaves_the_watch_to_the_next(
        self, watch: Watch, receiver: Receiver
    ) -> None:
        watch.look(now=NOW)
        Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
        watch.stop(now=NOW + LOOK)
        Watch(now=NOW + LOOK).look(now=NOW + LOOK)
        assert len(receiver.posted) == 1


@pytest.mark.django_db(transaction=True)
class TestWithoutTheDatabase:
    @pytest.fixture
    def down(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
        """Return a function to make the database refuse all queries, or answer again."""
        execute = psycopg.Cursor.execute
        is_down = False

        def refuse(self: Any, *args: Any, **options: Any) -> Any:
            if is_down:
                raise psycopg.OperationalError("the server closed the connection")
            return execute(self, *args, **options)

        def switch(to: bool) -> None:
            nonlocal is_down
            is_down = to

        monkeypatch.setattr(psycopg.Cursor, "execute", refuse)
        return switch

    def test_the_operator_hears_it_once_despite_a_restart(
        self, watch: Watch, receiver: Receiver, tmp_path: Path, down: Callable[[bool], None]
    ) -> None:
        watch.look(now=NOW)
        down(True)
        assert look_until(watch, receiver, begin=NOW + LOOK) <= TWO_MINUTES
        assert documents(receiver)[0]["title"].endswith("The database does not answer")
        again = Watch(now=later(minutes=2), directory=str(tmp_path))
        watch._lock = None  # the first process is gone
        for minutes in (2, 3, 30):
            again.look(now=later(minutes=minutes))
        assert len(receiver.posted) == 1
        down(False)
        look_on(again, later(minutes=31), 2)
        assert documents(receiver)[1]["title"].endswith("Passed: The database does not answer")
        assert len(receiver.posted) == 2
        incident = Incident.objects.get()
        assert incident.key == "database" and incident.ended_at is not None

    def test_incidents_inside_the_database_neither_end_nor_repeat(
        self, watch: Watch, receiver: Receiver, down: Callable[[bool], None]
    ) -> None:
        Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
        watch.look(now=NOW)
        down(True)
        look_on(watch, later(minutes=1), 3)
        titles = [document["title"].partition("] ")[2] for document in documents(receiver)]
        assert titles == ["The job heads fails", "The database does not answer"]


def test_a_process_watches_a_site_whose_database_is_away(receiver: Receiver, tmp_path: Path) -> None:
    nowhere = {
        "DATABASE_URL": "postgresql://robo:hush@127.0.0.1:1/games",
        "SECRET_KEY": "hush" * 8,
        "OPERATOR_WEBHOOK": receiver.url,
        "WATCH_DIRECTORY": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "watch", "--once"],
        cwd=PROJECT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "The database does not answer" in done.stdout
    assert "hush" not in done.stdout + done.stderr


def test_a_look_by_hand_shows_troubles_beside_the_watch(
    watch: Watch, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    watch.look(now=timezone.now())
    Alarm.objects.create(job="heads", error="KeyError", due_at=NOW, raised_at=NOW)
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=5))
    call_command("watch", "--once")
    said = capsys.readouterr().out
    assert "The job heads fails" in said and "Workers have stopped" in said
    assert receiver.posted == [] and not Incident.objects.exists()


class TestTheMonitor:
    def test_it_is_called_each_minute_while_all_is_well(
        self, watch: Watch, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[datetime] = []
        settings.MONITOR_URL = "http://127.0.0.1:1/ping"
        at = NOW

        def called() -> str:
            calls.append(at)
            return ""

        monkeypatch.setattr(module.operator, "call_monitor", called)
        for number in range(12):
            at = NOW + number * LOOK
            Heartbeat.objects.update(at=at)
            watch.look(now=at)
        assert calls == [NOW, later(minutes=1), later(minutes=2)]
        Alarm.objects.create(job="heads", error="KeyError", due_at=at, raised_at=at)
        look_on(watch, at, 1)
        assert len(calls) == 3
