"""Answer health checks and crawlers. Give an ID to all other requests, and log them.

The addresses of health checks are answered before any other code sees the request. No host name is checked,
since probes call a process by its IP address. No session is read, and no page is rendered.

A query to a stopped database fails at once. But a database with a hanging disk accepts a query and never
answers. In that case, `ProbeTimeout` answers the probe in time, and reports that the database is silent.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from datetime import datetime, time, timedelta
from time import perf_counter
from typing import Any, Final, NoReturn
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseNotFound, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from roborunner.health import all_migrated, redis_answers
from roborunner.operations import log, metrics
from roborunner.operations.log import METRICS, NO_VIEW, READY, SECURITY, view_of
from roborunner.operations.metrics import METHODS, REQUEST_SECONDS, REQUESTS, service

DATABASE_SILENT = "The database does not answer."


def healthz(request: HttpRequest) -> HttpResponse:
    """Confirm that this process answers. If it does not, a supervisor may end it."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def readyz(request: HttpRequest) -> HttpResponse:
    """Report whether all parts of the service work. If not, answer 503 with the missing parts.

    During maintenance, the status is "maintenance" and the answer 200, so that proxies still show its page.
    """
    now = timezone.now()
    missing = missing_parts(now=now)
    if end := service().maintenance_until(now=now):
        return JsonResponse({"status": "maintenance", "until": end.isoformat(), "missing": missing})
    document = {"status": "not ready" if missing else "ready", "missing": missing}
    return JsonResponse(document, status=503 if missing else 200)


def not_ready() -> tuple[int, str, bytes]:
    """Return the status, content type and body of `readyz` while the database is silent."""
    document = {"status": "not ready", "missing": {"database": DATABASE_SILENT}}
    return 503, "application/json", json.dumps(document).encode()


def missing_parts(*, now: datetime) -> dict[str, str]:
    """Return the missing parts of the service, each with a sentence.

    All parts except Redis are checked by queries to the database, one after another. After the first missing
    part, the remaining parts are left out, since their state is unknown.
    """
    missing: dict[str, str] = {}
    if not redis_answers():
        missing["redis"] = "Redis does not answer."
    in_database: list[tuple[str, Callable[[], bool], str]] = [
        ("migrations", all_migrated, "The database needs migrations."),
        (
            "worker",
            lambda: service().workers_are_active(now=now),
            "No worker has reported for a while.",
        ),
    ]
    try:
        for part, is_there, sentence in in_database:
            if not is_there():
                missing[part] = sentence
                break  # the other parts are unknown
        else:
            failing = service().failing_jobs()
            if service().MAIL_JOB in failing:
                failing.remove(service().MAIL_JOB)
                missing["mail"] = "The mail server accepts no mail. See the alarms."
            if failing:
                missing["sweeper"] = f"Jobs of the sweeper fail: {', '.join(failing)}. See the alarms."
    except DatabaseError:
        missing["database"] = DATABASE_SILENT
    return missing


SECURITY_TXT_LIFETIME: Final = timedelta(days=180)
"""The validity of security.txt. RFC 9116 recommends less than a year."""


def security_page(request: HttpRequest) -> HttpResponse:
    """Answer with security.txt, or with 404 if the settings have no contact."""
    if not settings.SECURITY_CONTACT:
        return HttpResponseNotFound(
            _("This site has no contact for security reports.\n"), content_type="text/plain"
        )
    text = security_txt(now=timezone.now())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def security_txt(*, now: datetime) -> str:
    """Return the text of security.txt. The text expires `SECURITY_TXT_LIFETIME` after today."""
    expires = datetime.combine((now + SECURITY_TXT_LIFETIME).date(), time(), now.tzinfo)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.BASE_URL}{SECURITY}",
    ]
    return "\n".join(lines) + "\n"


DISALLOWED_PATHS: Final = (
    "/accounts/",
    "/admin/",
    "/api/",
    "/my-room/",
    "/settings/",
    "/unsubscribe/",
    "/*?",
)
"""Paths closed to search engines: personal pages, and endless lists with filters."""


