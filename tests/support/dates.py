"""Tests on other days than today: `python -m tests.support.dates [PATHS]`, or `make test-dates`.

Each run takes place under libfaketime (Debian's package faketime), with all its processes: Postgres, Redis,
web server and worker. Without paths it runs the quick ones of the tests in real time (`tests.support.clock`)
in which a site takes part, two runs at a time: a turn, or a whole game on days on which the clock or the
year changes. On those days a whole site is up as well, before the change and after it. Sites run one after
another, because each of them takes the first port that is free.
"""

import os
import shutil
import subprocess
import sys
from calendar import isleap
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest

SITE: Final = "tests/embedded/test_up.py::test_the_site_answers_until_it_is_stopped"
TURN: Final = "tests/docs/test_first_turn.py"
GAME: Final = "tests/docs/test_play_a_game.py"
CHANGE: Final = "CLOCK_CHANGE"
"""The variable that tells a whole site when the clock or the year has just changed, in seconds since 1970."""

WHOLE_SITES: Final = (
    "when the clock goes forward",
    "when the clock goes back",
    "half a minute before New Year",
)
_BERLIN: Final = "Europe/Berlin"

Day = tuple[str, datetime, str]
"""What a day is, when its run begins, and the time zone of its machine."""


def moments(now: datetime) -> list[Day]:
    """Return the days on which the tests run."""
    return [
        ("when the clock goes forward", _change(now, 3), _BERLIN),
        ("when the clock goes back", _change(now, 10), _BERLIN),
        ("half a minute before New Year", datetime(now.year, 12, 31, 23, 59, 30, tzinfo=UTC), "UTC"),
        ("29 February where the day begins first", _leap_day(now), "Pacific/Kiritimati"),
    ]


def _leap_day(now: datetime) -> datetime:
    """Return noon of the next 29 February."""
    year = next(year for year in range(now.year + 1, now.year + 9) if isleap(year))
    return datetime(year, 2, 29, 12, tzinfo=UTC)


def _change(now: datetime, month: int) -> datetime:
    """Return half a minute before Berlin next changes its clock in that month: at 1:00 UTC, on a Sunday."""
    year = now.year + (now.month >= month)
    last = datetime(year, month, 31, 1, tzinfo=UTC)
    change = last - timedelta(days=(last.weekday() + 1) % 7)
    before, after = (at.astimezone(ZoneInfo(_BERLIN)).utcoffset() for at in (change - timedelta(1), change))
    assert before != after, "Berlin no longer changes its clock then"
    return change - timedelta(seconds=30)


def main(paths: list[str]) -> int:
    """Run the tests on each day; return 1 where a run failed, 2 where faketime is missing."""
    if not shutil.which("faketime"):
        print("The program faketime is missing: install the package faketime", file=sys.stderr)
        return 2
    days = moments(datetime.now(UTC))
    whole = [day for day in days if day[0] in WHOLE_SITES]
    assert len(whole) == len(WHOLE_SITES)
    runs = [([SITE], whole), *(([GAME if day in whole else TURN], [day]) for day in days)]
    runs = [(paths, days)] if paths else runs
    pool = ThreadPoolExecutor(max_workers=2)
    try:
        failed = [what for found in pool.map(_failed, *zip(*runs, strict=True)) for what in found]
    finally:
        pool.shutdown(cancel_futures=True)
    print(f"Failed: {'; '.join(failed)}" if failed else "The tests pass on every day.")
    return 1 if failed else 0


def _failed(paths: list[str], days: list[Day]) -> list[str]:
    """Run some of the tests on each day, and return what failed; Ctrl-C ends the run and all later ones."""
    failed = []
    for what, moment, zone in days:
        status = _run(paths, what, moment, zone)
        if status:
            failed.append(f"{what} ({paths[0]})")
        if status == pytest.ExitCode.INTERRUPTED:
            break
    return failed


def _run(paths: list[str], what: str, moment: datetime, zone: str) -> int:
    """Run some of the tests on a day; print what they say when all have ended, and return their status."""
    ahead = round((moment - datetime.now(UTC)).total_seconds())
    done = subprocess.run(
        ["faketime", "-f", f"{ahead:+d}s", sys.executable, "-m", "pytest", "-q", *paths],
        env={**os.environ, "TZ": zone, CHANGE: f"{moment.timestamp() + 35:.0f}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    day = f"{what}: {moment:%A, %d %B %Y %H:%M:%S} UTC, TZ={zone}"
    print(f"--- {day} ({' '.join(paths)})\n{done.stdout}", end="", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
