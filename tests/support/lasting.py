"""Fixtures that last for a whole module, with each test's changes undone after it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.support import worlds


@contextmanager
def lasting(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Undo all changes of the block at its end, including those of tests."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with blocker.unblock(), worlds.never(), atomic:
        yield
        transaction.set_rollback(True)
