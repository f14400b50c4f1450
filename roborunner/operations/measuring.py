"""What is measured of requests, streams and tasks. Views are told apart by name, never by address."""

from time import perf_counter
from typing import Any

from celery.signals import task_postrun, task_prerun
from django.http import HttpRequest
from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter(
    "robo_runner_requests", "Requests by view, method and status.", ["view", "method", "status"]
)

REQUEST_SECONDS = Histogram(
    "robo_runner_request_seconds",
    "Time until a request was answered, by view.",
    ["view"],
    buckets=(0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 1.2, 2.5, 5, 10),
)

OPEN_STREAMS = Gauge(
    "robo_runner_open_streams", "Streams of events that are open.", multiprocess_mode="livesum"
)

TASKS = Counter("robo_runner_tasks", "Tasks that were run, by name and outcome.", ["task", "outcome"])

TASK_SECONDS = Histogram(
    "robo_runner_task_seconds",
    "Time that a task took, by name.",
    ["task"],
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60),
)

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

NO_VIEW = "none"
"""What leads to no view: addresses that do not exist."""


def view_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.view_name if match else "") or NO_VIEW


_begun: dict[str, float] = {}


@task_prerun.connect
def _begin(task_id: str, **_: Any) -> None:
    _begun[task_id] = perf_counter()


@task_postrun.connect
def _end(task_id: str, task: Any, state: str | None, **_: Any) -> None:
    name = task.name.rpartition(".")[2]
    TASKS.labels(name, (state or "interrupted").lower()).inc()
    if (begun := _begun.pop(task_id, None)) is not None:
        TASK_SECONDS.labels(name).observe(perf_counter() - begun)
