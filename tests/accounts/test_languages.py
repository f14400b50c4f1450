"""The language of pages, and of emails about accounts."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.checks import run_checks
from django.core.mail import EmailMessage
from django.db import OperationalError
from django.test import Client
from django.utils import translation as django_translation

from accounts.languages import as_read_by, language_of
from accounts.mail import unsubscribe_url
from accounts.models import User
from tests.support.accounts import PASSWORD, link_in
from tests.support.languages import GERMAN_BROWSER, speak_german, translation

pytestmark = pytest.mark.django_db

SignUp = Callable[..., Any]

FORM = {"time_zone": "UTC"} | {
    f"shows_{part}": "everybody"
    for part in ("name", "games", "history", "accuracy", "statistics", "achievements")
}

SAID = {
    "Sign up": "Registrieren",
    "All hands are busy": "Alles voll",
    "Profile": "Profil",
    "Language": "Sprache",
    "Your profile is saved.": "Dein Profil ist gespeichert.",
    "Confirm your address, %(player)s": "Bestätige deine Adresse, %(player)s",
    "There is no such game.": "Dieses Spiel gibt es nicht.",
    "Choose a new password, %(player)s": "Wähle ein neues Passwort, %(player)s",
}


@pytest.fixture
def german(settings: Any, tmp_path: Path) -> None:
    speak_german(settings, tmp_path, translation(SAID))


@pytest.fixture
def german_browser() -> Client:
    return Client(headers=GERMAN_BROWSER)


def language_in(page: Any) -> str:
    found = re.search(r'<html lang="([^"]*)"', page.content.decode())
    assert found
    return found[1]


def test_a_site_in_english_offers_no_language(alice: User, signed_in: Client, german_browser: Client) -> None:
    page = german_browser.get("/")
    assert language_in(page) == "en"
    assert "Content-Language" not in page.headers and "Accept-Language" not in page.headers["Vary"]
    assert b'name="language"' not in signed_in.get("/settings/profile/").content
    assert signed_in.post("/settings/profile/", {**FORM, "language": "de"}).status_code == 302
    alice.refresh_from_db()
    assert alice.language == ""


def test_strangers_read_the_language_of_their_browser(german: None, german_browser: Client) -> None:
    for browser, language in ((german_browser, "de"), (Client(), "en")):
        for path in ("/", "/accounts/signup/", "/docs/", "/nowhere/"):
            page = browser.get(path)
            assert language_in(page) == page.headers["Content-Language"] == language
            assert "Accept-Language" in page.headers["Vary"]
    assert "Registrieren" in german_browser.get("/accounts/signup/").content.decode()
    for asked in ("fr", "*", "de;q=0", "fr, de;q=0.0", "de_AT", "ä", "de" * 9999, "en-x, " * 999 + "de"):
        page = Client(headers={"Accept-Language": asked}).get("/accounts/login/")
        assert language_in(page) == "en", "the first language of the site"


def test_a_site_needs_no_english(settings: Any) -> None:
    settings.LANGUAGES = [("de", "Deutsch")]
    assert [each for each in run_checks(tags=["translation"]) if not each.is_silenced()] == []


def test_an_error_without_a_database_is_in_the_language_of_the_browser(
    german: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OperationalError("no connection")

    monkeypatch.setattr("accounts.middleware.extend_session", fail)
    browser = Client(headers=GERMAN_BROWSER, raise_request_exception=False)
    page = browser.get("/")
    assert (page.status_code, language_in(page)) == (503, "de")
    assert "Alles voll" in page.content.decode()
    assert language_in(browser.get("/admin/")) == "en"


def test_the_translation_of_scripts_comes_before_modules(german: None, german_browser: Client) -> None:
    page = german_browser.get("/").content.decode()
    assert "languages/" not in Client().get("/").content.decode()
    assert '<script src="/static/languages/de.js" defer></script>' in page
    assert page.index("languages/de.js") < page.index('type="module"')


def test_people_keep_the_language_in_which_they_signed_up(
    german: None, sign_up: SignUp, german_browser: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(german_browser)
    [mail] = mailoutbox
    assert mail.subject == "Bestätige deine Adresse, Bob"
    english = Client()
    english.post(link_in(mail))
    english.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    page = english.get("/settings/profile/")
    assert language_in(page) == page.headers["Content-Language"] == "de"
    assert "Accept-Language" not in page.headers["Vary"]
    assert User.objects.get(robo_name="Bob").language == "de"


def test_people_choose_their_language(german: None, alice: User, signed_in: Client) -> None:
    page = signed_in.get("/settings/profile/").content.decode()
    assert re.search(r'<option value="en" selected>English</option>\s*<option value="de">Deutsch', page)
    shown = {"instead_of": re.findall(r'name="instead_of" value="([^"]*)"', page)[0]}
    signed_in.post("/settings/profile/", {**FORM, **shown, "language": "de"})
    page = signed_in.get("/settings/profile/")
    assert language_in(page) == "de"
    assert "Dein Profil ist gespeichert." in page.content.decode()
    refused = signed_in.post("/settings/profile/", {**FORM, "language": "fr"})
    assert refused.status_code == 200
    alice.refresh_from_db()
    assert alice.language == "de"


def test_a_language_that_is_off_falls_back_to_the_first(
    settings: Any, german: None, alice: User, signed_in: Client
) -> None:
    User.objects.update(language="fr")
    page = signed_in.get("/settings/profile/")
    assert language_in(page) == "en"
    assert '<option value="en" selected>' in page.content.decode()
    settings.LANGUAGES = [("de", "Deutsch")]
    assert language_in(Client(headers={"Accept-Language": "en"}).get("/")) == "de"
    assert language_of(User.objects.get()) == language_of(None) == "de"


def test_staff_pages_and_the_api_are_english(
    german: None, settings: Any, german_browser: Client, client: Client
) -> None:
    settings.STAFF_SECOND_FACTOR = False
    erin = User.objects.create_superuser("Erin", "erin@example.org", PASSWORD, language="de")
    client.force_login(erin)
    for path in ("/admin/", "/api/v1/docs", "/api/v1/docs/turns"):
        assert language_in(client.get(path)).startswith("en")
    answers = [each.get("/api/v1/games/999999").json()["detail"] for each in (german_browser, client)]
    assert answers == ["There is no such game.", "Dieses Spiel gibt es nicht."], "scripts of pages show it"


def test_mail_about_an_account_is_in_the_language_of_its_owner(
    german: None, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.update(language="de")
    Client().post("/accounts/password/reset/", {"email": alice.email})
    User.objects.update(language="en")
    Client(headers=GERMAN_BROWSER).post("/accounts/password/reset/", {"email": alice.email})
    assert [mail.subject for mail in mailoutbox] == [
        "Wähle ein neues Passwort, Alice",
        "Choose a new password, Alice",
    ]


def test_a_page_linked_in_mail_is_in_the_language_of_the_mail(
    german: None, alice: User, german_browser: Client
) -> None:
    for language, browser in (("de", Client()), ("en", german_browser)):
        User.objects.update(language=language)
        page = browser.get(urlsplit(unsubscribe_url(alice)).path)
        assert page.status_code == 200
        assert language_in(page) == page.headers["Content-Language"] == language


def test_a_text_for_a_person_leaks_no_language(german: None, alice: User) -> None:
    alice.language = "de"
    with as_read_by(alice):
        assert django_translation.gettext("Profile") == "Profil"
        with as_read_by(None):
            assert django_translation.gettext("Profile") == "Profile"
    assert django_translation.gettext("Profile") == "Profile"
