"""The Django project: settings, URLs and processes. It has no code about games."""

import gc

# Collect garbage less often, since most objects stay. It took a tenth of the time of a start and of a page.
gc.set_threshold(20_000, 20, 50)

from roborunner.celery import app as celery_app  # noqa: E402 - after the threshold is set

__all__ = ["celery_app"]
