"""Every refused form gives a reason to everyone."""

import html
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games.errors import ServiceError
from games.moderation.models import Case, Sanction
from tests.access.requests import request_for
from tests.access.table import Row, rows
from tests.access.test_walk import GAME, PUBLIC, about
from tests.access.walking import LOGIN, Walker, undone
from tests.games.support import NOW

pytestmark = pytest.mark.django_db

SENDERS = ("stranger", "guest", "player", "other player")

SANCTIONS = {"Bob": "mute", "Carol": "suspension"}
"""Sanctions of the player and the other player."""

LOG_IN = "Nothing was saved. Log in, then try again."
BEFORE = "http://testserver/rules/"
"""The page with the form."""

FOR_PEOPLE = "You need an account for this"
SAID = re.compile(
    r'<(?:p|ul|div)[^>]*(?:role="alert"|class="[^"]*(?:message-error|field-error|errorlist|lead)[^"]*")[^>]*>(.*?)</(?:p|ul|div)>',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def sanctioned(walker: Walker) -> Walker:
    """The world, with the sanctions decided."""
    people = walker.world.people
    for name, kind in SANCTIONS.items():
        person = people[name]
        case = Case.objects.create(person=person, status="decided", opened_at=NOW, decided_at=NOW)
        Sanction.objects.create(
            case=case,
            user=person,
            kind=kind,
            rule="polite",
            facts="A test.",
            by=people["Erin"],
            at=NOW,
            days=7,
            ends_at=NOW + timedelta(days=7),
        )
    return walker


def forms(who: str) -> Iterator[tuple[Row, str]]:
    """Yield each address that takes a form, in each situation of a game.

    One situation is enough except for the muted player: the others are refused before the game is read.
    """
    for row in rows():
        if row.method == "POST" and not row.address.startswith("api/"):
            every = GAME in row.address and who == "player"
            for situation in PUBLIC if every else about(row):
                yield row, situation


def text_of(answer: Any) -> str:
    """Return the visible text of an answer."""
    content = answer.content.decode(errors="replace")
    if answer.headers["Content-Type"].startswith("application/json"):
        return str(json.loads(content).get("detail", ""))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", content)).split())


def says_why(answer: Any, details: list[str]) -> bool:
    """Return whether an answer gives one of these reasons, by default any text."""
    text = text_of(answer)
    if details:
        return any(" ".join(detail.split()).casefold() in text.casefold() for detail in details)
    if answer.headers["Content-Type"].startswith("application/json"):
        return bool(text)
    return any(re.sub(r"<[^>]*>", "", said).strip() for said in SAID.findall(answer.content.decode()))


@pytest.mark.parametrize("who", SENDERS)
def test_each_refused_form_gives_a_reason(
    sanctioned: Walker, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[ServiceError] = []
    make = ServiceError.__init__

    def noted(self: ServiceError, *given: Any, **more: Any) -> None:
        make(self, *given, **more)
        raised.append(self)

    monkeypatch.setattr(ServiceError, "__init__", noted)
    wrong, refused = [], 0
    ways_back: dict[str, int] = {}
    for row, situation in forms(who):
        asked = request_for(sanctioned.world, who, "POST", row.address, situation)
        client = Client(raise_request_exception=False)
        if key := sanctioned._sessions.get(who):
            client.cookies[settings.SESSION_COOKIE_NAME] = key
        raised.clear()
        with undone():
            answer: Any = client.post(asked.path, asked.body or {}, headers={"Referer": BEFORE})
            location = answer.headers.get("Location", "")
            asks_to_log_in = LOGIN.match(location) and "next=" in location
            if answer.status_code < 400 and not asks_to_log_in and not raised:
                continue
            refused += 1
            details = [reasons(error) for error in raised]
            if location:
                details = [[LOG_IN]] if asks_to_log_in else details
                answer = client.get(location)
            elif who == "guest" and FOR_PEOPLE in text_of(answer):
                details = []
            where = f"{row} ({situation or 'anywhere'}): {who} gets {answer.status_code}"
            if not any(says_why(answer, each) for each in details or [[]]):
                wrong.append(f"{where} without {details or 'a sentence'}")
            for there in re.findall(r'name="next" value="([^"]*)"', answer.content.decode()):
                if there not in ways_back:
                    ways_back[there] = client.get(html.unescape(there)).status_code
                if ways_back[there] == 405:
                    wrong.append(f"{where}, and a way back to {there}, which is none")
    assert refused > 20
    assert not wrong, "\n".join(wrong)


def reasons(error: ServiceError) -> list[str]:
    """Return the sentences of a refusal. Any of them is reason enough."""
    return [error.detail, *(problem["detail"] for problem in error.problems)]
