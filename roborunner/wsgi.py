"""The web application for servers that speak WSGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

application = get_wsgi_application()

from roborunner import database  # noqa: E402 - it needs the settings

database.require()
