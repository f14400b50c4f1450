"""What those who run the service need of each request: a number and a line in the log, and meters.

Their own addresses are answered before anything else is asked of a request. No host name is checked there,
since probes call a process by its number. No session is read, and nothing of the site's pages is needed.
"""

import logging
import re
from collections.abc import Callable
from time import perf_counter
from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from roborunner.operations import (
    addresses,
    contact,
    log,
    metrics,
    probes,
    tracing,  # noqa: F401 - it listens to signals
)
from roborunner.operations.measuring import METHODS, NO_VIEW, REQUEST_SECONDS, REQUESTS, view_of
from roborunner.operations.service import service

logger = logging.getLogger("roborunner.requests")

Answer = Callable[[HttpRequest], HttpResponse]

ADDRESSES: dict[str, Answer] = {
    addresses.HEALTH: probes.healthz,
    addresses.READY: probes.readyz,
    addresses.METRICS: metrics.answer,
    addresses.SECURITY: contact.answer,
    addresses.ROBOTS: contact.robots_txt,
}

HEADER = "X-Request-ID"
"""Under this name a server in front may give a request a number; answers repeat it."""

GIVEN = re.compile(r"[0-9A-Za-z-]{8,64}", re.ASCII)


class DeskMiddleware:
    """Answers those addresses. Gives each other request a number, counts it, and logs a line for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._arguments = service().ARGUMENTS

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if answer := ADDRESSES.get(request.path_info):
            return _answered(request, answer)
        begun = perf_counter()
        given = request.headers.get(HEADER, "")
        number = given if GIVEN.fullmatch(given) else uuid4().hex
        with log.about(request=number):
            response = self._get_response(request)
            seconds = perf_counter() - begun
            view, method, status = view_of(request), request.method or "", response.status_code
            if view != NO_VIEW or status >= 400:  # else it is a static file
                facts = {"view": view, "method": method, "status": status, "ms": round(1000 * seconds)}
                logger.info("answered", extra=facts)
        REQUESTS.labels(view, method if method in METHODS else "other", status).inc()
        REQUEST_SECONDS.labels(view).observe(seconds)
        response[HEADER] = number
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]) -> None:
        """Note which rows a request is about: those that its address names."""
        named = {name: kwargs.get(argument) for argument, name in self._arguments.items()}
        log.note(**{name: number for name, number in named.items() if isinstance(number, int)})


def _answered(request: HttpRequest, answer: Answer) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    response = answer(request)
    response["Cache-Control"] = "no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response
