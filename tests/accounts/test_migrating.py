"""Accounts come along when their form changes."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User


def migrate(name: str) -> Any:
    """Bring the accounts to that form; return their models in it."""
    MigrationExecutor(connection).migrate([("accounts", name)])
    return MigrationExecutor(connection).loader.project_state([("accounts", name)]).apps


@pytest.mark.django_db(transaction=True)
def test_people_without_an_address_stay_people() -> None:
    try:
        before = migrate("0002_people_computers_and_records").get_model("accounts", "User")
        made = before.objects.create(robo_name="Rootless", email="", password="!", is_staff=True)
        before.objects.create(robo_name="Alice", email="alice@example.com", password="!")
    finally:
        call_command("migrate", verbosity=0)
    rootless = User.objects.get(pk=made.pk)
    assert not rootless.is_guest
    assert rootless.is_staff
    assert rootless.email == f"nobody-{made.pk}@address.invalid"
    assert User.objects.get(robo_name="Alice").email == "alice@example.com"


@pytest.mark.django_db(transaction=True)
def test_who_wanted_no_mail_about_turns_gets_none_about_games() -> None:
    try:
        before = migrate("0003_guests_and_the_console").get_model("accounts", "User")
        for name, wants in (("Alice", True), ("Bob", False)):
            before.objects.create(
                robo_name=name, email=f"{name}@example.com", password="!", mail_my_turn=wants
            )
    finally:
        call_command("migrate", verbosity=0)
    assert dict(User.objects.values_list("robo_name", "manner")) == {"Alice": "at once", "Bob": "none"}


@pytest.mark.django_db(transaction=True)
def test_choices_are_kept_on_the_way_back() -> None:
    try:
        User.objects.create(robo_name="Alice", email="alice@example.com", manner="daily")
        User.objects.create(robo_name="Bob", email="bob@example.com", manner="none")
        before = migrate("0003_guests_and_the_console").get_model("accounts", "User")
        assert dict(before.objects.values_list("robo_name", "mail_my_turn")) == {"Alice": True, "Bob": False}
    finally:
        call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_an_address_that_was_never_confirmed_is_taken_off_the_account() -> None:
    try:
        before = migrate("0010_lookalikes").get_model("accounts", "User")
        made = {
            name: before.objects.create(
                robo_name=name, email=f"{name}@example.com", password="!", is_staff=name == "erin"
            )
            for name in ("alice", "bob", "erin", "frank")
        }
        for name, verified in (("alice", True), ("bob", False), ("erin", False)):
            EmailAddress.objects.create(
                user_id=made[name].pk, email=f"{name}@example.com", primary=True, verified=verified
            )
        EmailAddress.objects.create(user_id=made["alice"].pk, email="new@example.com")
        migrate("0012_index_of_sign_ups")
        kept = dict(User.objects.values_list("robo_name", "email"))
        assert kept == {name: "" if name == "bob" else f"{name}@example.com" for name in made}
        assert list(User.objects.unconfirmed().values_list("robo_name", flat=True)) == ["bob"]
        again = migrate("0010_lookalikes").get_model("accounts", "User")
        assert again.objects.get(robo_name="bob").email == "bob@example.com"
    finally:
        call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_players_who_hid_their_page_are_not_found_by_the_new_search() -> None:
    parts = ("shows_games", "shows_history", "shows_statistics", "shows_achievements")
    try:
        before = migrate("0013_music").get_model("accounts", "User")
        for name, shown in (("Alice", "everybody"), ("Bob", "players"), ("Carol", "nobody")):
            rest = dict.fromkeys(parts[1:], "nobody")
            before.objects.create(
                robo_name=name, email=f"{name}@example.com", password="!", shows_games=shown, **rest
            )
    finally:
        call_command("migrate", verbosity=0)
    found = dict(User.objects.values_list("robo_name", "shows_name"))
    assert found == {"Alice": "everybody", "Bob": "players", "Carol": "nobody"}
