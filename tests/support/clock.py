"""The time in which the tests of the service take place: the same on every day, in every process.

A test lives in one time from end to end. By `of_test` that is `NOW`, for the test's own process; browsers and
workers that take part are given the same (`BROWSER`, ``python -m tests.support.clock``). The tests of whole
programs (benchmarks, documents, ``make run``) know nothing of `NOW`, and take the real time throughout.
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
"""When the tests of the service take place."""

_TESTS = Path(__file__).parents[1]
_REAL = tuple(_TESTS / name for name in ("bench", "docs", "embedded"))
_BESIDE = {"site", "start_worker", "worker"}
"""Fixtures that bring others into play, who wait for one another."""


def of_test(item: pytest.Item) -> "AbstractContextManager[object]":
    """Return the time of a test: it stands still at `NOW`, or goes on from there where others take part."""
    if any(directory in item.path.parents for directory in _REAL):
        return nullcontext()
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return time_machine.travel(NOW, tick=not _BESIDE.isdisjoint(fixtures))


def ahead() -> float:
    """Return by how many seconds the time of the test is ahead of the real one."""
    travels = time_machine.escape_hatch.is_travelling()
    return time.time() - time_machine.escape_hatch.time.time() if travels else 0.0


BROWSER = """
    const ahead = %d, Real = Date;
    globalThis.Date = class Date extends Real {
        constructor(...when) { when.length ? super(...when) : super(Real.now() + ahead); }
        static now() { return Real.now() + ahead; }
    };
"""
"""Has a page live so many milliseconds ahead."""


if __name__ == "__main__":  # SECONDS-AHEAD MODULE ARGUMENT...: runs a module in the time of a test
    seconds, *sys.argv = sys.argv[1:]
    with time_machine.travel(time.time() + float(seconds), tick=True):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
        django.setup()
        from games.clocks import machine_clock

        machine_clock.database_time = lambda: datetime.now(UTC)  # the database lives in the real time
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
