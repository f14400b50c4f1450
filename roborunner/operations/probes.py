"""Whether the process answers, and whether the service can do its work: for health checks of any kind.

The answers say which part is missing, and nothing about how it is reached.
"""

import json
from collections.abc import Callable
from datetime import datetime
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from roborunner.operations.service import service

PATIENCE = 2.0
"""Seconds that Redis may take for an answer."""


SILENT = "The database does not answer."


def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers: anyone who gets no answer may end it."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether all is there that the service needs; status 503 and what is missing, if anything is."""
    missing = missing_parts(now=timezone.now())
    document = {"status": "not ready" if missing else "ready", "missing": missing}
    return JsonResponse(document, status=503 if missing else 200)


def silent() -> tuple[int, str, bytes]:
    """Return status, type and body of what is said where the database took a question and keeps silent."""
    document = {"status": "not ready", "missing": {"database": SILENT}}
    return 503, "application/json", json.dumps(document).encode()


def missing_parts(*, now: datetime) -> dict[str, str]:
    """Return the parts of the service that are missing, each with a sentence; nothing where all is well.

    Of the parts that lie in the database nothing is said while that is missing itself.
    """
    missing: dict[str, str] = {}
    if not _redis_answers():
        missing["redis"] = "Redis does not answer."
    in_database: list[tuple[str, Callable[[], bool], str]] = [
        ("migrations", _all_migrated, "The database lacks migrations."),
        (
            "worker",
            lambda: service().workers_are_heard_of(now=now),
            "No worker has been heard of for a while.",
        ),
    ]
    try:
        for part, is_there, sentence in in_database:
            if not is_there():
                missing[part] = sentence
                break  # what comes after is not known
        else:
            failing = service().failing_jobs()
            if service().MAIL_JOB in failing:
                failing.remove(service().MAIL_JOB)
                missing["mail"] = "The mail server takes no mail. The alarms tell why."
            if failing:
                missing["sweeper"] = f"Jobs of the sweeper fail: {', '.join(failing)}. The alarms tell why."
    except DatabaseError:
        missing["database"] = SILENT
    return missing


def _redis_answers() -> bool:
    try:
        with redis.from_url(
            settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _all_migrated() -> bool:
    return _newest_migrations() <= MigrationRecorder(connection).applied_migrations().keys()


@cache
def _newest_migrations() -> frozenset[tuple[str, str]]:
    """Return the last migration of each application in this release, which does not change."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())
