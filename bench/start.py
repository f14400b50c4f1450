"""Start a new site as `make run` does, and measure the time until it answers.

    python -m bench.start
    python -m bench.start --rounds 5

If the stored copies that new sites start from are missing, they are built first, because that is part of the
installation. Each round reports the seconds until the address is printed (web and worker are then ready), the
seconds until the demo is also loaded, and the processor seconds of each part until the address was printed.
The exit status is 1 if the fastest round missed the target. Other programs that use the processor slow the
rounds down.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from bench.load.site import TICKS, parts_of
from embedded import up
from embedded.paths import Failure
from embedded.processes import PROJECT

TARGET: Final = 6.0
"""The maximum seconds until the site's address is printed and answers."""

SERVERS: Final = ("DATABASE_URL", "REDIS_URL", "STATIC_ROOT", "DEBUG", "PORT")


class Start(NamedTuple):
    """The seconds until the address was printed and until the demo was loaded.

    ``processor`` has the processor seconds of each part until the address was printed.
    """

    address: float
    demo: float
    processor: dict[str, float]


def start(directory: Path) -> Start:
    """Start a site in an empty directory, stop it again, and return the times."""
    given = {name: value for name, value in os.environ.items() if name not in SERVERS}
    began = time.monotonic()
    command = [sys.executable, "-m", "embedded", "--directory", str(directory), "up"]
    with subprocess.Popen(command, cwd=PROJECT, env=given, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            if "is at http" not in process.stdout.readline():
                raise Failure("The site does not start.")
            address = time.monotonic() - began
            processor = taken_by(process.pid)
            process.stdout.readline()
            return Start(address, time.monotonic() - began, processor)
        finally:
            process.send_signal(signal.SIGINT)


def taken_by(pid: int) -> dict[str, float]:
    """Return the processor seconds of a process and its descendants, by part of the site."""
    taken: dict[str, float] = {}
    for each, part in {**parts_of(pid), pid: "up"}.items():
        try:
            stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        name = "up" if part == "load" else part
        taken[name] = taken.get(name, 0) + sum(map(int, stat[11:15])) / TICKS
    return taken


def main() -> int:
    """Measure the start several times, and print a line for each round."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    up.make(dict(os.environ))
    rounds = []
    print("address    demo  processor time")
    for _ in range(asked.rounds):
        with tempfile.TemporaryDirectory(prefix="start-") as name:
            rounds.append(seen := start(Path(name) / "data"))
        parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in sorted(seen.processor.items()))
        total = sum(seen.processor.values())
        print(f"{seen.address:5.1f} s {seen.demo:5.1f} s  {total:.1f} s: {parts}", flush=True)
    return int(min(seen.address for seen in rounds) > TARGET)


if __name__ == "__main__":
    sys.exit(main())
