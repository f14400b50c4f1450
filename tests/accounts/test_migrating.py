"""Accounts come along when their form changes."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from accounts.models import User
from tests.support import schema

pytestmark = pytest.mark.django_db

SHOWN = ("shows_games", "shows_history", "shows_statistics", "shows_achievements")


def migrate(name: str = "") -> Any:
    """Bring the accounts to that form, or all to that of today; return their models in it."""
    executor = MigrationExecutor(connection)
    executor.migrate([("accounts", name)] if name else executor.loader.graph.leaf_nodes())
    return MigrationExecutor(connection).loader.project_state([("accounts", name)] if name else None).apps


class Way:
    """People of each time: those of today go back to the second migration, and all come to today."""

    def __init__(self) -> None:
        self.wanted: dict[str, bool] = {}
        self.addresses: dict[str, str] = {}
        self.unconfirmed: list[str] = []
        self.again = ""

    def go(self) -> None:
        """Go there and back."""
        for name, manner in (("Quinn", "daily"), ("Ruth", "none")):
            User.objects.create(robo_name=name, email=f"{name}@example.com", manner=manner)
        people = migrate("0003_guests_and_the_console").get_model("accounts", "User").objects
        self.wanted = dict(people.values_list("robo_name", "mail_my_turn"))
        for name, wants in (("Mona", True), ("Nick", False)):
            people.create(robo_name=name, email=f"{name}@example.com", password="!", mail_my_turn=wants)
        people = migrate("0002_people_computers_and_records").get_model("accounts", "User").objects
        people.create(robo_name="Rootless", email="", password="!", is_staff=True)
        people.create(robo_name="Rooted", email="rooted@example.com", password="!")
        self._lose_addresses()
        people = migrate("0013_music").get_model("accounts", "User").objects
        for name, shown in (("Alice", "everybody"), ("Bob", "players"), ("Carol", "nobody")):
            rest = dict.fromkeys(SHOWN[1:], "nobody")
            people.create(
                robo_name=name, email=f"{name}@example.com", password="!", shows_games=shown, **rest
            )
        migrate()

    def _lose_addresses(self) -> None:
        people = migrate("0010_lookalikes").get_model("accounts", "User").objects
        for name, verified in (("val", True), ("una", False), ("erin", False), ("frank", None)):
            person = people.create(
                robo_name=name, email=f"{name}@example.com", password="!", is_staff=name == "erin"
            )
            if verified is not None:
                EmailAddress.objects.create(
                    user_id=person.pk, email=person.email, primary=True, verified=verified
                )
            if verified:
                EmailAddress.objects.create(user_id=person.pk, email="new@example.com")
        migrate("0012_index_of_sign_ups")
        named = User.objects.filter(robo_name__in=("val", "una", "erin", "frank"))
        self.addresses = dict(named.values_list("robo_name", "email"))
        self.unconfirmed = list(User.objects.unconfirmed().values_list("robo_name", flat=True))
        people = migrate("0010_lookalikes").get_model("accounts", "User").objects
        self.again = people.get(robo_name="una").email


@pytest.fixture(scope="module")
def way(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Way]:
    """The way there and back, gone once."""
    with django_db_blocker.unblock(), schema.fresh():
        way = Way()
        way.go()
        yield way


def now(field: str, names: Iterable[str]) -> dict[str, Any]:
    """Return a field of some people as it is today."""
    return dict(User.objects.filter(robo_name__in=names).values_list("robo_name", field))


def test_people_without_an_address_stay_people(way: Way) -> None:
    rootless = User.objects.get(robo_name="Rootless")
    assert not rootless.is_guest
    assert rootless.is_staff
    assert rootless.email == f"nobody-{rootless.pk}@address.invalid"
    assert User.objects.get(robo_name="Rooted").email == "rooted@example.com"


def test_who_wanted_no_mail_about_turns_gets_none_about_games(way: Way) -> None:
    assert now("manner", ("Mona", "Nick")) == {"Mona": "at once", "Nick": "none"}


def test_choices_are_kept_on_the_way_back(way: Way) -> None:
    assert way.wanted == {"Quinn": True, "Ruth": False}


def test_an_address_that_was_never_confirmed_is_taken_off_the_account(way: Way) -> None:
    assert way.addresses == {
        name: "" if name == "una" else f"{name}@example.com" for name in ("val", "una", "erin", "frank")
    }
    assert way.unconfirmed == ["una"]
    assert way.again == "una@example.com"


def test_players_who_hid_their_page_are_not_found_by_the_new_search(way: Way) -> None:
    shown = {"Alice": "everybody", "Bob": "players", "Carol": "nobody"}
    assert now("shows_name", shown) == shown
