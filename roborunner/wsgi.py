"""The web application for servers that speak WSGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

pages = get_wsgi_application()

from roborunner import database  # noqa: E402 - it needs the settings
from roborunner.postgres.requests import limited  # noqa: E402

application = limited(pages)

database.require()
