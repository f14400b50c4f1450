"""Errors of web processes and workers are stored in groups, without data about people."""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
import sentry_sdk
import time_machine
from django.db import OperationalError
from django.test import Client

from games.errors import Forbidden, NotFound
from games.staff import errors as groups
from games.staff.errors import FORGOTTEN_AFTER, forget_error, forget_old, record_errors
from games.staff.models import ErrorGroup
from games.work import jobs
from games.work.jobs import Job
from roborunner.celery import app
from roborunner.operations import errors
from roborunner.operations.errors import Recorder, without_personal_data
from roborunner.operations.log import log_facts
from tests import cast
from tests.games.support import NOW, later
from tests.games.together import wait_until
from tests.support.receiver import Receiver
from tests.support.worker import Worker

PROJECT = Path(__file__).resolve().parents[2]


class Quiet(Recorder):
    """A recorder that stores errors only if a test tells it to."""

    def __init__(self) -> None:
        super().__init__()
        self._started = True

    def _run_thread(self) -> None:
        pass


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    recorder = Quiet()
    logging.getLogger().addHandler(recorder)
    yield recorder
    logging.getLogger().removeHandler(recorder)


def fail(text: str) -> None:
    raise ValueError(f"unknown player '{text}' <{text}@example.org>")


def log_failure(text: str = "Alice", logger: str = "games.work.jobs") -> None:
    try:
        fail(text)
    except ValueError:
        logging.getLogger(logger).exception("It failed for %s", text)


def test_a_page_that_fails_is_one_group_with_its_view(
    client: Client, recorder: Recorder, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **options: Any) -> None:
        raise KeyError("Alice")

    monkeypatch.setattr("games.site.pages.home.front_page", broken, raising=False)
    monkeypatch.setattr("accounts.sessions.SessionStore.__init__", broken)
    client.raise_request_exception = False
    for _ in range(3):
        assert client.get("/games/").status_code == 500
    recorder.store()
    group = ErrorGroup.objects.get()
    assert (group.kind, group.count, group.message) == ("KeyError", 3, "…")
    assert group.request and "KeyError: …" in group.traceback
    assert str(PROJECT) not in group.traceback


