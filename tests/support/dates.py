"""Run tests on special days: `python -m tests.support.dates`, `make test-dates`.

Each run has its own Postgres, Redis, web server and worker, under libfaketime (Debian's package faketime). If
the command gets paths, it runs these tests on each day, one day after another. By default it runs `SITE` and
`TURN` on the days when the clock or the year changes, so that a site runs before and after the change, and
`GAME` on 29 February. By default, all days run at the same time.
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

SITE: Final = "tests/embedded/test_up.py::test_the_site_stops_and_reports_it_if_a_process_ends"
TURN: Final = "tests/docs/test_first_turn.py"
GAME: Final = "tests/docs/test_play_a_game.py"
CHANGE: Final = "CLOCK_CHANGE"
"""The environment variable with the time of the clock change, as a Unix timestamp."""

WHOLE_SITES: Final = (
    "when the clock goes forward",
    "when the clock goes back",
    "half a minute before New Year",
)
_BERLIN: Final = "Europe/Berlin"

Day = tuple[str, datetime, str]
"""A day: its description, the start of its run, and the time zone of its machine."""


def moments(now: datetime) -> list[Day]:
    """Return the special days."""
    return [
        ("when the clock goes forward", _change(now, 3), _BERLIN),
        ("when the clock goes back", _change(now, 10), _BERLIN),
        ("half a minute before New Year", datetime(now.year, 12, 31, 23, 59, 30, tzinfo=UTC), "UTC"),
        ("29 February where the day begins first", _leap_day(now), "Pacific/Kiritimati"),
    ]


def _leap_day(now: datetime) -> datetime:
    year = next(year for year in range(now.year + 1, now.year + 9) if isleap(year))
    return datetime(year, 2, 29, 12, tzinfo=UTC)


def _change(now: datetime, month: int) -> datetime:
    """Return the time 30 seconds before Berlin next changes its clock in the given month.

    The clock changes at 1:00 UTC on the last Sunday of the month.
    """
    year = now.year + (now.month >= month)
    last = datetime(year, month, 31, 1, tzinfo=UTC)
    change = last - timedelta(days=(last.weekday() + 1) % 7)
    before, after = (at.astimezone(ZoneInfo(_BERLIN)).utcoffset() for at in (change - timedelta(1), change))
    assert before != after, "Berlin no longer changes its clock then"
    return change - timedelta(seconds=30)


def main(paths: list[str]) -> int:
    """Run the tests on each day.

    Return 0, or 1 if a run failed, or 2 if faketime is missing.
    """
    if not shutil.which("faketime"):
        print("The program faketime is missing: install the package faketime", file=sys.stderr)
        return 2
    days = moments(datetime.now(UTC))
    whole = [day for day in days if day[0] in WHOLE_SITES]
    assert len(whole) == len(WHOLE_SITES)
    runs = [paths or ([SITE, TURN] if day in whole else [GAME]) for day in days]
    pool = ThreadPoolExecutor(max_workers=1 if paths else len(days))
    try:
        failed = [what for what in pool.map(_failed, runs, days) if what]
    finally:
        pool.shutdown(cancel_futures=True)
    print(f"Failed: {'; '.join(failed)}" if failed else "The tests pass on every day.")
    return 1 if failed else 0


def _failed(paths: list[str], day: Day) -> str:
    """Run tests on a special day. Print their output at the end.

    Return the description of the day, or "" if all tests passed.
    """
    what, moment, zone = day
    ahead = round((moment - datetime.now(UTC)).total_seconds())
    done = subprocess.run(
        ["faketime", "-f", f"{ahead:+d}s", sys.executable, "-m", "pytest", "-q", *paths],
        env={**os.environ, "TZ": zone, CHANGE: f"{moment.timestamp() + 35:.0f}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    told = f"{what}: {moment:%A, %d %B %Y %H:%M:%S} UTC, TZ={zone}"
    print(f"--- {told} ({' '.join(paths)})\n{done.stdout}", end="", flush=True)
    return f"{what} ({paths[0]})" if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
