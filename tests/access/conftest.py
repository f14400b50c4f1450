"""A world of games and people for each module.

One process makes the world, and the other processes copy it.
"""

import os
from collections.abc import Iterator

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.access.walking import Walker
from tests.access.world import make_world, put_mail
from tests.support import worlds
from tests.support.lasting import lasting

FORGETFUL = {"default": {"BACKEND": "tests.support.forgetful.Forgetful"}}
"""A cache that stores nothing, so that no test reaches a rate limit."""


@pytest.fixture(scope="module")
def walker(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walker]:
    """Clients in every role, in a world for this module."""
    mails, place = tmp_path_factory.mktemp("mails"), tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with (
        override_settings(MAIL_DIRECTORY=mails, CACHES=FORGETFUL),
        lasting(django_db_blocker),
    ):
        put_mail(mails)
        yield Walker(worlds.shared(place / "world", lambda: make_world(mails)))
