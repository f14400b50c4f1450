"""One world for a whole module: made once, and gone with it."""

from collections.abc import Iterator

import pytest
import time_machine
from django.conf import settings
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.access.walking import Walker
from tests.access.world import make_world
from tests.games.support import NOW

QUICKER = {
    # It answers asynchronously, which takes each request through three threads, and nobody asks for files.
    "MIDDLEWARE": [each for each in settings.MIDDLEWARE if "servestatic" not in each],
    # Where nothing is remembered, nobody asks too often.
    "CACHES": {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}},
}


@pytest.fixture(scope="module")
def walker(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walker]:
    """Somebody in every role, in a world of their own."""
    mails = tmp_path_factory.mktemp("mails")
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with (
        django_db_blocker.unblock(),
        time_machine.travel(NOW, tick=False),
        override_settings(MAIL_DIRECTORY=mails, **QUICKER),
        atomic,
    ):
        yield Walker(make_world(mails))
        transaction.set_rollback(True)
