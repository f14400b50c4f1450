"""The browser and network trace of each login, and how long traces are stored."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from accounts import guests
from accounts.models import Trace, User
from accounts.sessions import TRACE_LIFETIME, TRACES_PER_PASS, delete_expired_traces
from tests import cast

pytestmark = pytest.mark.django_db

HERE, NEXT_DOOR, ELSEWHERE = "2001:db8::1", "2001:db8::2", "203.0.113.9"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2026-06-01T12:00:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def alice() -> User:
    return cast.alice()


def sign_in(name: str, *, browser: Client | None = None, address: str = HERE) -> Client:
    browser = browser or Client()
    browser.defaults["REMOTE_ADDR"] = address
    answer = browser.post("/accounts/login/", {"login": name, "password": cast.password_of(name)})
    assert answer.status_code == 302
    return browser


def digests(user: User, kind: str) -> set[str]:
    return set(Trace.objects.filter(user=user, kind=kind).values_list("digest", flat=True))


def test_two_accounts_in_one_browser_leave_the_same_trace(alice: User) -> None:
    bob, carol = cast.bob(), cast.carol()
    browser = sign_in("Alice")
    browser.post("/accounts/logout/")
    sign_in("Bob", browser=browser, address=ELSEWHERE)
    sign_in("Carol", address=NEXT_DOOR)
    assert digests(alice, "browser") == digests(bob, "browser")
    assert digests(alice, "browser") != digests(carol, "browser")
    assert digests(alice, "network") == digests(carol, "network"), "one half of IPv6 is one network"
    assert digests(alice, "network") != digests(bob, "network")


def test_a_trace_reveals_neither_the_number_nor_the_address(alice: User) -> None:
    browser = sign_in("Alice")
    number = browser.cookies[settings.BROWSER_COOKIE_NAME].value
    for trace in Trace.objects.all():
        assert len(trace.digest) == 64 and number not in trace.digest and HERE not in trace.digest


def test_the_cookie_is_http_only_and_lasts_as_long_as_traces(alice: User) -> None:
    cookie = sign_in("Alice").cookies[settings.BROWSER_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 30 * 86_400)
    stranger = Client()
    stranger.get("/")
    assert settings.BROWSER_COOKIE_NAME not in stranger.cookies


def test_a_forged_number_is_replaced(alice: User) -> None:
    for forged in ("", "../../etc", "a" * 5000, "é" * 22):
        browser = Client()
        browser.cookies[settings.BROWSER_COOKIE_NAME] = forged
        sign_in("Alice", browser=browser)
        assert len(browser.cookies[settings.BROWSER_COOKIE_NAME].value) == 22


def test_a_trace_is_recorded_at_most_once_an_hour(alice: User, clock: time_machine.Traveller) -> None:
    browser = sign_in("Alice")
    for minutes, seen in ((30, 0), (31, 61)):
        clock.shift(timedelta(minutes=minutes))
        browser.get("/settings/profile/")
        lasts = {trace.last_at - trace.first_at for trace in Trace.objects.all()}
        assert lasts == {timedelta(minutes=seen)}
    assert Trace.objects.count() == 2


def test_guests_and_servers_that_hide_addresses_leave_no_trace(alice: User) -> None:
    browser = Client()
    browser.force_login(guests.make_guest())
    browser.get("/")
    assert not Trace.objects.exists()
    sign_in("Alice", address="")
    assert {trace.kind for trace in Trace.objects.all()} == {"browser"}


def test_traces_are_deleted_after_thirty_days(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    for days in (0, 29, 30, 400):
        at = now - timedelta(days=days)
        Trace.objects.create(user=alice, kind="browser", digest=f"{days}", first_at=at, last_at=at)
    assert (TRACE_LIFETIME, delete_expired_traces(now=now), TRACES_PER_PASS >= 1000) == (
        timedelta(days=30),
        2,
        True,
    )
    assert digests(alice, "browser") == {"0", "29"}
