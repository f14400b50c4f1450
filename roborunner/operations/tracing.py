"""What lines of the log belong to: the request or the task under way, and its game, turn or notice.

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

from games import enqueue
from games.news.channel import channels
from roborunner.operations import log
from roborunner.operations.measuring import NO_VIEW, view_of

logger = logging.getLogger("roborunner.requests")

HEADER = "X-Request-ID"
"""Under this name a server in front may give a request a number; answers repeat it."""

GIVEN = re.compile(r"[0-9A-Za-z-]{8,64}", re.ASCII)

ROWS = {
    enqueue.RESOLVE_TURN: "turn",
    enqueue.PLAY_COMPUTERS: "turn",
    enqueue.RECOUNT_PERSON: "person",
}
"""What the number is that a task is given, but for those that send notifications."""


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
        """Note which game a request is about."""
        if isinstance(game := kwargs.get("game_id"), int):
            log.note(game=game)

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
        game = request.resolver_match.kwargs.get("game_id") if request.resolver_match else None
        if isinstance(game, int):  # noted by the view in a thread of its own, under ASGI
            facts["game"] = game
        logger.info("answered", extra=facts)


@before_task_publish.connect
def _hand_on(headers: dict[str, Any], **_: Any) -> None:
    if request := log.current().get("request"):
        headers["request_number"] = request


@task_prerun.connect
def _begin(task_id: str, task: Any, args: tuple[Any, ...], **_: Any) -> None:
    log.forget()
    log.note(task=task.name.rpartition(".")[2], task_id=task_id)
    if (row := _row_of(task.name)) and args and isinstance(args[0], int):
        log.note(**{row: args[0]})
    if request := getattr(task.request, "request_number", None):
        log.note(request=request)


def _row_of(task: str) -> str | None:
    """Return what the number is that a task is given."""
    return "notice" if any(task == channel.task for channel in channels()) else ROWS.get(task)


@task_postrun.connect
def _end(**_: Any) -> None:
    log.forget()
