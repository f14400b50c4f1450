"""Measures each part of the site: processor time, and statements to Postgres."""

import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Final

from django.db import connection

from bench.load.site import parts_of

_EXACT: Final = 2
"""The kernel's number for a process clock in nanoseconds instead of ticks."""

_STATEMENT: Final = re.compile(r"(\d+) LOG:  (?:statement|execute [^:]+): (.*)")


class Meter:
    """Reads the processor clocks of all descendants of this process."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def read(self) -> dict[int, tuple[str, int]]:
        """Return each process's part of the site, and its nanoseconds so far."""
        found = {}
        own = self._own()
        for pid, part in parts_of(os.getpid()).items():
            try:
                found[pid] = "load" if pid == own else part, time.clock_gettime_ns(~pid << 3 | _EXACT)
            except OSError:
                continue  # it has ended
        return found

    def since(self, before: dict[int, tuple[str, int]]) -> Counter[str]:
        """Return the milliseconds of each part since a reading."""
        taken: Counter[str] = Counter()
        for pid, (part, now) in self.read().items():
            taken[part] += (now - before.get(pid, ("", 0))[1]) / 1e6
        return taken

    def steady(self) -> None:
        """Stop Postgres' background work, such as autovacuum."""
        self._set("autovacuum", "off")

    def write_statements(self) -> None:
        """Log all statements in Postgres. Return when this takes effect."""
        self._set("log_line_prefix", "'%p '")
        self._set("log_statement", "'all'")
        with connection.cursor() as cursor:
            while True:
                cursor.execute("SHOW log_statement")
                if cursor.fetchone()[0] == "all":
                    return

    def place(self) -> int:
        """Return the length of the log."""
        return self._log.stat().st_size

    def statements_since(self, place: int) -> list[str]:
        """Return the statements logged since ``place``, except those of this process."""
        own = str(self._own())
        with self._log.open(errors="replace") as file:
            file.seek(place)
            whole = file.read().replace("\n\t", " ")  # later lines of a statement begin with a tab
        found = map(_STATEMENT.match, whole.splitlines())
        return [" ".join(each[2].split()) for each in found if each and each[1] != own]

    def _own(self) -> int:
        """Return the process number of Postgres' backend for this process."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return int(cursor.fetchone()[0])

    def _set(self, name: str, value: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER SYSTEM SET {name} = {value}")
            cursor.execute("SELECT pg_reload_conf()")
