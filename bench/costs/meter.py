"""Measure each part of the site: its processor time, and its statements to Postgres."""

import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Final

from django.db import connection

from bench.load.site import parts_of

_EXACT: Final = 2
"""The kernel's number for the process clock that counts nanoseconds instead of ticks."""

_STATEMENT: Final = re.compile(r"(\d+) LOG:  (?:statement|execute [^:]+): (.*)")


class Meter:
    """Reads the processor clocks of all descendants of this process."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def read(self) -> dict[int, tuple[str, int]]:
        """Return the part of the site and the processor nanoseconds so far, by process ID."""
        found = {}
        own = self._own()
        for pid, part in parts_of(os.getpid()).items():
            try:
                found[pid] = "load" if pid == own else part, time.clock_gettime_ns(~pid << 3 | _EXACT)
            except OSError:
                continue  # the process has ended
        return found

    def since(self, before: dict[int, tuple[str, int]]) -> Counter[str]:
        """Return the processor milliseconds of each part since an earlier result of `read`."""
        taken: Counter[str] = Counter()
        for pid, (part, now) in self.read().items():
            taken[part] += (now - before.get(pid, ("", 0))[1]) / 1e6
        return taken

    def steady(self) -> None:
        """Turn off autovacuum in Postgres, so that its background work does not disturb measurements."""
        self._set("autovacuum", "off")

    def write_statements(self) -> None:
        """Make Postgres log all statements. Return once the setting has taken effect."""
        self._set("log_line_prefix", "'%p '")
        self._set("log_statement", "'all'")
        with connection.cursor() as cursor:
            while True:
                cursor.execute("SHOW log_statement")
                if cursor.fetchone()[0] == "all":
                    return

    def log_size(self) -> int:
        """Return the current size of Postgres' log, in bytes."""
        return self._log.stat().st_size

    def statements_since(self, log_size: int) -> list[str]:
        """Return the statements that Postgres has logged since its log had the size ``log_size``, in bytes.

        Statements of this process are left out.
        """
        own = str(self._own())
        with self._log.open(errors="replace") as file:
            file.seek(log_size)
            whole = file.read().replace("\n\t", " ")  # later lines of a statement begin with a tab
        found = map(_STATEMENT.match, whole.splitlines())
        return [" ".join(each[2].split()) for each in found if each and each[1] != own]

    def _own(self) -> int:
        """Return the process ID of the Postgres backend that serves this process."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return int(cursor.fetchone()[0])

    def _set(self, name: str, value: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER SYSTEM SET {name} = {value}")
            cursor.execute("SELECT pg_reload_conf()")
