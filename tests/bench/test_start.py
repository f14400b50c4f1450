"""The benchmark of a start: whose processor time it counts."""

import os
import subprocess
import sys

from bench.start import taken_by

# By the kernel's ticks, as /proc counts: time.process_time() also counts what does not fill a tick.
BUSY = "import os\nwhile sum(os.times()[:2]) < 0.3: pass\nprint(flush=True); input()"


def test_what_a_process_and_those_below_it_take_is_counted() -> None:
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", nested], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        taken = taken_by(process.pid)
        process.stdin.write(b"\n")
    assert sum(taken.values()) >= 0.3
    assert taken_by(os.getpid())["up"] > 0
