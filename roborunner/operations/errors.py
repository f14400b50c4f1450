"""Collect the errors of web processes and workers, for the admin and for Sentry.

Each error that the log has with a traceback is counted in memory, by its type and place. Every few seconds, a
thread stores the counts. A storm of errors costs little, and no request waits for the database. The stored
errors have no variables and no quoted values, because these may be about people.
"""

import atexit
import logging
import os
import threading
import traceback
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final

from celery.signals import worker_process_shutdown
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from roborunner.operations.log import current_facts, view_of
from roborunner.postgres import connections
from roborunner.scrubbing import redacted, scrubbed

Fault = dict[str, Any]
"""The columns of an error group: of the errors that were counted since the last time."""

STORE_SECONDS: Final = 5.0
"""Seconds between two times that the counts are stored."""

WRITE_SECONDS: Final = 5.0
"""The maximum number of seconds to store the counts."""

MOST_GROUPS: Final = 100
"""The maximum number of types and places of errors in memory. Further ones are only in the log."""

LONGEST_TRACEBACK: Final = 10_000
LONGEST_MESSAGE: Final = 500
LONGEST_NAME: Final = 200

CHAINED: Final = 4
"""The maximum number of errors in a traceback that led to one another."""

EVENTS_PER_GROUP: Final = 10
"""The maximum number of errors of a group that go to Sentry between two times that the counts are stored."""

PROJECT: Final = f"{Path(__file__).resolve().parents[2]}/"
OURS: Final = tuple(f"{PROJECT}{name}/" for name in ("accounts", "games", "roborunner", "rules"))


class Recorder(logging.Handler):
    """Counts the errors in the log, and stores the counts once it was started."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._faults: dict[str, Fault] = {}
        self._guard = threading.Lock()
        self._own = threading.local()
        self._started = False
        self._thread_of = 0
        self._over = threading.Event()

    def start(self) -> None:
        """Store errors from now on, in this process and in processes forked from it."""
        self._started = True
        atexit.register(self.store)
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """Forget the counts in a forked process. Its parent stores them."""
        self._guard, self._faults = threading.Lock(), {}

    def emit(self, record: logging.LogRecord) -> None:
        """Count an error. Never raises, and does nothing for a line without a traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not self._started or getattr(self._own, "stores", False):
            return
        try:
            self._count(error, record)
        except Exception:
            self.handleError(record)

    def store(self) -> None:
        """Store the counts. If the database does not answer, the next time tries again."""
        with self._guard:
            faults, self._faults = self._faults, {}
        if not faults:
            return
        self._own.stores = True
        try:
            with connections.within(WRITE_SECONDS, least=1.0):
                operations = import_module(settings.OPERATIONS)
                operations.record_errors(list(faults.values()))
        except (DatabaseError, InterfaceError):
            with self._guard:
                for fingerprint, fault in faults.items():
                    if newer := self._faults.get(fingerprint):
                        newer["count"] += fault["count"]
                        newer["first_at"] = fault["first_at"]
                    elif len(self._faults) < MOST_GROUPS:
                        self._faults[fingerprint] = fault
        except Exception:
            logging.getLogger(__name__).exception("Errors could not be stored")
        finally:
            self._own.stores = False

    def _count(self, error: BaseException, record: logging.LogRecord) -> None:
        kind, place = kind_of(error), place_of(error.__traceback__)
        fingerprint = sha256(f"{kind}\0{place}".encode()).hexdigest()
        now = timezone.now()
        with self._guard:
            fault = self._faults.get(fingerprint)
            if fault is None:
                if len(self._faults) >= MOST_GROUPS:
                    return
                fault = self._faults[fingerprint] = _fault(error, kind, place, fingerprint, record, now)
            fault["count"] += 1
            fault["last_at"] = now
            count = fault["count"]
        if settings.SENTRY_DSN and count <= EVENTS_PER_GROUP:
            _send_to_sentry(error, fault)
        self._run_thread()

    def _run_thread(self) -> None:
        """Start the thread that stores errors, unless this process has it. Threads do not survive a fork."""
        with self._guard:
            if self._thread_of == os.getpid():
                return
            self._thread_of = os.getpid()
        threading.Thread(target=self._store_regularly, name="errors", daemon=True).start()

    def _store_regularly(self) -> None:
        while not self._over.wait(STORE_SECONDS):
            self.store()
            connection.close()


