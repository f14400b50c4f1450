"""The format of the log: lines for people, or JSON for machines, with facts such as the request.

No line contains a secret. Our code logs events and IDs of rows. `roborunner.scrubbing` removes secrets from
the errors of libraries.

While Redis is down, only one line a minute says so, for all requests and tasks.
"""

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Final

import redis
from kombu.exceptions import OperationalError

from roborunner.scrubbing import scrubbed

HEALTH: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
SECURITY: Final = "/.well-known/security.txt"
ROBOTS: Final = "/robots.txt"

PROBE_PATHS: Final = frozenset({HEALTH, READY, METRICS, SECURITY, ROBOTS})


Facts = dict[str, str | int]

FACTS = (
    *("request", "task", "task_id", "game", "turn", "notice", "person"),
    *("view", "method", "status", "host", "ms"),
)
"""The names of the facts that a line of the log can have.

``game``, ``turn``, ``notice`` and ``person`` are IDs of rows. ``host`` appears only in lines about requests
for another site.
"""

_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)

MAX_LINE = 300
"""The maximum number of characters of a suspicious request in the log."""


@contextmanager
def log_facts(**facts: str | int) -> Iterator[None]:
    """Add facts to all lines logged in the block."""
    before = _facts.set((_facts.get() or {}) | facts)
    try:
        yield
    finally:
        _facts.reset(before)


def note_facts(**facts: str | int) -> None:
    """Add facts to all later lines about the current request or task.

    All threads of a request share its facts.
    """
    if (known := _facts.get()) is None:
        _facts.set(facts)
    else:
        known.update(facts)


def forget_facts() -> None:
    _facts.set(None)


def current_facts() -> Facts:
    return _facts.get() or {}


NO_VIEW = "none"
"""The view name in the log for a request without a view, such as a request for an unknown address."""


def view_of(request: Any) -> str:
    match = request.resolver_match
    return (match.view_name if match else "") or NO_VIEW


class _Line(logging.Formatter):
    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def formatException(self, ei: Any) -> str:  # noqa: N802 - both names are the library's
        """Return the traceback of an error, without secrets."""
        return scrubbed(super().formatException(ei))

    def message(self, record: logging.LogRecord) -> str:
        """Return the message of a line of the log, with the view's name instead of a request's address."""
        text = record.getMessage()
        if (request := getattr(record, "request", None)) is not None:
            path = getattr(request, "path", "")
            if len(path) > 1 and path not in PROBE_PATHS:
                text = text.replace(path, view_of(request))
        return scrubbed(text)

    def facts(self, record: logging.LogRecord) -> Facts:
        """Return the facts for a line of the log: the current facts, and the facts in the log record."""
        found: Facts = {name: value for name, value in (_facts.get() or {}).items() if name in FACTS}
        for name in FACTS:
            if isinstance(value := getattr(record, name, None), str | int):
                found[name] = value
        return found


class ReadableLines(_Line):
    """Formats a line for people: time, level, logger, message, and facts in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a log record, followed by the traceback if there is one."""
        about = " ".join(f"{name}={value}" for name, value in self.facts(record).items())
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {self.message(record)}"
        line = f"{line} [{about}]" if about else line
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(_Line):
    """Formats a line for machines: a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        document: dict[str, Any] = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.message(record),
            **self.facts(record),
        }
        if record.exc_info:
            document["error"] = self.formatException(record.exc_info)
        return json.dumps(document, ensure_ascii=False, default=str)


class SuspiciousRequestFilter(logging.Filter):
    """Shortens the log of suspicious requests, such as requests for another host, to one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = record.getMessage()[:MAX_LINE], ()
        return True


def configuration(form: str) -> dict[str, Any]:
    """Return the configuration of logging to standard error, in the format ``lines`` or ``json``."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {"()": "roborunner.operations.log.ReadableLines"},
            "json": {"()": "roborunner.operations.log.JsonLines"},
        },
        "filters": {
            "redis": {"()": "roborunner.operations.log.OncePerMinute"},
            "refused": {"()": "roborunner.operations.log.SuspiciousRequestFilter"},
        },
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": form, "filters": ["redis", "refused"]},
            "errors": {"()": "roborunner.operations.errors.recorder"},
        },
        "root": {"handlers": ["stderr", "errors"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            # Refused requests are not our errors, and their addresses may be private.
            "django.request": {"level": "ERROR"},
            # Remove the handlers of uvicorn. uvicorn.access would log addresses, which may have secret links.
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.error": {"handlers": [], "propagate": True},
            "uvicorn.access": {"handlers": [], "propagate": False},
        },
    }


MINUTE: Final = 60.0

REDIS_ERRORS: Final = (redis.RedisError, OperationalError)
"""The errors of an unreachable Redis, from its client and from Celery."""

CELERY: Final = frozenset({"celery.worker.consumer.consumer", "celery.beat", "kombu.connection"})
"""The names of Celery's loggers that report each try to reconnect to Redis."""


class OncePerMinute(logging.Filter):
    """Logs only one line a minute about an unreachable Redis, and counts the suppressed lines."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._next = 0.0
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or not _is_about_redis(record):
            return True
        with self._lock:
            if monotonic() < self._next:
                self._left_out += 1
                return False
            left_out, self._left_out = self._left_out, 0
            self._next = monotonic() + MINUTE
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more lines like this in the last minute)"
            record.args = ()
        return True


def _is_about_redis(record: logging.LogRecord) -> bool:
    arguments = record.args if isinstance(record.args, tuple) else ()
    error = record.exc_info[1] if record.exc_info else None
    if any(isinstance(each, REDIS_ERRORS) for each in (*arguments, error)):
        return True
    return record.name in CELERY and "onnect" in record.getMessage()
