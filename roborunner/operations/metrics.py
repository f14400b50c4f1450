"""Measure requests, streams and tasks, and show the metrics to Prometheus.

Reading the metrics requires the token from the settings. Views are labelled by name, not by address.

A single process keeps its metrics in memory. If several processes of one machine serve together, or a worker
has children, each process writes its metrics into ``METRICS_DIRECTORY``, and the process that answers
Prometheus adds them up.
"""

import hmac
import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from socketserver import ThreadingMixIn
from time import perf_counter
from typing import Any, Protocol, cast
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from accounts import limits
from roborunner.operations import log


class Service(Protocol):
    """The module with facts about the service, named in the settings (`OPERATIONS`).

    ``ARGUMENTS`` maps the names of URL arguments to the names of the facts in the log, such as ``game``.
    ``MAIL_JOB`` is the name of the regular job that fails while the mail server accepts no mail.
    """

    ARGUMENTS: Mapping[str, str]
    MAIL_JOB: str

    def row_of(self, task: str) -> str | None: ...

    def backlog(self, *, now: datetime) -> Mapping[str, tuple[str, int]]:
        """Return the parts of the backlog by name, each as a description and a number of waiting items."""
        ...

    def ages(self, *, now: datetime) -> Mapping[str, tuple[str, int]]:
        """Return times since the last sweep, backup and so on, each as a description and a value."""
        ...

    def workers_are_active(self, *, now: datetime) -> bool:
        """Return whether any worker was active within the last few minutes."""
        ...

    def record_errors(self, faults: Iterable[Mapping[str, Any]]) -> None:
        """Store counted errors. Each has the columns of a group of errors."""
        ...

    def failing_jobs(self) -> list[str]:
        """Return the names of failing regular jobs."""
        ...

    def maintenance_until(self, *, now: datetime) -> datetime | None:
        """Return the end of the maintenance under way, or None if there is none."""
        ...


def service() -> Service:
    return cast("Service", import_module(settings.OPERATIONS))


REQUESTS = Counter(
    "robo_runner_requests", "Requests by view, method and status.", ["view", "method", "status"]
)

REQUEST_SECONDS = Histogram(
    "robo_runner_request_seconds",
    "Time to answer a request, by view.",
    ["view"],
    buckets=(0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 1.2, 2.5, 5, 10),
)

OPEN_STREAMS = Gauge("robo_runner_open_streams", "Open event streams.", multiprocess_mode="livesum")

TASKS = Counter("robo_runner_tasks", "Finished tasks, by name and outcome.", ["task", "outcome"])

TASK_SECONDS = Histogram(
    "robo_runner_task_seconds",
    "Duration of tasks, by name.",
    ["task"],
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60),
)

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

_start_times: dict[str, float] = {}


@task_prerun.connect
def _note_begin(task_id: str, **_: Any) -> None:
    _start_times[task_id] = perf_counter()


@task_postrun.connect
def _measure_task(task_id: str, task: Any, state: str | None, **_: Any) -> None:
    name = task.name.rpartition(".")[2]
    TASKS.labels(name, (state or "interrupted").lower()).inc()
    if (started := _start_times.pop(task_id, None)) is not None:
        TASK_SECONDS.labels(name).observe(perf_counter() - started)


@before_task_publish.connect
def _forward_request_number(headers: dict[str, Any], **_: Any) -> None:
    if request := log.current_facts().get("request"):
        headers["request_number"] = request


@task_prerun.connect
def _begin_facts(task_id: str, task: Any, args: tuple[Any, ...], **_: Any) -> None:
    log.forget_facts()
    log.note_facts(task=task.name.rpartition(".")[2], task_id=task_id)
    if (row := service().row_of(task.name)) and args and isinstance(args[0], int):
        log.note_facts(**{row: args[0]})
    if request := getattr(task.request, "request_number", None):
        log.note_facts(request=request)


@task_postrun.connect
def _end_facts(**_: Any) -> None:
    log.forget_facts()


def metrics_page(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics.

    The status is 404 if the settings have no token, and 401 if the request does not have this token.
    """
    status, kind, body = _answered(request.headers.get("Authorization", ""), [DatabaseCollector()])
    response = HttpResponse(body, status=status, content_type=kind)
    if status == 401 and (wait := limits.consume(limits.REFUSED, limits.address_of(request))):
        response = HttpResponse(
            _("Too many requests without a token.\n"), status=429, content_type="text/plain"
        )
        response["Retry-After"] = str(wait)
    elif status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def metrics_without_database(authorization: str) -> tuple[int, str, bytes]:
    """Return the status, content type and body of the metrics, without asking the database."""
    return _answered(authorization, [DatabaseCollector(asked=False)])


class DatabaseCollector(Collector):
    """Metrics about the backlog in the database, and about whether the database answers.

    If ``asked`` is False, the database is known not to answer, so it is not queried.
    """

    def __init__(self, *, asked: bool = True) -> None:
        self._asked = asked

    def collect(self) -> Iterator[Metric]:
        found: Mapping[str, tuple[str, int]] | None = None
        with suppress(DatabaseError):
            if self._asked:
                now = timezone.now()
                found = {**service().backlog(now=now), **service().ages(now=now)}
        yield _gauge("database_answers", "Whether the database answers.", found is not None)
        for name, (text, value) in found.items() if found else ():
            yield _gauge(name, text, value)


def _gauge(name: str, text: str, value: int) -> Metric:
    return GaugeMetricFamily(f"robo_runner_{name}", text, value=value)


def _answered(authorization: str, more: Iterable[Collector] = ()) -> tuple[int, str, bytes]:
    """Return the status, content type and body of the answer to a request for the metrics.

    ``authorization`` is the request's Authorization header.
    """
    plain = "text/plain; charset=utf-8"
    if not settings.METRICS_TOKEN:
        return 404, plain, b"There are no metrics here: METRICS_TOKEN is not set.\n"
    if not hmac.compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return 401, plain, b"Metrics are for those who show the token of this site.\n"
    return 200, CONTENT_TYPE_LATEST, generate_latest(_registry(more))


def _registry(more: Iterable[Collector]) -> CollectorRegistry:
    registry = CollectorRegistry()
    if settings.METRICS_DIRECTORY:
        _remove_ended_processes(Path(settings.METRICS_DIRECTORY))
        MultiProcessCollector(registry, settings.METRICS_DIRECTORY)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    for collector in more:
        registry.register(collector)
    return registry


def _remove_ended_processes(directory: Path) -> None:
    """Remove the gauges of ended processes. Their counters stay."""
    for path in directory.glob("gauge_live*.db"):
        pid = int(path.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, directory)  # type: ignore[no-untyped-call]
        except PermissionError:  # another user's process has this number now
            continue


# --- In processes without other requests --------------------------------------------------------------------


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the library has it
        """Log nothing."""


def serve(port: int, host: str) -> None:
    """Serve the metrics of this process and its children at ``/metrics``.

    ``host`` is the address to listen on. Raises OSError if the port is taken.
    """
    server = make_server(host, port, _application, _Server6 if ":" in host else _Server, _Handler)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    if environ.get("PATH_INFO") != "/metrics":
        status, kind, body = 404, "text/plain; charset=utf-8", b"Metrics are at /metrics.\n"
    else:
        status, kind, body = _answered(environ.get("HTTP_AUTHORIZATION", ""))
    headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
    if status == 401:
        headers.append(("WWW-Authenticate", "Bearer"))
    start_response({200: "200 OK", 401: "401 Unauthorized"}.get(status, "404 Not Found"), headers)
    return [body]