RECORDER: Final = Recorder()


def recorder() -> Recorder:
    """Return the recorder of this process, for the configuration of the log."""
    return RECORDER


def start() -> None:
    """Store the errors of this process and its children, and send them to Sentry if the settings say so."""
    RECORDER.start()
    if settings.SENTRY_DSN:
        import sentry_sdk  # most sites do without it

        sentry_sdk.init(
            dsn=settings.SENTRY_DSN,
            release=settings.RELEASE or None,
            server_name="",
            # Only errors of the recorder are sent, without requests, people, variables and earlier lines.
            default_integrations=False,
            auto_enabling_integrations=False,
            include_local_variables=False,
            max_breadcrumbs=0,
            before_send=without_personal_data,  # type: ignore[arg-type]
        )


@worker_process_shutdown.connect
def _store_last(**_: object) -> None:
    RECORDER.store()


def kind_of(error: BaseException) -> str:
    """Return the type of an error with its module, as in a traceback."""
    found = type(error)
    name = (
        found.__qualname__ if found.__module__ == "builtins" else f"{found.__module__}.{found.__qualname__}"
    )
    return name[:LONGEST_NAME]


def place_of(trace: TracebackType | None) -> str:
    """Return the file and the innermost function of this site in a traceback.

    If the traceback has none, return the innermost function of all.
    """
    ours: FrameType | None = None
    last: FrameType | None = None
    while trace is not None:
        last = trace.tb_frame
        if last.f_code.co_filename.startswith(OURS):
            ours = last
        trace = trace.tb_next
    frame = ours or last
    if frame is None:
        return "unknown"
    return f"{_path(frame.f_code.co_filename)}: {frame.f_code.co_qualname}"[:LONGEST_NAME]


def in_words(error: BaseException) -> str:
    """Return the traceback of an error and of the errors that led to it, without variables and values."""
    parts = []
    for each in [*_chain(error)][::-1]:
        frames = traceback.extract_tb(each.__traceback__, limit=-30)
        for frame in frames:
            frame.filename = _path(frame.filename)
        message = redacted(str(each))[:LONGEST_MESSAGE]
        parts.append("".join(traceback.format_list(frames)) + f"{kind_of(each)}: {message}")
    return scrubbed("\n\nThen:\n\n".join(parts))[-LONGEST_TRACEBACK:]


def without_personal_data(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return an event for Sentry, with only the error, its traceback, and our own tags."""
    kept = {"event_id", "timestamp", "level", "platform", "exception", "tags", "fingerprint", "release"}
    event = {name: value for name, value in event.items() if name in kept}
    for value in event.get("exception", {}).get("values", []):
        value["value"] = redacted(str(value.get("value", "")))[:LONGEST_MESSAGE]
        for frame in value.get("stacktrace", {}).get("frames", []):
            frame.pop("vars", None)
    return event


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, the error that led to it, and so on."""
    each: BaseException | None = error
    for _ in range(CHAINED):
        if each is None:
            return
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _fault(
    error: BaseException,
    kind: str,
    place: str,
    fingerprint: str,
    record: logging.LogRecord,
    now: datetime,
) -> Fault:
    facts = current_facts()
    request = getattr(record, "request", None)
    origin = facts.get("task") or facts.get("view") or (view_of(request) if request is not None else "")
    return {
        "fingerprint": fingerprint,
        "kind": kind,
        "place": place,
        "message": redacted(str(error))[:LONGEST_MESSAGE],
        "traceback": in_words(error),
        "origin": str(origin)[:100],
        "request": str(facts.get("request", ""))[:64],
        "release": settings.RELEASE[:LONGEST_NAME],
        "count": 0,
        "first_at": now,
        "last_at": now,
    }


def _send_to_sentry(error: BaseException, fault: Fault) -> None:
    import sentry_sdk

    with sentry_sdk.new_scope() as scope:
        scope.fingerprint = [fault["fingerprint"]]
        scope.set_tag("place", fault["place"])
        scope.set_tag("origin", fault["origin"])
        scope.set_tag("request", fault["request"])
        sentry_sdk.capture_exception(error)


def _path(name: str) -> str:
    """Return the name of a file without the directory of the project, or of the installed packages."""
    _, found, inside = name.rpartition("/site-packages/")
    return inside if found else name.removeprefix(PROJECT)
