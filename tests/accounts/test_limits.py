"""Rate limits, and the time to wait that a refusal names."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from accounts import limits
from accounts.limits import Limit, consume, requester_of
from accounts.models import User
from roborunner.cache import SharedCache
from tests.support.accounts import PASSWORD

pytestmark = pytest.mark.django_db

THREE = Limit("three", 3, 60)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2026-06-01T12:00:00Z", tick=False) as clock:
        yield clock


def lower_limit(monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    """Lower a rate limit to ``most``, and count no response as slow."""
    monkeypatch.setattr(limits, "SLOW_SECONDS", 60)
    monkeypatch.setattr(limits, name, replace(getattr(limits, name), most=most))


def test_the_limit_is_reached_and_lifted_after_a_while(clock: time_machine.Traveller) -> None:
    clock.shift(20)
    assert [consume(THREE, "Alice") for _ in range(5)] == [0, 0, 0, 40, 40]
    assert consume(THREE, "Bob") == 0
    assert consume(replace(THREE, name="another"), "Alice") == 0
    clock.shift(39)
    assert consume(THREE, "Alice") == 1
    clock.shift(1)
    assert consume(THREE, "Alice") == 0


def test_it_counts_without_redis_too(clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "cache", SharedCache("redis://127.0.0.1:1/2", {}))
    assert [consume(THREE, "Alice") for _ in range(4)] == [0, 0, 0, 60]


def test_accounts_are_counted_separately_and_strangers_by_address(alice: User) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7", headers={"X-Forwarded-For": "198.51.100.1"})
    request.user = alice
    assert requester_of(request) == f"person:{alice.pk}"
    stranger = Client().get("/accounts/login/", REMOTE_ADDR="192.0.2.7").wsgi_request
    assert requester_of(stranger) == "address:192.0.2.7", "nobody chooses their own address"


def test_one_ipv6_network_counts_as_one_address() -> None:
    asked = [
        Client().get("/accounts/login/", REMOTE_ADDR=address).wsgi_request
        for address in ("2001:db8:1:2::7", "2001:db8:1:2:3:4:5:6")
    ]
    assert requester_of(asked[0]) == requester_of(asked[1])


def test_a_server_that_hides_the_address_still_answers() -> None:
    assert Client().get("/accounts/login/", REMOTE_ADDR="").status_code == 200


def test_too_many_page_requests_are_refused(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower_limit(monkeypatch, "READS", 2)
    client = Client()
    assert [client.get("/rules/").status_code for _ in range(3)] == [200, 200, 429]
    page = client.get("/rules/")
    assert b"Too many requests" in page.content
    assert page.headers["Retry-After"] == "60"
    told = client.get("/rules/", headers={"Accept": "application/json"})
    assert (told.status_code, told.json()["error"]) == (429, "too-many")
    assert Client().get("/rules/", REMOTE_ADDR="192.0.2.7").status_code == 200


@pytest.mark.parametrize("path", ["/rules/", "/api/v1/rulesets"])
def test_slow_answers_count_by_their_cost(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("accounts.middleware.thread_time", count(step=20).__next__)
    assert [Client().get(path).status_code for _ in range(3)] == [200, 200, 429]


def test_too_many_requests_of_strangers_are_refused(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    lower_limit(monkeypatch, "REFUSED", 2)
    wrong = {"Authorization": "Bearer robo_guess"}
    asks = [("/api/v1/me", {}), ("/api/v1/me", wrong), ("/api/v1/games", wrong), ("/api/v1/me", {})]
    answers = [Client().get(path, headers=headers) for path, headers in asks]
    assert [answer.status_code for answer in answers] == [401, 401, 429, 429]
    assert answers[-1].json()["error"] == "too-many"
    assert answers[-1].headers["Retry-After"] == "60"
    known = Client()
    known.force_login(alice)
    assert known.get("/api/v1/me").status_code == 200, "who is known goes on, from the same address"
    assert Client().get("/api/v1/me", REMOTE_ADDR="192.0.2.7").status_code == 401
    clock.shift(60)
    assert Client().get("/api/v1/me").status_code == 401


def test_guesses_at_the_metrics_token_are_limited(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    lower_limit(monkeypatch, "REFUSED", 2)
    settings.METRICS_TOKEN = "a-token-of-metrics"
    wrong = {"Authorization": "Bearer a-guess"}
    answers = [Client().get("/metrics", headers=wrong).status_code for _ in range(3)]
    assert answers == [401, 401, 429]
    right = {"Authorization": "Bearer a-token-of-metrics"}
    assert Client().get("/metrics", headers=right).status_code == 200


def test_too_many_forms_are_refused(signed_in: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    lower_limit(monkeypatch, "WRITES", 2)
    found = [signed_in.post("/settings/", {"speed": "200"}).status_code for _ in range(3)]
    assert found[-1] == 429
    assert signed_in.get("/settings/").status_code == 200


def test_too_many_accounts_from_one_address_are_refused(settings: Settings) -> None:
    assert settings.ACCOUNT_RATE_LIMITS["signup"].startswith("20/")
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "signup": "2/h/ip"}

    def sign_up(name: str) -> int:
        form = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD}
        return Client().post("/accounts/signup/", form).status_code

    assert [sign_up(f"Robot{letter}") for letter in "abc"] == [302, 302, 429]  # no two look alike
    assert User.objects.count() == 2


def test_guessing_many_names_is_limited(db: None) -> None:
    found = [
        Client().post("/accounts/login/", {"login": f"Robot{n}", "password": "guess"}).status_code
        for n in range(11)
    ]
    assert found == [200] * 10 + [429]


def test_all_processes_share_the_counts() -> None:
    assert isinstance(cache._connections[cache._alias], SharedCache)  # type: ignore[attr-defined]
