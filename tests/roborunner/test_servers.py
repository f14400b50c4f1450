"""Tests run with real servers, a real worker and real mail."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.mail import send_mail
from django.db import connection
from redis import Redis

from roborunner.celery import app
from tests.games.together import wait_until
from tests.support.loaded import ForkedWorker
from tests.support.mailbox import Mailbox
from tests.support.worker import Worker


@pytest.mark.django_db
def test_the_database_is_a_real_postgres() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_database()")
        version, name = cursor.fetchone()
    assert version >= 140000
    assert name.startswith("test_roborunner")


def test_redis_answers() -> None:
    with Redis.from_url(settings.REDIS_URL) as redis:
        assert redis.ping()


def test_mail_is_sent_over_smtp(mailbox: Mailbox) -> None:
    send_mail("Turn 3", "Your move, Bob.", None, ["bob@example.org"])
    (mail,) = mailbox.wait_for(1, to="bob@example.org")
    assert mail["Subject"] == "Turn 3"
    assert "Your move, Bob." in mail.get_content()


def test_a_worker_takes_messages(worker: ForkedWorker) -> None:
    wait_until(_answers)


def test_a_killed_worker_can_be_followed_by_another(start_worker: Callable[..., Worker]) -> None:
    start_worker().kill()
    start_worker()
    wait_until(_answers)


def _answers() -> bool:
    """Return whether a worker answers a ping.

    A worker that is still starting does not.
    """
    return any({"ok": "pong"} in answer.values() for answer in app.control.ping(timeout=2, limit=1) or [])
