"""The web application for uvicorn."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

application = get_asgi_application()

from roborunner import database  # noqa: E402 - it needs the settings

database.require()
