"""The Celery application: worker and beat start from here."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

app = Celery("roborunner", amqp="roborunner.broker:Broker")
app.config_from_object("django.conf:settings", namespace="CELERY")
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
def measure(**_: object) -> None:
    """Measure tasks, and show what is measured where the settings name a port for it."""
    from django.conf import settings

    from roborunner.operations import measuring, metrics, tracing  # noqa: F401 - they listen to signals

    if settings.WORKER_METRICS_PORT:
        try:
            metrics.serve(settings.WORKER_METRICS_PORT)
        except OSError as error:
            raise SystemExit(f"The variable WORKER_METRICS_PORT is wrong: {error.strerror}.") from None


@worker_ready.connect
def say_ready(**_: object) -> None:
    """Touch the file that ``WORKER_READY_FILE`` names, for a supervisor that waits for it."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()
