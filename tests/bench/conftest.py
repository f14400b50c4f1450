"""Fixtures that several tests of benchmarks use."""

import os
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from embedded import backup
from tests.support import fleet, schema


@pytest.fixture(scope="session")
def prepared(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A backup of a new site, with empty tables and the built-in starships."""
    file = tmp_path_factory.mktemp("prepared") / "site.dump"
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        backup.dump(backup.beside(os.environ["DATABASE_URL"], connection.settings_dict["NAME"]), file)
    return file
