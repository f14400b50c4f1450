"""Run a function in several processes."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def each_of(function: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Yield the result of a function for each task, in order.

    If ``processes`` is 1, the current process does the work. Raises BrokenProcessPool if a process dies.
    Processes are spawned, not forked: after a fork, a lock that another thread has locked may never be
    released.
    """
    if processes == 1:
        yield from map(function, tasks)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, tasks)
