"""Pages refuse characters that the database cannot store, and never crash.

`test_any_call` checks the calls of the API.
"""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.access.requests import request_for
from tests.access.table import Row, rows
from tests.access.walking import Walker

pytestmark = pytest.mark.django_db

INVALID_TEXT = "\0abcdefgh"
"""A text with a NUL character, which the database cannot store."""


def sent(walker: Walker, row: Row) -> list[dict[str, Any]]:
    """Return copies of a valid body, each with an invalid text under one key.

    One copy has invalid texts in both ``next`` and ``reason``. Another has one only in ``do``, which decides
    whether the rest is read.
    """
    situation = "public, running" if "turns" in row.address else "public, open"
    body = request_for(walker.world, "host", row.method, row.address, situation).body or {}
    changed = [*((key,) for key in body), ("next", "reason"), ("do",)]
    return [{**body, **dict.fromkeys(keys, INVALID_TEXT)} for keys in changed]


def test_an_unstorable_character_is_refused_everywhere(walker: Walker) -> None:
    failing = []
    for row in rows():
        if row.address.startswith("api/"):
            continue
        situation = "public, running" if "turns" in row.address else "public, open"
        path = request_for(walker.world, "host", row.method, row.address, situation).path
        if row.method == "GET" and "/events" not in path:
            asked: list[tuple[str, Any]] = [(f"{path}?link=%00&q=%00&page=%00&status=%00", None)]
        else:
            asked = [(path, body) for body in sent(walker, row)]
        for address, body in asked:
            if (outcome := walker.ask("host", row.method, address, body)).word.startswith("fails"):
                failing.append(f"{row}, {body}: {outcome.status}")
    assert not failing, "\n".join(failing)


@pytest.mark.parametrize(
    "address", ["/players/{}/", "/api/v1/players/{}", "/mail/{}/", "/feeds/{}/news.atom"]
)
def test_a_name_with_such_a_character_is_not_found(walker: Walker, address: str) -> None:
    for who in ("stranger", "host", "staff"):
        outcome = walker.ask(who, "GET", address.format("a%00"))
        assert outcome.word in {"hidden", "log in"}, f"{who}: {outcome.status}"


def test_a_person_with_an_invalid_session_cookie_is_a_stranger(walker: Walker) -> None:
    browser = Client(raise_request_exception=False)
    for key in (r"\000abcdefgh", "x" * 5000, r"\303\244bcdefgh", "../../etc/passwd", "' OR 1=1 --"):
        cookie = f'{settings.SESSION_COOKIE_NAME}="{key}"'
        assert browser.get("/games/", headers={"Cookie": cookie}).status_code == 200, key
        assert browser.get("/my-room/", headers={"Cookie": cookie}).status_code == 302, key
