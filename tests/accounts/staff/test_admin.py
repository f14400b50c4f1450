"""Accounts in the admin pages."""

import pytest
from django.test import Client

from accounts.models import AUDIENCES, User
from tests.support.accounts import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def erin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("Erin", "erin@example.org", PASSWORD))
    return client


def test_staff_create_an_account(erin: Client) -> None:
    form = {"robo_name": "Bob", "email": "Bob@example.org", "usable_password": "true"}
    erin.post("/admin/accounts/user/add/", form | {"password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get(robo_name="Bob").email == "bob@example.org"


def test_staff_see_why_a_robo_name_is_refused(alice: User, erin: Client) -> None:
    form = {
        "email": "bob@example.org",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    for name, sentence in (("hull", "reserved word"), ("ALICE", "This Robo Name is taken")):
        page = erin.post("/admin/accounts/user/add/", form | {"robo_name": name})
        assert sentence in page.content.decode()


def test_staff_cannot_rename_a_robot(alice: User, erin: Client) -> None:
    url = f"/admin/accounts/user/{alice.pk}/change/"
    assert b'name="robo_name"' not in erin.get(url).content
    form = {"robo_name": "Mallory", "email": "m@example.org", "time_zone": "UTC", "is_active": "on"}
    told = {"manner": "none", "daily_hour": "8"}
    erin.post(url, form | told | dict.fromkeys(AUDIENCES, "everybody"))
    alice.refresh_from_db()
    assert (alice.robo_name, alice.email, alice.manner) == ("Alice", "alice@example.org", "none")


def test_staff_log_in_like_everyone_else(client: Client) -> None:
    page = client.get("/admin/", follow=True)
    assert page.request["PATH_INFO"] == "/accounts/login/"
