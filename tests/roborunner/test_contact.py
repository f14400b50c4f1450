"""Files for programs: security.txt and robots.txt."""

from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from roborunner.operations.log import ROBOTS, SECURITY

CONTACTS = ["mailto:security@robo.example", "https://robo.example/security"]


@pytest.fixture(autouse=True)
def _contacts(settings: Settings) -> None:
    settings.SECURITY_CONTACT = CONTACTS
    settings.BASE_URL = "https://robo.example"


def fields(client: Client) -> list[tuple[str, str]]:
    """Return the fields of security.txt as pairs of a name and a value."""
    answer = client.get(SECURITY)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    return [(name, value) for name, _, value in (line.partition(": ") for line in answer.text.splitlines())]


def test_the_file_names_the_contacts_and_its_address(client: Client) -> None:
    found = fields(client)
    assert [value for name, value in found if name == "Contact"] == CONTACTS
    assert ("Canonical", "https://robo.example/.well-known/security.txt") in found


@pytest.mark.parametrize(
    "day",
    [
        datetime(2026, 11, 22, 12, tzinfo=UTC),
        datetime(2028, 2, 29, 0, 0, 1, tzinfo=UTC),
        datetime(2029, 12, 31, 23, 59, 30, tzinfo=UTC),
    ],
)
def test_the_file_expires_neither_soon_nor_after_a_year(client: Client, day: datetime) -> None:
    with time_machine.travel(day, tick=False):
        (expires,) = [value for name, value in fields(client) if name == "Expires"]
    left = datetime.strptime(expires, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) - day
    assert timedelta(days=90) < left < timedelta(days=365)


def test_a_site_without_a_contact_has_no_such_file(client: Client, settings: Settings) -> None:
    settings.SECURITY_CONTACT = []
    assert client.get(SECURITY).status_code == 404


def test_search_engines_skip_personal_pages(client: Client) -> None:
    answer = client.get(ROBOTS, headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    robots = RobotFileParser()
    robots.parse(answer.text.splitlines())
    for page in ("pages:home", "pages:help", "clubs:list", "tournaments:list"):
        assert robots.can_fetch("*", reverse(page)), page
    for page in ("account_login", "people:tokens", "admin:index", "people:data"):
        assert not robots.can_fetch("*", reverse(page)), page
    assert f"Allow: {reverse('sharing:oembed')}" in answer.text.splitlines(), "its address has a query"
