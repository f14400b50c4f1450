"""Set up a temporary site for a benchmark, with Postgres, Redis and the fleet."""

import logging
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command

from embedded.servers import Servers


@contextmanager
def scratch_site(name: str) -> Iterator[None]:
    """Set up Django with temporary servers. Remove the servers and their files afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"robo-runner-{name}-") as directory:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="roborunner.settings",
            EMAIL_URL=(Path(directory) / "mail").as_uri(),
            SECRET_KEY=secrets.token_hex(),
        )
        with Servers(Path(directory), {}) as servers:
            os.environ.update(servers.environment)
            django.setup()
            for logger in ("games", "roborunner"):
                logging.getLogger(logger).setLevel(logging.ERROR)
            call_command("prepare", verbosity=0)
            yield
