"""What lines of the log belong to: the request or the task under way, and the rows that it is about.

A task that a request has asked for carries the request's number on.
"""

import logging
import re
from collections.abc import Callable
from time import perf_counter
from typing import Any
from uuid import uuid4

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from roborunner.operations import log
from roborunner.operations.measuring import NO_VIEW, view_of
from roborunner.operations.service import service

logger = logging.getLogger("roborunner.requests")

HEADER = "X-Request-ID"
"""Under this name a server in front may give a request a number; answers repeat it."""

GIVEN = re.compile(r"[0-9A-Za-z-]{8,64}", re.ASCII)


class TracingMiddleware:
    """Gives each request a number, and logs a line for each."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have a request answered."""
        begun = perf_counter()
        given = request.headers.get(HEADER, "")
        number = given if GIVEN.fullmatch(given) else uuid4().hex
        with log.about(request=number):
            response = self._get_response(request)
            self._tell(request, response.status_code, perf_counter() - begun)
        response[HEADER] = number
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]) -> None:
        """Note which rows a request is about."""
        log.note(**_rows_of(kwargs))

    def _tell(self, request: HttpRequest, status: int, seconds: float) -> None:
        view = view_of(request)
        if view == NO_VIEW and status < 400:  # a static file
            return
        facts: dict[str, Any] = {
            "view": view,
            "method": request.method,
            "status": status,
            "ms": round(1000 * seconds),
        }
        if request.resolver_match:  # noted by the view in a thread of its own, under ASGI
            facts |= _rows_of(request.resolver_match.kwargs)
        logger.info("answered", extra=facts)


def _rows_of(kwargs: dict[str, Any]) -> dict[str, int]:
    """Return the rows that the address of a request names."""
    named = {name: kwargs.get(argument) for argument, name in service().ARGUMENTS.items()}
    return {name: number for name, number in named.items() if isinstance(number, int)}


@before_task_publish.connect
def _hand_on(headers: dict[str, Any], **_: Any) -> None:
    if request := log.current().get("request"):
        headers["request_number"] = request


@task_prerun.connect
def _begin(task_id: str, task: Any, args: tuple[Any, ...], **_: Any) -> None:
    log.forget()
    log.note(task=task.name.rpartition(".")[2], task_id=task_id)
    if (row := service().row_of(task.name)) and args and isinstance(args[0], int):
        log.note(**{row: args[0]})
    if request := getattr(task.request, "request_number", None):
        log.note(request=request)


@task_postrun.connect
def _end(**_: Any) -> None:
    log.forget()