def robots_page(request: HttpRequest) -> HttpResponse:
    """Answer with robots.txt. Pages at secret addresses have a header against crawlers instead.

    Programs that respect this file may still ask for oEmbed documents, whose addresses have a query.
    """
    lines = ["User-agent: *", "Allow: /oembed/", *(f"Disallow: {start}" for start in DISALLOWED_PATHS)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


logger = logging.getLogger("roborunner.requests")

Answer = Callable[[HttpRequest], HttpResponse]

PROBES: dict[str, Answer] = {
    log.HEALTH: healthz,
    log.READY: readyz,
    log.METRICS: metrics.metrics_page,
    log.SECURITY: security_page,
    log.ROBOTS: robots_page,
}

REQUEST_ID_HEADER = "X-Request-ID"
"""The header with the ID of a request. A server in front may set it, and all answers have it."""

NUMBER_PATTERN = re.compile(r"[0-9A-Za-z-]{8,64}", re.ASCII)


class ProbeMiddleware:
    """Answers the paths in `PROBES`. Gives an ID to every other request, and counts and logs it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._arguments = service().ARGUMENTS

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if answer := PROBES.get(request.path_info):
            return _answered(request, answer)
        begun = perf_counter()
        given = request.headers.get(REQUEST_ID_HEADER, "")
        number = given if NUMBER_PATTERN.fullmatch(given) else uuid4().hex
        with log.log_facts(request=number):
            response = self._get_response(request)
            seconds = perf_counter() - begun
            view, method, status = view_of(request), request.method or "", response.status_code
            if view != NO_VIEW or status >= 400:  # otherwise it is a static file
                facts = {"view": view, "method": method, "status": status, "ms": round(1000 * seconds)}
                logger.info("answered", extra=facts)
        REQUESTS.labels(view, method if method in METHODS else "other", status).inc()
        REQUEST_SECONDS.labels(view).observe(seconds)
        response[REQUEST_ID_HEADER] = number
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]) -> None:
        """Add the IDs in a request's address to the facts in the log."""
        named = {name: kwargs.get(argument) for argument, name in self._arguments.items()}
        log.note_facts(**{name: number for name, number in named.items() if isinstance(number, int)})


def _answered(request: HttpRequest, answer: Answer) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    response = answer(request)
    response["Cache-Control"] = "no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response


Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Application = Callable[[Any, Any, Any], Awaitable[None]]
Substitute = Callable[[str], tuple[int, str, bytes]]

ANSWER_SECONDS: Final = 4.0
"""Seconds to wait for the application's answer to a probe. Monitors wait a little longer."""

RECHECK_PAUSE: Final = 15.0
"""Seconds before a silent database is queried again, to save connections."""

SUBSTITUTES: Final[dict[str, Substitute]] = {
    READY: lambda authorization: not_ready(),
    METRICS: metrics.metrics_without_database,
}
"""The functions to answer requests while the database is silent, by path.

Each function gets the authorization header of the request, and returns the status, content type and body.
"""


class ProbeTimeout:
    """Limits the time to answer the paths in `SUBSTITUTES`."""

    def __init__(
        self, application: Application, *, seconds: float = ANSWER_SECONDS, pause: float = RECHECK_PAUSE
    ) -> None:
        self._application = application
        self._seconds, self._pause = seconds, pause
        self._late: set[asyncio.Task[list[Message]]] = set()
        self._asked_again_at = 0.0

    async def __call__(self, scope: Scope, receive: Any, send: Callable[[Message], Awaitable[None]]) -> None:
        if scope["type"] != "http" or scope["path"] not in SUBSTITUTES:
            await self._application(scope, receive, send)
            return
        for message in await self._answer(scope) or _instead(scope):
            await send(message)

    async def _answer(self, scope: Scope) -> list[Message] | None:
        """Return the application's answer to a probe, or None if the answer takes too long."""
        now = asyncio.get_running_loop().time
        if self._late and now() < self._asked_again_at:
            return None
        asked = asyncio.create_task(self._heard(scope))
        await asyncio.wait({asked}, timeout=self._seconds)
        if asked.done():
            return asked.result()
        self._asked_again_at = now() + self._pause
        self._late.add(asked)
        asked.add_done_callback(self._came)
        return None

    def _came(self, asked: asyncio.Task[list[Message]]) -> None:
        self._late.discard(asked)
        if not asked.cancelled():
            asked.exception()  # retrieve the exception; no request waits for it

    async def _heard(self, scope: Scope) -> list[Message]:
        requests = [{"type": "http.request", "body": b"", "more_body": False}]
        answer: list[Message] = []

        async def receive() -> Message:
            return requests.pop() if requests else await _for_ever()

        async def send(message: Message) -> None:
            answer.append(message)

        await self._application(scope, receive, send)
        return answer


async def _for_ever() -> NoReturn:
    """Wait for ever, as if the sender of the probe never disconnected."""
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


def _instead(scope: Scope) -> list[Message]:
    shown = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    status, kind, body = SUBSTITUTES[scope["path"]](shown)
    headers = {
        "content-type": kind,
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return [
        {"type": "http.response.start", "status": status, "headers": pairs},
        {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body},
    ]
