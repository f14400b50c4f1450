"""Measurements as Prometheus reads them, for anyone who knows the token of the settings.

A process that serves alone keeps its numbers in memory. Where several processes of one machine serve
together, or a worker has children, each writes its numbers into ``METRICS_DIRECTORY``, and whichever is
asked adds them up.
"""

import hmac
import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from accounts import limits
from roborunner.operations.service import service


def answer(request: HttpRequest) -> HttpResponse:
    """Answer with all that is known here and in the database; 404 where the settings name no token."""
    status, kind, body = _answered(request.headers.get("Authorization", ""), [DatabaseCollector()])
    response = HttpResponse(body, status=status, content_type=kind)
    if status == 401 and (wait := limits.take(limits.REFUSED, limits.address_of(request))):
        response = HttpResponse(
            _("Too many requests without the token.\n"), status=429, content_type="text/plain"
        )
        response["Retry-After"] = str(wait)
    elif status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def silent(authorization: str) -> tuple[int, str, bytes]:
    """Return status, type and body of what is said where the database took a question and keeps silent."""
    return _answered(authorization, [DatabaseCollector(asked=False)])


class DatabaseCollector(Collector):
    """What the database tells of the work that there is; of a database that does not answer, just that.

    One that is known to keep silent is not ``asked``.
    """

    def __init__(self, *, asked: bool = True) -> None:
        self._asked = asked

    def collect(self) -> Iterator[Metric]:
        found: Mapping[str, tuple[str, int]] | None = None
        with suppress(DatabaseError):
            found = service().backlog(now=timezone.now()) if self._asked else None
        yield _gauge("database_answers", "Whether the database answers.", found is not None)
        for name, (text, value) in found.items() if found else ():
            yield _gauge(name, text, value)


def _gauge(name: str, text: str, value: int) -> Metric:
    return GaugeMetricFamily(f"robo_runner_{name}", text, value=value)


def _answered(authorization: str, more: Iterable[Collector] = ()) -> tuple[int, str, bytes]:
    """Return status, type and body of the answer to anyone who shows this authorization."""
    plain = "text/plain; charset=utf-8"
    if not settings.METRICS_TOKEN:
        return 404, plain, b"There are no metrics here: METRICS_TOKEN is not set.\n"
    if not hmac.compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return 401, plain, b"Metrics are for those who show the token of this site.\n"
    return 200, CONTENT_TYPE_LATEST, generate_latest(_registry(more))


def _registry(more: Iterable[Collector]) -> CollectorRegistry:
    registry = CollectorRegistry()
    if settings.METRICS_DIRECTORY:
        _bury_the_dead(Path(settings.METRICS_DIRECTORY))
        MultiProcessCollector(registry, settings.METRICS_DIRECTORY)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    for collector in more:
        registry.register(collector)
    return registry


def _bury_the_dead(directory: Path) -> None:
    """Remove what processes that are no more said of their present; what they have counted stays."""
    for path in directory.glob("gauge_live*.db"):
        pid = int(path.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, directory)  # type: ignore[no-untyped-call]
        except PermissionError:  # someone else's process has the number by now, or always had
            continue


# --- In processes that answer no requests otherwise ---------------------------------------------------------


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the library has it
        """Say nothing."""


def serve(port: int, host: str) -> None:
    """Serve what this process and its children measure, at ``/metrics`` of a port, for as long as it lives.

    ``host`` is the address to listen at. Raises OSError where the port is taken.
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
