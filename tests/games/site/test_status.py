"""The status page: plain words for each part, also while Redis is down, and past outages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.clocks.models import Heartbeat, Outage
from games.news.delivery import MAIL_JOB
from games.site.status import parts_of_site
from games.work.models import Alarm

pytestmark = pytest.mark.django_db


def disrupted() -> set[str]:
    return {part.key for part in parts_of_site(now=timezone.now()) if not part.works}


def test_everything_works_while_workers_report(client: Client) -> None:
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})
    assert disrupted() == set()
    page = client.get("/status/")
    assert "Everything works." in page.text
    assert "No outages." in page.text


def test_the_page_says_what_is_disrupted_without_workers_and_redis(
    client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert disrupted() == {"turns", "live", "mail", "others"}
    page = client.get("/status/")
    assert page.status_code == 200
    assert "Turns are not being played right now." in page.text
    assert "Open pages don’t update at once." in page.text


def test_mail_is_disrupted_while_its_alarm_is_open() -> None:
    now = timezone.now()
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    Alarm.objects.create(job=MAIL_JOB, due_at=now, raised_at=now)
    assert disrupted() == {"mail"}


def test_the_page_lists_outages_of_90_days(client: Client) -> None:
    now = timezone.now()
    for days, minutes in ((3, 17), (95, 99)):
        began = now - timedelta(days=days)
        Outage.objects.create(began_at=began, ended_at=began + timedelta(minutes=minutes))
    page = client.get("/status/").text
    assert "No turns were played for 17 minutes" in page
    assert "99 minutes" not in page
