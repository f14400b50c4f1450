"""Send requests as any person, undo their changes, and classify the outcome."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin
from django.db import connection, transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from games.play.pages.streams import Admission
from games.play.progress import first_events
from games.web.reference import openapi
from roborunner.operations import probes
from tests.access.world import WALKERS, World
from tests.support.streams import admit

STREAMS = ("games/{game_id}/events/", "api/v1/games/{game_id}/events")
"""Event streams. They are served outside Django, so its URLs do not list them."""

NOWHERE = 999_999_999
"""The ID of a game that does not exist."""

MILLIONS = count(1_000_000, 1_000_000)
"""First row IDs for the two worlds of each test, higher than all earlier IDs."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

LOGIN = re.compile(r"/(accounts|admin)/login/")
WRITES = re.compile(r'^(INSERT INTO|UPDATE|DELETE FROM) "(?!django_session")')


@dataclass(frozen=True)
class Outcome:
    """A response: its word in the table, its status, and the SQL that changed data.

    Changes to sessions are left out. ``questions`` is the number of database queries.
    """

    word: str
    status: int
    changes: tuple[str, ...]
    body: bytes
    location: str
    headers: tuple[tuple[str, str], ...] = ()
    questions: int = 0

    def without(self, number: str) -> tuple[int, str, str]:
        """Return the status, body and location without random values and the given game's ID."""
        body = re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', r"\1", self.body.decode())
        number = rf"games(/|%2F)(?:{number}|{NOWHERE})\b"
        return self.status, re.sub(number, r"games\1…", body), re.sub(number, r"games\1…", self.location)


def addresses() -> list[str]:
    """Return every address of the site, written as in the table."""
    found = dict.fromkeys(_routes(get_resolver(), ""))
    in_front = [*STREAMS, *(address.lstrip("/") for address in probes.PROBES)]
    return [*found, *(address for address in in_front if address not in found)]


def operations() -> dict[str, set[str]]:
    """Return the methods of each API path in the OpenAPI document."""
    return {
        path.lstrip("/"): {method.upper() for method in methods}
        for path, methods in openapi()["paths"].items()
    }


def _routes(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + _plain(str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        elif isinstance(pattern, URLPattern):
            yield route.rstrip("/") if route.startswith("api/v1/") else route


def _plain(route: str) -> str:
    route = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"{\1}", route)
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route).strip("^$")


class Walker:
    """Clients in every role. The changes of each request are undone."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sessions: dict[str, str] = {}
        self._client = Client(raise_request_exception=False)
        for role, name in WALKERS.items():
            if name is not None:
                self._sessions[role] = _session_of(world.people[name])

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Outcome:
        """Send a request. The body is JSON for the API, and form data for pages."""
        plain, _, query = path.partition("?")
        self._client.cookies.clear()
        if who in self._sessions:
            self._client.cookies[settings.SESSION_COOKIE_NAME] = self._sessions[who]
        with undone(), CaptureQueriesContext(connection) as queries:
            if method == "GET" and plain.rstrip("/").endswith("/events"):
                return self._of_stream(who, plain, query)
            api = plain.startswith("/api/")
            if api:
                sent: dict[str, Any] = {"content_type": "application/json"}
                sent["data"] = json.dumps(body) if body is not None else ""
            else:
                sent = {"data": body or {}} if method == "POST" else {}
            sent["QUERY_STRING"] = query
            if method == "GET":
                sent = {"QUERY_STRING": query}
            sent["headers"] = {"X-Request-ID": "one-request"}
            if method == "PUT":
                sent["headers"]["If-Match"] = '"1"'
            answer = getattr(self._client, method.lower())(plain, **sent)
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        changes = tuple(each["sql"] for each in queries if WRITES.match(each["sql"]))
        cookies = [("Set-Cookie", cookie.OutputString()) for cookie in answer.cookies.values()]
        return Outcome(
            _word(answer),
            answer.status_code,
            changes,
            content,
            answer.headers.get("Location", ""),
            (*answer.headers.items(), *cookies),
            len(queries),
        )

    def rows_of_admin(self) -> Iterator[tuple[str, Model | None]]:
        """Yield each model's address in the admin, with one row of the model."""
        for model in admin.site._registry:
            yield f"admin/{model._meta.app_label}/{model._meta.model_name}/", model._default_manager.first()

    def paths_of_admin(self) -> Iterator[str]:
        """Yield all paths of the admin, with IDs of existing rows."""
        rows = dict(self.rows_of_admin())
        for address in addresses():
            if address.startswith("admin/"):
                row = next((row for path, row in rows.items() if address.startswith(path)), None)
                values = {**self.world.values, "object_id": row.pk if row else 1, "number": 1}
                yield "/" + address.format_map(values)

    def _of_stream(self, who: str, path: str, query: str) -> Outcome:
        cookie = f"{settings.SESSION_COOKIE_NAME}={self._sessions.get(who, '')}"
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "headers": [(b"cookie", cookie.encode()), (b"host", b"testserver")],
        }
        game_id = int(path.rstrip("/").split("/")[-2])
        got = admit(scope, game_id=game_id, signed_in=path.startswith("/api/"))
        if isinstance(got, Admission):
            told = [str(news) for news in first_events(got.read, got.state)]
            return Outcome("yes", 200, (), "\n".join(told).encode(), "")
        return Outcome(_of_status(got.status), got.status, (), got.body, "")


def _session_of(person: User) -> str:
    """Log a person in with a fresh reauthentication. Return the session key."""
    client = Client(REMOTE_ADDR="127.0.0.1")
    client.force_login(person)
    session = client.session
    if not person.is_guest:
        request = HttpRequest()
        request.session = session
        record_authentication(request, person, "password", reauthenticated=True)
        session.save()
        UserSession.objects.create(user=person, ip="127.0.0.1", session_key=session.session_key)
    return str(session.session_key)


def number_rows_from(first: int) -> None:
    """Make the IDs of new rows in every table start at ``first``."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, %s) FROM pg_sequences",
            [first],
        )


@contextmanager
def undone() -> Iterator[None]:
    """Undo all writes of the block."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with atomic:
        yield
        transaction.set_rollback(True)


def _word(answer: HttpResponseBase) -> str:
    location = answer.headers.get("Location", "")
    if answer.status_code == 302 and LOGIN.match(location):
        return "log in"
    return _of_status(answer.status_code)


def _of_status(status: int) -> str:
    words = {401: "log in", 403: "no", 404: "hidden", 405: "never"}
    if status in words:
        return words[status]
    if status >= 500 and status != 503:  # /readyz answers this to report problems
        return f"fails ({status})"
    return "yes" if status < 400 or status == 503 else "in vain"