class TestGroups:
    def test_they_have_a_type_a_place_and_no_data_about_people(self, recorder: Recorder, db: None) -> None:
        with log_facts(task="send_mail", request="7f3c1234"):
            log_failure("Alice")
        log_failure("Bob")
        recorder.store()
        group = ErrorGroup.objects.get()
        assert (group.kind, group.count) == ("ValueError", 2)
        assert (group.origin, group.request) == ("send_mail", "7f3c1234")
        assert "test_errors.py: fail" in group.place
        assert group.message == "unknown player … <…@example.org>"
        assert "Alice" not in group.traceback and "Bob" not in group.traceback

    def test_a_later_error_counts_and_has_the_latest_traceback(
        self, recorder: Recorder, db: None, settings: Any
    ) -> None:
        log_failure()
        recorder.store()
        first = ErrorGroup.objects.get()
        settings.RELEASE = "1.0.1"
        with time_machine.travel(later(hours=1), tick=False):
            log_failure()
        recorder.store()
        last = ErrorGroup.objects.get()
        assert (last.count, last.first_at, last.release) == (2, first.first_at, "1.0.1")
        assert (first.last_at, last.last_at) == (NOW, later(hours=1))

    def test_a_storm_of_errors_costs_one_query_for_each_group(
        self, recorder: Recorder, db: None, django_assert_max_num_queries: Callable[[int], Any]
    ) -> None:
        log_failure()  # formats the traceback once
        begun = time.process_time()
        with django_assert_max_num_queries(0):
            for _ in range(2000):
                log_failure()
        assert (time.process_time() - begun) / 2000 < 0.005
        with django_assert_max_num_queries(8):
            recorder.store()
        assert ErrorGroup.objects.get().count == 2001

    def test_counts_survive_an_outage_of_the_database(
        self, recorder: Recorder, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(faults: object) -> None:
            raise OperationalError("the server closed the connection")

        log_failure()
        with monkeypatch.context() as outage:
            outage.setattr("games.operations.record_errors", refuse)
            recorder.store()
        log_failure()
        recorder.store()
        assert ErrorGroup.objects.get().count == 2

    def test_a_line_without_a_traceback_is_no_error(self, recorder: Recorder, db: None) -> None:
        logging.getLogger("games").error("It failed")
        logging.getLogger("games").warning("It failed", exc_info=ValueError("So."))
        recorder.store()
        assert not ErrorGroup.objects.exists()

    def test_a_failed_job_of_the_sweeper_is_an_error(self, recorder: Recorder, db: None) -> None:
        def broken(*, now: object) -> None:
            raise ZeroDivisionError("division by zero")

        jobs.run([Job("broken", broken)], now=NOW)
        recorder.store()
        assert ErrorGroup.objects.get().kind == "ZeroDivisionError"


class TestBounds:
    def fault(self, number: int) -> dict[str, Any]:
        at = NOW.replace(microsecond=number)
        texts = dict.fromkeys(("kind", "place", "message", "traceback", "origin", "request", "release"), "x")
        return {**texts, "fingerprint": f"{number:064}", "count": 1, "first_at": at, "last_at": at}

    def test_the_oldest_groups_go_if_there_are_too_many(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(groups, "MOST_GROUPS", 3)
        record_errors([self.fault(number) for number in range(5)])
        assert set(ErrorGroup.objects.values_list("fingerprint", flat=True)) == {
            f"{number:064}" for number in (2, 3, 4)
        }

    def test_quiet_groups_go_after_a_month(self, db: None) -> None:
        record_errors([self.fault(0)])
        assert forget_old(now=NOW + FORGOTTEN_AFTER / 2) == 0
        assert forget_old(now=NOW + FORGOTTEN_AFTER) == 1

    def test_staff_delete_a_fixed_error(self, db: None) -> None:
        record_errors([self.fault(0)])
        group = ErrorGroup.objects.get()
        with pytest.raises(Forbidden):
            forget_error(user=cast.dave(), error_id=group.pk)
        erin = cast.erin()
        forget_error(user=erin, error_id=group.pk)
        with pytest.raises(NotFound):
            forget_error(user=erin, error_id=group.pk)


def test_a_worker_stores_the_errors_of_its_tasks(
    database_url: str, start_worker: Callable[..., Worker]
) -> None:
    start_worker()
    app.send_task("games.tasks.resolve_turn", args=["no number"])
    wait_until(lambda: ErrorGroup.objects.exists())
    group = ErrorGroup.objects.get()
    assert (group.kind, group.origin) == ("ValueError", "resolve_turn")
    assert "no number" not in group.traceback + group.message


class TestSentry:
    def test_an_event_has_only_the_error(self) -> None:
        event = {
            "event_id": "1",
            "request": {"url": "https://robo.example.org/games/?link=secret"},
            "user": {"email": "alice@example.org"},
            "server_name": "host",
            "breadcrumbs": {"values": [{"message": "Alice logged in"}]},
            "exception": {
                "values": [
                    {"type": "KeyError", "value": "'Alice'", "stacktrace": {"frames": [{"vars": {"a": 1}}]}}
                ]
            },
        }
        assert without_personal_data(event, {}) == {
            "event_id": "1",
            "exception": {"values": [{"type": "KeyError", "value": "…", "stacktrace": {"frames": [{}]}}]},
        }

    def test_errors_are_sent_to_the_address_in_the_settings(
        self, recorder: Recorder, settings: Any, db: None
    ) -> None:
        receiver, name = Receiver(), "Zora"  # a variable, because events have lines of the source
        receiver.start()
        settings.SENTRY_DSN = f"http://public@127.0.0.1:{receiver.port}/1"
        try:
            errors.start()
            for _ in range(50):
                log_failure(name)  # events have lines of the source
            sentry_sdk.flush(10)
        finally:
            sentry_sdk.get_client().close()
            sentry_sdk.init()
            receiver.stop()
        text = b"\n".join(brotli.decompress(posted.body) for posted in receiver.posted).decode()
        assert 1 <= text.count('"type":"ValueError"') <= errors.EVENTS_PER_GROUP
        assert "unknown player" in text and "Zora" not in text and "example.org>" in text
