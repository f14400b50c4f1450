"""Security headers: they restrict how browsers may use responses."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from games.play.pages.streams import GameStreams
from roborunner.middleware import outer_headers
from roborunner.server import Application, BodyLimit, Message
from roborunner.streams import Streams
from tests import cast
from tests.games.support import HALL
from tests.support import middleware

PROJECT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.django_db

PATHS = [
    *("/", "/rules/", "/accounts/login/", "/nowhere/", "/static/site/base.css"),
    *("/api/v1/schema", "/api/v1/games", "/healthz"),
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_restricting_headers(path: str) -> None:
    headers = Client().get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "publickey-credentials-get=(self)" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/nowhere/", "/admin/login/"])
def test_pages_are_isolated(path: str) -> None:
    headers = Client().get(path).headers
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("way", ["PUT", "TRACE", "BREW"])
def test_a_page_refused_for_its_method_is_isolated(way: str) -> None:
    answer = Client().generic(way, "/games/")
    assert answer.status_code == 405
    assert {name: answer.headers.get(name) for name in KEPT} == KEPT
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


KEPT = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def first_of(application: Application, method: str, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    """Send a request to an ASGI application. Return the status and headers."""
    got: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        got.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": raw}
    asyncio.run(application(scope, receive, send))
    return got[0]["status"], {name.decode(): value.decode() for name, value in got[0]["headers"]}


@pytest.mark.parametrize("path", ["/games/", "/api/v1/tokens"])
def test_refusals_in_front_of_the_pages_are_isolated(path: str) -> None:
    async def pages(*given: object) -> None:
        raise AssertionError("it is not handed on")

    status, headers = first_of(BodyLimit(pages), "POST", path, content_length="999999999")
    assert status == 413
    assert {name: headers.get(name.lower()) for name in KEPT} == KEPT
    assert "default-src 'self'" in headers["content-security-policy"]


def test_a_stream_is_isolated() -> None:
    async def pages(*given: object) -> None:
        raise AssertionError("it is not handed on")

    status, headers = first_of(Streams(pages, GameStreams()), "POST", "/games/1/events/")
    assert status == 405
    assert {name: headers.get(name.lower()) for name in KEPT} == KEPT


def test_scripts_of_other_sites_cannot_read_files(settings: Settings) -> None:
    settings.MIDDLEWARE = middleware.WHOLE
    answer = Client(headers={"Origin": "https://elsewhere.example"}).get("/static/site/base.css")
    assert answer.status_code == 200
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_answers_in_front_of_the_pages_require_tls_as_well(settings: Settings) -> None:
    settings.SECURE_HSTS_SECONDS = 31536000
    assert outer_headers()["strict-transport-security"] == "max-age=31536000"


def test_pages_are_not_cached() -> None:
    browser = Client()
    browser.force_login(cast.alice())
    for path in ("/", "/my-room/", "/settings/profile/", "/accounts/2fa/"):
        kept = browser.get(path).headers["Cache-Control"]
        assert "no-store" in kept or "no-cache" in kept, path
        assert "public" not in kept, path


def test_a_permanent_picture_may_be_cached() -> None:
    revision = HALL.saved().current
    assert revision
    path = f"/starships/drawings/{revision.pk}-dark.svg"
    assert "max-age" in Client().get(path).headers["Cache-Control"]


def test_only_the_server_reads_cookies(db: None) -> None:
    cast.alice()
    browser = Client()
    browser.post("/accounts/login/", {"login": "Alice", "password": cast.password_of("Alice")})
    session = browser.cookies["robo-runner-session"]
    assert session["httponly"] and session["samesite"] == "Lax"
    browser.get("/accounts/password/change/")
    assert browser.cookies["robo-runner-csrf"]["httponly"]
    assert User.objects.count() == 1


def test_all_cookies_have_our_name_and_are_in_the_privacy_notice() -> None:
    cast.alice()
    browser = Client()
    assert browser.post("/settings/profile/").status_code == 302, "log in first, says a message"
    browser.get("/accounts/login/")
    browser.post("/accounts/login/", {"login": "Alice", "password": cast.password_of("Alice")})
    names = set(browser.cookies)
    assert names == {f"robo-runner-{name}" for name in ("browser", "csrf", "messages", "session")}
    notice = browser.get("/privacy/").content.decode()
    assert [name for name in names if f"<code>{name}</code>" not in notice] == []


BY_TLS = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings
from django.test.utils import setup_test_environment
setup_test_environment()
answer = Client().get("/accounts/login/", secure=True, headers={"Host": "robo.example.org"})
print(answer.status_code, answer.headers["Strict-Transport-Security"])
print(answer.headers["Content-Security-Policy"])
for cookie in answer.cookies.values():
    print(cookie.OutputString())
print(settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE)
"""


def test_a_site_with_tls_requires_tls() -> None:
    variables = {"BASE_URL": "https://robo.example.org", "DJANGO_SETTINGS_MODULE": "roborunner.settings"}
    told = subprocess.run(
        [sys.executable, "-c", BY_TLS],
        cwd=PROJECT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert "200 max-age=31536000" in told
    assert "upgrade-insecure-requests" in told
    assert "__Host-robo-runner-csrf=" in told and "; Secure" in told and "Domain" not in told
    assert "__Host-robo-runner-session True" in told
