"""Sessions: their lifetime, and how to end a session from another browser."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import guests, sessions
from accounts.models import User
from games.clocks import machine_clock
from roborunner.streams import Refusal
from tests.support.accounts import PASSWORD
from tests.support.streams import admit

pytestmark = pytest.mark.django_db

PAGE = "/accounts/sessions/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """A clock that stands still, for this process and the database."""
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    with time_machine.travel("2026-06-01T12:00:00Z", tick=False) as clock:
        yield clock


def sign_in(**headers: str) -> Client:
    browser = Client(headers=headers)
    assert (
        browser.post("/accounts/login/", {"login": "Alice", "password": PASSWORD}).headers["Location"] == "/"
    )
    return browser


def is_in(browser: Client) -> bool:
    return browser.get("/settings/profile/").status_code == 200


def confirmed(browser: Client, path: str) -> HttpResponse:
    """Post to a page, and confirm the password when the site asks."""
    asked = browser.post(path)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    return browser.post(asked.headers["Location"], {"password": PASSWORD, "next": path}, follow=True)


def test_a_session_lasts_while_it_is_used(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in()
    for _ in range(6):
        clock.shift(timedelta(days=13))
        assert is_in(browser)


def test_an_unused_session_ends(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in()
    clock.shift(timedelta(seconds=settings.SESSION_COOKIE_AGE + 1))
    assert not is_in(browser)


def test_a_session_ends_even_if_it_is_used(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in()
    for _ in range(9):
        clock.shift(timedelta(days=10))
        assert is_in(browser)
    clock.shift(timedelta(seconds=1))
    assert not is_in(browser)
    assert not Session.objects.filter(session_key=browser.session.session_key).exists()


def test_an_expired_session_gets_no_stream(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in()
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.session.session_key}".encode()
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/v1/games/1/events",
        "query_string": b"",
        "headers": [(b"cookie", cookie), (b"host", b"testserver")],
    }

    def status() -> int:
        answer = admit(scope, game_id=1, signed_in=True)
        assert isinstance(answer, Refusal)
        return answer.status

    assert status() == 404, "there is no such game, as one who is logged in may know"
    session = browser.session
    session[sessions.LOGIN_TIME_KEY] -= sessions.MAX_LOGIN_AGE + 1
    session.save()
    assert status() == 401


def test_the_use_of_a_session_is_recorded_once_an_hour(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in()
    began = UserSession.objects.get().last_seen_at
    clock.shift(timedelta(minutes=59))
    is_in(browser)
    assert UserSession.objects.get().last_seen_at == began
    clock.shift(timedelta(minutes=2))
    is_in(browser)
    assert UserSession.objects.get().last_seen_at == began + timedelta(minutes=61)


def test_a_guest_is_not_logged_out_after_a_long_time(db: None, clock: time_machine.Traveller) -> None:
    guest = guests.make_guest()
    browser = Client()
    browser.force_login(guest)
    for _ in range(10):
        clock.shift(timedelta(days=10))
        browser.get("/missions/")
    assert browser.get("/").wsgi_request.user == guest
    assert not UserSession.objects.exists()


def test_logging_in_changes_the_key_of_the_session(alice: User, client: Client) -> None:
    client.get("/accounts/login/")
    session = client.session
    session["anything"] = 1
    session.save()
    before = session.session_key
    client.cookies[settings.SESSION_COOKIE_NAME] = before
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_the_page_lists_a_person_s_sessions(alice: User) -> None:
    sign_in(user_agent="curl/8.9")
    page = sign_in(user_agent=FIREFOX).get(PAGE).content.decode()
    assert "Firefox on Linux" in page
    assert "Unknown browser" in page
    assert page.index("Firefox on Linux") < page.index("Unknown browser"), "where one looks from comes first"
    assert page.count("this browser") == 1


def test_a_session_is_ended_from_another_browser(alice: User) -> None:
    there, here = sign_in(), sign_in()
    number = UserSession.objects.get(session_key=there.session.session_key).pk
    confirmed(here, f"/accounts/sessions/{number}/end/")
    assert (is_in(there), is_in(here)) == (False, True)


def test_all_other_sessions_are_ended_at_once(alice: User) -> None:
    others, here = [sign_in(), sign_in()], sign_in()
    page = confirmed(here, PAGE)
    assert b"You are logged out everywhere else." in page.content
    assert not any(is_in(each) for each in others)
    assert is_in(here)
    assert UserSession.objects.count() == 1


def test_no_one_ends_the_sessions_of_others(alice: User) -> None:
    there = sign_in()
    number = UserSession.objects.get().pk
    User.objects.create_user("Bob", "bob@example.org", PASSWORD).confirm_email()
    bob = Client()
    bob.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    path = f"/accounts/sessions/{number}/end/"
    bob.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/"})
    assert bob.post(path).status_code == 404
    assert is_in(there)


def test_it_requires_a_button(alice: User) -> None:
    there, here = sign_in(), sign_in()
    number = UserSession.objects.get(session_key=there.session.session_key).pk
    here.get(f"/accounts/sessions/{number}/end/")
    assert is_in(there)


def test_a_new_password_ends_all_other_sessions(alice: User) -> None:
    there, here = sign_in(), sign_in()
    form = {"oldpassword": PASSWORD, "password1": "quite-another-7", "password2": "quite-another-7"}
    here.post("/accounts/password/change/", form)
    assert (is_in(there), is_in(here)) == (False, True)


def test_staff_log_a_player_out(alice: User) -> None:
    there = sign_in()
    staff = Client()
    staff.force_login(User.objects.create_superuser("Erin", "erin@example.org", PASSWORD))
    number = UserSession.objects.get().pk
    staff.post(f"/admin/usersessions/usersession/{number}/delete/", {"post": "yes"})
    assert not is_in(there)
