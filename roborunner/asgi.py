"""The web application for uvicorn: pages and API by Django, streams in front of it, and all within bounds."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
django.setup(set_prefix=False)

from games.streams.source import GameStreams  # noqa: E402 - it needs the settings
from roborunner import database  # noqa: E402
from roborunner.bodies import Bodies  # noqa: E402
from roborunner.handler import Handler  # noqa: E402
from roborunner.operations.patience import Patience  # noqa: E402
from roborunner.postgres.requests import Limited  # noqa: E402
from roborunner.streams import Streams  # noqa: E402

pages = Handler()
application = Bodies(Streams(Patience(Limited(pages)), GameStreams()))
database.require()
