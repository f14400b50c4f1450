"""The clock of the tests: the same time on every day, in every process.

Each test runs at one time. `of_test` sets `NOW` in the test's process, and browsers and workers get the same
time (`BROWSER`, ``python -m tests.support.clock``). Tests of whole programs (benchmarks, documents, ``make
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
"""The time at which tests begin."""

_TESTS = Path(__file__).parents[1]
_REAL = tuple(_TESTS / name for name in ("bench", "docs", "embedded"))
_BESIDE = {"site", "start_worker", "worker"}
"""Fixtures with other processes, which need a running clock."""


def of_test(item: pytest.Item) -> "AbstractContextManager[object]":
    """Return the clock of a test: frozen, or running with other processes."""
    if any(directory in item.path.parents for directory in _REAL):
        return nullcontext()
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return time_machine.travel(NOW, tick=not _BESIDE.isdisjoint(fixtures))


def ahead() -> float:
    """Return the seconds between the real time and the time of the test."""
    travels = time_machine.escape_hatch.is_travelling()
    return time.time() - time_machine.escape_hatch.time.time() if travels else 0.0


BROWSER = """
    const ahead = %d, Real = Date;
    globalThis.Date = class Date extends Real {
        constructor(...when) { when.length ? super(...when) : super(Real.now() + ahead); }
        static now() { return Real.now() + ahead; }
    };
"""
"""A script for pages that moves their clock ahead by some milliseconds."""


if __name__ == "__main__":  # SECONDS-AHEAD MODULE ARGUMENT...: runs a module at the time of a test
    seconds, *sys.argv = sys.argv[1:]
    with time_machine.travel(time.time() + float(seconds), tick=True):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
        django.setup()
        from games.clocks import machine_clock

        machine_clock.database_time = lambda: datetime.now(UTC)  # the database keeps the real time
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
