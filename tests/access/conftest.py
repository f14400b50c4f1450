"""One world for a whole module: made once, and gone with it."""

from collections.abc import Iterator

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.access.walking import Walker
from tests.access.world import make_world
from tests.support.lasting import lasting

FORGETFUL = {"default": {"BACKEND": "tests.support.forgetful.Forgetful"}}
"""Where nothing is remembered, no one asks too often."""


@pytest.fixture(scope="module")
def walker(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walker]:
    """Somebody in every role, in a world of their own."""
    mails = tmp_path_factory.mktemp("mails")
    with (
        override_settings(MAIL_DIRECTORY=mails, CACHES=FORGETFUL),
        lasting(django_db_blocker),
    ):
        yield Walker(make_world(mails))
