"""The web application for WSGI servers."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")

pages = get_wsgi_application()

from roborunner import faults  # noqa: E402 - it needs the settings
from roborunner.postgres.connections import limited  # noqa: E402

application = limited(pages)

faults.require_database()
