"""The web application for uvicorn: Django with streams and limits in front."""

import gc
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
django.setup(set_prefix=False)

from django.urls import get_resolver  # noqa: E402 - it needs the settings

from games.play.pages.streams import GameStreams  # noqa: E402
from roborunner import faults  # noqa: E402
from roborunner.operations import errors  # noqa: E402
from roborunner.operations.probes import ProbeTimeout  # noqa: E402
from roborunner.postgres.connections import Limited  # noqa: E402
from roborunner.server import BodyLimit, Handler  # noqa: E402
from roborunner.streams import Streams  # noqa: E402

pages = Handler()
application = BodyLimit(Streams(ProbeTimeout(Limited(pages)), GameStreams()))
faults.require_database()
errors.start()

assert get_resolver().url_patterns  # loads the modules that pages need
gc.collect()
gc.freeze()
