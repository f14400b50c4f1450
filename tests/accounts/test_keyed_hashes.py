"""Keyed hashes still match after the site gets a new secret key."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import mail
from accounts.models import ClosedAddress, Trace, User
from tests import cast

pytestmark = pytest.mark.django_db

OPT_OUT = ClosedAddress.Cause.ASKED


def replace_key(settings: Settings) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the key that came after, and just as long as the old one"


def test_an_opted_out_address_stays_closed_after_a_new_key(settings: Settings) -> None:
    mail.close_address(digest=mail.digest_of("dave@example.org"), cause=OPT_OUT, now=timezone.now())
    replace_key(settings)
    assert mail.has_opted_out("dave@example.org")
    assert not mail.has_opted_out("bob@example.org")


def test_a_link_from_before_a_new_key_still_closes_its_address(settings: Settings) -> None:
    in_the_link = mail.digest_of("dave@example.org")
    replace_key(settings)
    mail.close_address(digest=in_the_link, cause=OPT_OUT, now=timezone.now())
    assert mail.has_opted_out("dave@example.org")


def test_an_address_closed_under_both_keys_reopens_in_one_step(settings: Settings) -> None:
    mail.close_address(digest=mail.digest_of("dave@example.org"), cause=OPT_OUT, now=timezone.now())
    replace_key(settings)
    mail.close_address(digest=mail.digest_of("dave@example.org"), cause=OPT_OUT, now=timezone.now())
    mail.reopen_address("dave@example.org")
    assert mail.closure_of("dave@example.org") is None


def test_traces_from_before_a_new_key_still_match(settings: Settings) -> None:
    alice, bob = cast.alice(), cast.bob()
    browser = Client()
    browser.post("/accounts/login/", {"login": "Alice", "password": cast.password_of("Alice")})
    browser.post("/accounts/logout/")
    replace_key(settings)
    for name in ("Alice", "Bob"):
        browser.post("/accounts/login/", {"login": name, "password": cast.password_of(name)})
        browser.post("/accounts/logout/")
    by_person = [set(_browsers(person)) for person in (alice, bob)]
    assert by_person[0] == by_person[1] and len(by_person[0]) == 1


def _browsers(person: User) -> list[str]:
    return list(Trace.objects.filter(user=person, kind="browser").values_list("digest", flat=True))


def test_several_old_keys_stay_valid(settings: Settings) -> None:
    in_the_link = mail.digest_of("dave@example.org")
    first = settings.SECRET_KEY
    settings.SECRET_KEY_FALLBACKS = ["the second key, which came before the newest one", first]
    settings.SECRET_KEY = "the key that came after, and just as long as the old one"
    mail.close_address(digest=in_the_link, cause=OPT_OUT, now=timezone.now())
    assert mail.has_opted_out("dave@example.org")
