"""The site's own pages use the API with a session and a CSRF token."""

import json

import pytest
from django.test import Client

from accounts.models import User
from games.people.tokens import make_token
from games.play.models import Game, Program
from tests.games.api_client import ROOT, Answer
from tests.games.support import NOW


@pytest.fixture
def browser(alice: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    return client


def csrf_token(browser: Client) -> str:
    browser.get("/accounts/logout/")
    return browser.cookies["robo-runner-csrf"].value


def submit(browser: Client, game: Game, **headers: str) -> Answer:
    content = json.dumps({"heading": "N"})
    path = f"{ROOT}games/{game.pk}/turns/0/orders"
    return Answer(browser.post(path, content, content_type="application/json", headers=headers))


def test_a_session_can_read(browser: Client, duel: Game) -> None:
    answer = Answer(browser.get(f"{ROOT}games/{duel.pk}"))
    assert answer.body["me"]["seat"] == 1
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_session_can_write_with_a_csrf_token(browser: Client, duel: Game) -> None:
    assert submit(browser, duel, **{"X-CSRFToken": csrf_token(browser)}).body["me"]["submitted"]


def test_a_session_cannot_write_without_one(browser: Client, duel: Game) -> None:
    csrf_token(browser)
    for headers in ({}, {"X-CSRFToken": ""}, {"X-CSRFToken": "wrong"}):
        assert submit(browser, duel, **headers).refusal == (403, "permission-denied")
    assert not Program.objects.exists()


def test_a_token_needs_no_csrf_token(browser: Client, duel: Game, bob: User) -> None:
    token = make_token(user=bob, now=NOW)
    answer = submit(browser, duel, Authorization=f"Bearer {token}")
    assert answer.body["me"]["seat"] == 2


def test_a_wrong_token_does_not_fall_back_on_the_session(browser: Client, duel: Game) -> None:
    answer = Answer(browser.get(f"{ROOT}me", headers={"Authorization": "Bearer wrong"}))
    assert answer.refusal == (401, "unknown-token")
