"""Responses of the site while the database is down or overloaded."""

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client

from games.fleet.pages import library

AWAY = [OperationalError("couldn't get a connection after 5.00 sec"), InterfaceError("it has gone")]


def visitor(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Client:

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(library, "search", fail)
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("error", AWAY)
def test_a_page_asks_to_come_back_later(db: None, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    answer = visitor(monkeypatch, error).get("/starships/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "All hands are busy" in answer.text
    assert str(error) not in answer.text


def test_a_script_gets_the_error_as_json(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = visitor(monkeypatch, AWAY[0]).get("/starships/", headers={"accept": "application/json"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"] == "unavailable"


def test_an_internal_error_is_not_hidden(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = visitor(monkeypatch, RuntimeError("ours")).get("/starships/")
    assert answer.status_code == 500
    assert "A fuse has blown" in answer.text
    assert "Retry-After" not in answer
