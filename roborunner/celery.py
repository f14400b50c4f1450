"""The Celery application: worker and beat start from here."""

import os
import sys
from pathlib import Path

from celery import Celery
from celery.signals import setup_logging, task_prerun, worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

KEPT = 600
"""Seconds after which a process of a worker makes its connection to Postgres again."""

app = Celery("roborunner", amqp="roborunner.broker:Broker")
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
    from roborunner import database

    database.require()


@worker_init.connect
def keep_connections(**_: object) -> None:
    """Have each process of the worker keep its connection to Postgres from task to task, as long as it holds.

    A new one takes Postgres about as long as a turn does, and Celery by itself would have one for each task.
    """
    from django.db import close_old_connections, connections

    connections["default"].settings_dict["CONN_MAX_AGE"] = KEPT
    task_prerun.connect(close_old_connections)


@worker_init.connect
def limit_statements(**_: object) -> None:
    """Have tasks wait for the database for a minute, and then fail: they are tried again.

    Commands have no limit: migrations, backups and `recount` take as long as they take.
    """
    from django.db import connections

    from roborunner.postgres import limits

    options = connections["default"].settings_dict["OPTIONS"]
    options["options"] = f"{options.get('options', '')} -c statement_timeout={limits.TASK_STATEMENT}s"
    limits.limit_process(limits.TASK)


@worker_init.connect
def measure(**_: object) -> None:
    """Measure tasks, and show what is measured where the settings name a port for it."""
    from django.conf import settings

    from roborunner.operations import measuring, metrics, tracing  # noqa: F401 - they listen to signals

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
