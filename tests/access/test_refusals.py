"""Every refused form tells its sender the reason."""

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
"""A sanction for each of the walkers "player" (Bob) and "other player" (Carol)."""

LOG_IN = "Nothing was saved. Log in, then try again."
BEFORE = "http://testserver/rules/"
"""The address that requests give as the page with the form, in the header Referer."""

ERROR_PAGE = "beside-drawing is-kept"
"""Markup of the pages that show only an error, such as 404."""
BUSY = ("shipyard/suggest/", "shipyard/{draft_id}/tunnel/")
"""The pages that leave out their forms, because the world's computers are already searching and flying."""
ERRORS_OF_FIELDS = r'class="[^"]*field-errors'

FOR_PEOPLE = "You need an account for this"
SAID = re.compile(
    r'<(?:p|ul|div)[^>]*(?:role="alert"|class="[^"]*(?:message-error|field-error|errorlist|lead)[^"]*")[^>]*>(.*?)</(?:p|ul|div)>',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def sanctioned(walker: Walker) -> Walker:
    """Mute Bob and suspend Carol, for all tests of this module."""
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
    """Yield each form as a row of the access table, once for each state of a game to test it in.

    Only a muted player needs all states. All other senders are refused before the game is read.
    """
    for row in rows():
        if row.method == "POST" and not row.address.startswith("api/"):
            every = GAME in row.address and who == "player"
            for situation in PUBLIC if every else about(row):
                yield row, situation


def text_of(answer: Any) -> str:
    content = answer.content.decode(errors="replace")
    if answer.headers["Content-Type"].startswith("application/json"):
        return str(json.loads(content).get("detail", ""))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", content)).split())


def says_why(answer: Any, details: list[str]) -> bool:
    """Return whether a response shows one of the given reasons, or by default any reason."""
    text = text_of(answer)
    if details:
        return any(" ".join(detail.split()).casefold() in text.casefold() for detail in details)
    if answer.headers["Content-Type"].startswith("application/json"):
        return bool(text)
    return any(re.sub(r"<[^>]*>", "", said).strip() for said in SAID.findall(answer.content.decode()))


def flaws_of_summary(page: str, address: str) -> list[str]:
    """Return the missing parts of a page with a refused form: focused summary, links or title."""
    if ERROR_PAGE in page:
        return []  # the page itself is the error, and its heading says so
    opening = re.search(r"<[^>]* autofocus data-errors[^>]*>", page)
    flaws = [] if opening and re.search('tabindex="-1"|<input', opening[0]) else ["a focused summary"]
    if not re.search(r"<title>Error: \S", page):
        flaws.append("a title with “Error:”")
    if address in BUSY:
        return flaws
    links = re.findall(r'href="#([^"]*)"', page[opening.end() :].partition("</ul>")[0]) if opening else []
    return flaws + [f"an element #{link}" for link in links if f'id="{link}"' not in page]


@pytest.mark.parametrize("who", ["stranger", "player"])
def test_each_refused_form_moves_the_focus_to_a_summary(walker: Walker, who: str) -> None:
    wrong, summaries = [], 0
    for row in rows():
        if row.method != "POST" or row.address.startswith("api/"):
            continue
        situation = about(row)[0]
        asked = request_for(walker.world, who, "POST", row.address, situation)
        client = Client(raise_request_exception=False)
        if key := walker._sessions.get(who):
            client.cookies[settings.SESSION_COOKIE_NAME] = key
        for body in ({}, dict.fromkeys(asked.body or {}, "\0") | {"begin": "import"}):
            with undone():
                answer = client.post(asked.path, body)
                content = answer.content.decode(errors="replace")
            if answer.status_code < 400 and not re.search(ERRORS_OF_FIELDS, content):
                continue
            if answer.status_code != 404 and "<body" in content:
                summaries += ERROR_PAGE not in content
                wrong += [f"{row}: {who} lacks {flaw}" for flaw in flaws_of_summary(content, row.address)]
    assert summaries > {"stranger": 3, "player": 20}[who]
    assert not wrong, "\n".join(wrong)


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
    """Return all sentences of a service error. A page must show at least one."""
    return [error.detail, *(problem["detail"] for problem in error.problems)]
