"""The rules for passwords."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User
from tests.support.accounts import PASSWORD

ALICE = User(robo_name="Alice", email="alice@example.org")


def test_any_characters_are_allowed() -> None:
    for password in ("29 31 37 41", "ςὺν Ἀθηνᾷ καὶ χεῖρα", "      a     ", "🤖🚀🤖🚀🤖🚀🤖🚀", "x7" * 64):
        validate_password(password, ALICE)


def test_weak_passwords_are_refused() -> None:
    for password, sentence in (
        ("seven77", "at least 8 characters"),
        ("x7" * 64 + "!", "This password is too long: 129 characters. The limit is 128."),
        ("RoboRunner2026!", "This password is too similar to a word used on this site"),
        ("star-ship-robot", "This password is too similar to a word used on this site"),
        ("12345678", "on a list of stolen passwords"),
        ("Alice1234", "too similar to the Robo Name"),
        ("alice@example.org", "too similar to the"),
    ):
        with pytest.raises(ValidationError) as refused:
            validate_password(password, ALICE)
        assert sentence in " ".join(refused.value.messages)


@pytest.mark.django_db
def test_every_character_counts(alice: User) -> None:
    browser = Client()
    for typed in (f" {PASSWORD}", f"{PASSWORD} ", PASSWORD.upper(), PASSWORD[:-1]):
        browser.post("/accounts/login/", {"login": "Alice", "password": typed})
        assert browser.get("/settings/profile/").status_code == 302


@pytest.mark.django_db
def test_spaces_around_a_password_are_part_of_it(alice: User, signed_in: Client) -> None:
    new = "  quite another  "
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    signed_in.post("/accounts/password/change/", form)
    alice.refresh_from_db()
    assert alice.check_password(new)
    assert not alice.check_password(new.strip())
