"""The benchmark of a start counts the processor time of all its processes."""

import os
import subprocess
import sys

from bench.start import taken_by

# Busy by the kernel's ticks, as in /proc: time.process_time() also counts parts of ticks.
BUSY = "import os\nwhile sum(os.times()[:2]) < 0.3: pass\nprint(flush=True); input()"


def test_a_process_counts_together_with_its_descendants() -> None:
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
