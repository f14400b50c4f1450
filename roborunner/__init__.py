"""The Django project: settings, addresses and processes; nothing about games."""

from roborunner.celery import app as celery_app

__all__ = ["celery_app"]
