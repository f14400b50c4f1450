"""Servers that a killed supervisor left behind, and the pid files that outlived their servers."""

import os
import signal
import subprocess
import time
from pathlib import Path

from embedded.problem import Problem

_PATIENCE = 30.0  # seconds for the end of a server that was left behind


def clear(pid_file: Path, data: Path, how: signal.Signals) -> None:
    """Stop the server that `pid_file` names if it is one of `data`, and remove the file.

    The caller holds the lock of the directory, so no supervisor looks after that server any more. The number
    in the file may belong to somebody else's process by now; only one that works on `data` is touched.
    """
    try:
        pid = int(pid_file.read_text().split()[0])
    except (FileNotFoundError, ValueError, IndexError):
        pid = 0
    if pid > 1 and _works_on(pid, data):
        os.kill(pid, how)
        end = time.monotonic() + _PATIENCE
        while _works_on(pid, data):
            if time.monotonic() > end:
                raise Problem(f"A server with process number {pid} still works on {data} and does not stop.")
            time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _works_on(pid: int, data: Path) -> bool:
    seen = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True)
    return str(data) in seen.stdout
