"""Fixtures that last for a module. Each test's changes are undone after the test."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.support import worlds


@contextmanager
def lasting(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Undo all changes to the database at the end of the block."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with blocker.unblock(), worlds.never(), atomic:
        yield
        transaction.set_rollback(True)
