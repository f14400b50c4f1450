"""What is made once for a whole module, and gone with it; each test lies within, and takes back its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.support import worlds


@contextmanager
def lasting(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Undo at the end of the block what was written in it, with all that tests did in the meantime."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with blocker.unblock(), worlds.never(), atomic:
        yield
        transaction.set_rollback(True)
