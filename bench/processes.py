"""Runs a function in several processes."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def each_of(function: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Yield a function's result for each task, in order. With one process, this one does the work.

    Raises BrokenProcessPool if a process dies. Processes are started from nothing, not forked: a fork of a
    process with threads may wait for ever for a lock that one of them held.
    """
    if processes == 1:
        yield from map(function, tasks)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, tasks)
