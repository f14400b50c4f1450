"""The model of an account: unique names and addresses, and createsuperuser."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import User
from tests.support.accounts import PASSWORD

pytestmark = pytest.mark.django_db


def test_names_and_addresses_are_unique_regardless_of_case(alice: User) -> None:
    for robo_name, email, constraint in (
        ("ALICE", "other@example.org", "robo_name_(unique|like_no_other)"),
        ("Other", "Alice@Example.org", "email_unique"),
    ):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            User(robo_name=robo_name, email=email).save()


def test_a_taken_name_is_refused_in_a_sentence(alice: User) -> None:
    with pytest.raises(ValidationError) as caught:
        User(robo_name="alice", email="ALICE@example.org", password="x").full_clean()
    assert caught.value.messages == [
        "This Robo Name is taken. Choose another.",
        "Another account has this email address.",
    ]


def test_names_are_found_in_any_case(alice: User) -> None:
    assert User.objects.get_by_natural_key("aLiCe") == alice


def test_addresses_are_stored_in_lower_case() -> None:
    assert User.objects.create_user("Bob", " Bob@Example.ORG ").email == "bob@example.org"


def test_an_account_without_a_password_cannot_log_in() -> None:
    assert not User.objects.create_user("Bob", "bob@example.org").has_usable_password()


def test_createsuperuser_creates_staff_who_can_log_in(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, robo_name="Erin", email="Erin@example.org")
    erin = User.objects.get(robo_name="Erin")
    assert erin.is_staff
    assert erin.is_superuser
    assert EmailAddress.objects.get(user=erin).verified
    client.post("/accounts/login/", {"login": "erin", "password": PASSWORD})
    assert client.get("/admin/").status_code == 200


def test_createsuperuser_says_that_a_name_is_taken(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    with pytest.raises((CommandError, IntegrityError)), transaction.atomic():
        call_command(
            "createsuperuser", interactive=False, robo_name="ALICE", email="e@example.org", stderr=StringIO()
        )
    assert User.objects.count() == 1
