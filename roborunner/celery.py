"""The Celery application, with connections to Redis that never give up.

The worker and beat processes load this module. After a failure, processes reconnect to Redis within seconds.
"""

import os
import sys
from pathlib import Path
from typing import Any

from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import setup_logging, task_prerun, worker_init, worker_ready
from kombu import Connection, Queue

TURNS, SWEEPS, THINKING, LAB = "celery", "sweeps", "thinking", "lab"
MAIL, WEBHOOKS, PUSH = "mail", "webhooks", "push"
"""The names of the queues, one for each kind of task."""

QUEUES = tuple(Queue(name) for name in (SWEEPS, TURNS, THINKING, MAIL, WEBHOOKS, PUSH, LAB))
"""All queues, in the order for a worker without `--queues`.

Such a worker takes a task from a queue only while the earlier queues are empty. Games come first, then
notifications about them.
"""

MAX_RETRY_PAUSE = 5.0
"""The maximum number of seconds between two tries to reach Redis."""


class PatientConnection(Connection):
    """A connection that retries every few seconds. By default, the pauses would grow."""

    def _ensure_connection(self, *args: Any, **options: Any) -> Any:
        if len(args) < 5:  # the longest wait is the fifth argument
            options["interval_max"] = min(options.get("interval_max", MAX_RETRY_PAUSE), MAX_RETRY_PAUSE)
        return super()._ensure_connection(*args, **options)


class Broker(AMQP):
    """Celery's message layer, with connections that retry every few seconds (`PatientConnection`)."""

    Connection = PatientConnection
    BrokerConnection = PatientConnection


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

CONNECTION_MAX_AGE = 600
"""Seconds before a worker process replaces its connection to Postgres."""

app = Celery("roborunner", amqp="roborunner.celery:Broker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.add_defaults(lambda: {"CELERY_DB_REUSE_MAX": sys.maxsize})  # `keep_connections` replaces this limit
app.autodiscover_tasks()


@setup_logging.connect
def log_as_the_settings_say(**_: object) -> None:
    """Make worker and beat log in the same way as the web processes."""
    from django.conf import settings
    from django.utils.log import configure_logging

    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@worker_init.connect
def require_database(**_: object) -> None:
    """Refuse to start a worker without a database."""
    from roborunner import faults

    faults.require_database()


@worker_init.connect
def keep_connections(**_: object) -> None:
    """Keep each worker process connected to Postgres from task to task.

    A new connection takes about as long as resolving a turn, and Celery would make one for each task.
    """
    from django.db import close_old_connections, connections

    connections["default"].settings_dict["CONN_MAX_AGE"] = CONNECTION_MAX_AGE
    task_prerun.connect(close_old_connections)


@worker_init.connect
def limit_statements(**_: object) -> None:
    """Limit each database statement of a task to a minute. Failed tasks are retried.

    Commands such as migrations, backups and `recount` have no limit.
    """
    from django.db import connections

    from roborunner.postgres import connections as limits

    options = connections["default"].settings_dict["OPTIONS"]
    options["options"] = f"{options.get('options', '')} -c statement_timeout={limits.TASK_STATEMENT_SECONDS}s"
    limits.limit_process(limits.TASK_SECONDS)


@worker_init.connect
def collect_errors(**_: object) -> None:
    """Store the errors of the worker's tasks."""
    from roborunner.operations import errors

    errors.start()


@worker_init.connect
def measure(**_: object) -> None:
    """Record metrics of the worker's tasks, and serve the metrics if the settings have a port for them."""
    from django.conf import settings

    from roborunner.operations import metrics  # it listens to signals

    if settings.WORKER_METRICS_PORT:
        try:
            metrics.serve(settings.WORKER_METRICS_PORT, settings.WORKER_METRICS_HOST)
        except OSError as error:
            raise SystemExit(
                f"The variable WORKER_METRICS_PORT or WORKER_METRICS_HOST is wrong: {error.strerror}."
                " Each worker on a machine needs its own port."
            ) from None


@worker_ready.connect
def say_ready(**_: object) -> None:
    """Touch the file named in ``WORKER_READY_FILE``, to tell a supervisor that the worker is ready."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()
