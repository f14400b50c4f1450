"""The Celery application, and how processes keep in touch with Redis, which brings messages.

Worker and beat start from here. Processes never give up on Redis, and reconnect within seconds.
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
"""The queues, one for each kind of work."""

QUEUES = tuple(Queue(name) for name in (SWEEPS, TURNS, THINKING, MAIL, WEBHOOKS, PUSH, LAB))
"""All queues, in the order in which a worker takes from them that is started without `--queues`.

It takes from a queue only while those before it are empty: games go on first, and are told of afterwards.
"""

LONGEST_WAIT = 5.0
"""Seconds between two tries to reach Redis, however long it has been away."""


class PatientConnection(Connection):
    """A connection that is tried again every few seconds; by itself it would wait longer and longer."""

    def _ensure_connection(self, *args: Any, **options: Any) -> Any:
        if len(args) < 5:  # the longest wait is the fifth in order
            options["interval_max"] = min(options.get("interval_max", LONGEST_WAIT), LONGEST_WAIT)
        return super()._ensure_connection(*args, **options)


class Broker(AMQP):
    """Celery's way to messages, over connections that are patient."""

    Connection = PatientConnection
    BrokerConnection = PatientConnection


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

CONNECTION_KEPT = 600
"""Seconds after which a process of a worker makes its connection to Postgres again."""

app = Celery("roborunner", amqp="roborunner.celery:Broker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.add_defaults(lambda: {"CELERY_DB_REUSE_MAX": sys.maxsize})  # `keep_connections` sees to that
app.autodiscover_tasks()


@setup_logging.connect
def log_as_the_settings_say(**_: object) -> None:
    """Have worker and beat write the same log as the web."""
    from django.conf import settings
    from django.utils.log import configure_logging

    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@worker_init.connect
def require_database(**_: object) -> None:
    """Refuse to start a worker that could do nothing."""
    from roborunner import faults

    faults.require_database()


@worker_init.connect
def keep_connections(**_: object) -> None:
    """Keep the connection of each worker process to Postgres from task to task.

    A new one takes Postgres about as long as a turn does, and Celery would make one for each task.
    """
    from django.db import close_old_connections, connections

    connections["default"].settings_dict["CONN_MAX_AGE"] = CONNECTION_KEPT
    task_prerun.connect(close_old_connections)


@worker_init.connect
def limit_statements(**_: object) -> None:
    """Have tasks wait for the database for a minute, and then fail: they are tried again.

    Commands have no limit: migrations, backups and `recount` take as long as they take.
    """
    from django.db import connections

    from roborunner.postgres import connections as limits

    options = connections["default"].settings_dict["OPTIONS"]
    options["options"] = f"{options.get('options', '')} -c statement_timeout={limits.TASK_STATEMENT}s"
    limits.limit_process(limits.TASK)


@worker_init.connect
def measure(**_: object) -> None:
    """Measure tasks, and show what is measured where the settings name a port for it."""
    from django.conf import settings

    from roborunner.operations import metrics  # it listens to signals

    if settings.WORKER_METRICS_PORT:
        try:
            metrics.serve(settings.WORKER_METRICS_PORT, settings.WORKER_METRICS_HOST)
        except OSError as error:
            raise SystemExit(
                f"The variable WORKER_METRICS_PORT or WORKER_METRICS_HOST is wrong: {error.strerror}."
                " Each worker of a machine needs a port of its own."
            ) from None


@worker_ready.connect
def say_ready(**_: object) -> None:
    """Touch the file that ``WORKER_READY_FILE`` names, for a supervisor that waits for it."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()
