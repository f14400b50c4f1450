"""The clock of the tests. All tests start at the same time.

`of_test` sets the clock of the test's process to `NOW`. `BROWSER` sets the clock of a page to the same time,
and ``python -m tests.support.clock`` that of a worker. Tests of whole programs (benchmarks, documents, ``make
run``) use the real time.
"""

import os
import runpy
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import django
import pytest
import time_machine

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
"""The time at the start of each test."""

_TESTS = Path(__file__).parents[1]
_REAL = tuple(_TESTS / name for name in ("bench", "docs", "embedded"))
_BESIDE = {"site", "start_worker", "worker"}
"""Fixtures that run other processes. Tests with these fixtures need a running clock."""


def of_test(item: pytest.Item) -> "AbstractContextManager[object]":
    """Return a context with the clock of a test.

    The clock is frozen, unless other processes need a running one. Tests of whole programs use the real time.
    """
    if any(directory in item.path.parents for directory in _REAL):
        return nullcontext()
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return time_machine.travel(NOW, tick=not _BESIDE.isdisjoint(fixtures))


def ahead() -> float:
    """Return the real time minus the test's time, in seconds."""
    travels = time_machine.escape_hatch.is_travelling()
    return time.time() - time_machine.escape_hatch.time.time() if travels else 0.0


BROWSER = """
    const ahead = %d, Real = Date;
    globalThis.Date = class Date extends Real {
        constructor(...when) { when.length ? super(...when) : super(Real.now() + ahead); }
        static now() { return Real.now() + ahead; }
    };
"""
"""A script that moves a page's clock ahead by some milliseconds."""


if __name__ == "__main__":  # SECONDS-AHEAD MODULE ARGUMENT...: runs a module at the time of a test
    seconds, *sys.argv = sys.argv[1:]
    with time_machine.travel(time.time() + float(seconds), tick=True):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
        django.setup()
        from games.clocks import machine_clock

        machine_clock.database_time = lambda: datetime.now(UTC)  # the database keeps the real time
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
