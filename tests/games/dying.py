"""Workers that die on the way: at each statement once, until one of them lives to the end."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import connection, transaction

Returned = TypeVar("Returned")


def dies_at_each_statement(
    act: Callable[[], Returned], *, nothing_is_done: Callable[[], bool]
) -> tuple[int, Returned]:
    """Do something in a transaction that breaks off at its first statement, then at its second, and so on.

    After each time nothing may be done. Return how often it broke off, and what it returned in the end.
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
