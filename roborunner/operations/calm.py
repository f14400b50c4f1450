"""Says once a minute that Redis is away, however many requests and tasks notice."""

import logging
import threading
from time import monotonic
from typing import Final

import redis
from kombu.exceptions import OperationalError

MINUTE: Final = 60.0

ABOUT_REDIS: Final = (redis.RedisError, OperationalError)
"""The errors of a Redis that is away, as it is asked itself and as Celery asks it."""

CELERY: Final = frozenset({"celery.worker.consumer.consumer", "celery.beat", "kombu.connection"})
"""Who of Celery's says that it tries to reach Redis again, every few seconds."""


class Calm(logging.Filter):
    """Lets one line a minute through that says that Redis is away; the next one counts those left out."""

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
    said = record.args if isinstance(record.args, tuple) else ()
    error = record.exc_info[1] if record.exc_info else None
    if any(isinstance(each, ABOUT_REDIS) for each in (*said, error)):
        return True
    return record.name in CELERY and "onnect" in record.getMessage()
