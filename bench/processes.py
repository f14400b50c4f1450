"""Run a function in several processes."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def each_of(function: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Yield a function's result for each task, in order.

    With one process, this one does the work. Raises BrokenProcessPool if a process dies. Processes are
    spawned, not forked: after a fork, a lock held by another thread may stay locked for ever.
    """
    if processes == 1:
        yield from map(function, tasks)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, tasks)
