"""A browser shows a player's notifications only until they log out in it."""

from collections.abc import Callable

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.models import User
from games.news.models import Device
from tests.cast import password_of
from tests.games.news.channels.browser.test_pages import PATH, subscription as subscription

pytestmark = pytest.mark.django_db

NEW = "another-sentence-7"


def browser_of(user: User, agent: str = "Firefox/142.0 (X11; Linux)", client: Client | None = None) -> Client:
    """Log the given user in, and return the client."""
    browser = client or Client(headers={"User-Agent": agent})
    login = {"login": user.robo_name, "password": password_of(user.robo_name)}
    assert browser.post("/accounts/login/", login).status_code == 302
    return browser


@pytest.fixture
def shows(subscription: dict[str, str]) -> Callable[[Client], str]:
    """A function that turns on notifications in a client, and returns their address."""

    def show(browser: Client) -> str:
        endpoint = f"https://push.example.org/{Device.objects.count()}"
        assert browser.post(PATH, subscription | {"endpoint": endpoint}).status_code == 302
        return endpoint

    return show


def showing() -> set[str]:
    return set(Device.objects.values_list("endpoint", flat=True))


def test_logging_out_ends_notifications_only_in_that_browser(
    alice: User, shows: Callable[[Client], str]
) -> None:
    here, there = browser_of(alice), browser_of(alice)
    shows(here)
    kept = shows(there)
    here.post("/accounts/logout/")
    assert showing() == {kept}


def test_notifications_end_even_if_the_player_has_logged_in_again_since(
    alice: User, shows: Callable[[Client], str]
) -> None:
    browser = browser_of(alice)
    shows(browser)
    browser.cookies.pop("robo-runner-session")  # the session expired
    browser_of(alice, client=browser).post("/accounts/logout/")
    assert showing() == set()


def test_logging_a_browser_out_from_another_ends_its_notifications(
    alice: User, shows: Callable[[Client], str]
) -> None:
    here, there = browser_of(alice), browser_of(alice)
    kept = shows(here)
    shows(there)
    here.post("/accounts/reauthenticate/", {"password": password_of("Alice")})
    session = UserSession.objects.get(session_key=there.session.session_key)
    here.post(f"/accounts/sessions/{session.pk}/end/")
    assert showing() == {kept}


def test_a_new_password_keeps_notifications_only_in_the_current_browser(
    alice: User, shows: Callable[[Client], str]
) -> None:
    here, there = browser_of(alice), browser_of(alice)
    kept = shows(here)
    shows(there)
    here.post("/accounts/reauthenticate/", {"password": password_of("Alice")})
    here.post(
        "/accounts/password/change/",
        {"oldpassword": password_of("Alice"), "password1": NEW, "password2": NEW},
    )
    assert showing() == {kept}
    alice.refresh_from_db()
    alice.set_password("yet-another-sentence-8")
    alice.save()
    assert showing() == set(), "by staff, or a command"


def test_the_next_player_in_a_browser_gets_no_notifications_of_the_last(
    alice: User, bob: User, shows: Callable[[Client], str]
) -> None:
    browser = browser_of(alice)
    shows(browser)
    browser.cookies.pop("robo-runner-session")
    browser_of(bob, client=browser)
    assert showing() == set()


def test_pages_of_a_player_are_not_cached_for_the_back_button(alice: User) -> None:
    browser = Client()
    assert browser.get("/").headers["Cache-Control"] == "private, no-cache"
    browser.force_login(alice)
    for path in ("/", "/games/", "/settings/profile/"):
        assert "no-store" in browser.get(path).headers["Cache-Control"], path
