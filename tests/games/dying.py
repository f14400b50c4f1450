"""Simulate a worker that dies, at each SQL statement in turn."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import connection, transaction

Returned = TypeVar("Returned")


def dies_at_each_statement(
    act: Callable[[], Returned], *, nothing_is_done: Callable[[], bool]
) -> tuple[int, Returned]:
    """Run an action that aborts at its first SQL statement, then at its second, and so on.

    After each abort, ``nothing_is_done`` must be true. Return the number of aborts, and the result of the run
    without one.
    """
    died = 0
    while True:
        left = died

        def die(execute: Any, *args: Any) -> Any:
            nonlocal left
            if left == 0:
                raise RuntimeError("killed")
            left -= 1
            return execute(*args)

        try:
            with transaction.atomic(), connection.execute_wrapper(die):
                return died, act()
        except RuntimeError:
            died += 1
            assert nothing_is_done()
