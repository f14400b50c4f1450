"""The Celery application: worker and beat start from here."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

app = Celery("roborunner", amqp="roborunner.broker:Broker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def require_database(**_: object) -> None:
    """Refuse to start a worker that could do nothing."""
    from roborunner import database

    database.require()


@worker_ready.connect
def say_ready(**_: object) -> None:
    """Touch the file that ``WORKER_READY_FILE`` names, for a supervisor that waits for it."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()
