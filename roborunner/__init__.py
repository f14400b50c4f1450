"""The Django project: settings, addresses and processes; nothing about games."""

import gc

# What a process loads stays: looking through it for garbage took a tenth of each start, and of a page.
gc.set_threshold(20_000, 20, 50)

from roborunner.celery import app as celery_app  # noqa: E402 - loading is what it spares

__all__ = ["celery_app"]
