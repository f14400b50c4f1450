"""Incidents and errors in the admin."""

import pytest
from django.test import Client

from accounts.models import User
from games.staff.models import ErrorGroup, Incident
from tests.games.admin_pages import address, listing
from tests.games.support import NOW


@pytest.fixture
def error(db: None) -> ErrorGroup:
    return ErrorGroup.objects.create(
        fingerprint="a" * 64,
        kind="KeyError",
        place="games/play/stored.py: setup_of",
        traceback='File "games/play/stored.py", in <module>',
        count=17,
        first_at=NOW,
        last_at=NOW,
    )


def test_staff_see_incidents_with_advice(staff: Client) -> None:
    incident = Incident.objects.create(
        key="redis", subject="Redis does not answer", advice="Start Redis.", opened_at=NOW
    )
    page = staff.get(listing(Incident), {"state": "open"})
    assert page.context["cl"].result_count == 1
    assert staff.get(listing(Incident), {"state": "over"}).context["cl"].result_count == 0
    assert "Start Redis." in staff.get(address(incident)).content.decode()


def test_staff_see_errors_with_their_traceback(staff: Client, error: ErrorGroup) -> None:
    assert "games/play/stored.py: setup_of" in staff.get(listing(ErrorGroup)).content.decode()
    page = staff.get(address(error)).content.decode()
    assert "in &lt;module&gt;" in page and "a" * 64 not in page


def test_staff_delete_a_fixed_error(staff: Client, error: ErrorGroup) -> None:
    staff.post(listing(ErrorGroup), {"action": "forget", "_selected_action": [error.pk]})
    assert not ErrorGroup.objects.exists()


def test_others_see_neither(client: Client, grace: User, error: ErrorGroup) -> None:
    client.force_login(grace)
    assert client.get(listing(ErrorGroup)).status_code == 403
    assert client.get(listing(Incident)).status_code == 403
